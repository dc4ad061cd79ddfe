"""What a node may ask of the world. Adapters live in `models`, `sources` and `knowledge`.

Every call takes a `deadline` in seconds since the epoch, total and not per read; an adapter
that passes it raises `DeadlineExceeded`. Adapters are safe to call from several threads.
"""

from __future__ import annotations  # annotations only: judging a pair must not import langgraph

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from veridic.judgements import Thresholds
from veridic.shapes import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from veridic.context import Context
    from veridic.judgements import AnswerSigns, Entailment, Reading, Relevance, Strictness
    from veridic.settings import Settings
    from veridic.shapes import Citation, Discarded, Lesson, Passage, Result
    from veridic.state import Event
    from veridic.text.kinds import AnswerKind


class Judge(Protocol):
    """What evaluator and critic have in common."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""
        ...

    @property
    def gates(self) -> bool:
        """Whether its calibration AUC is at least 0.65; a judge that does not gate leaves a run unverified."""
        ...

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The calibrated decision points."""
        ...


class RetrievalEvaluator(Judge, Protocol):
    """CRAG's judge and ISREL, and ISUSE: what helps to answer need not be an answer."""

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs in one batch; one result a pair, in order. Raises `JudgeFailed`."""
        ...

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        """P(the text holds an answer) of (question, text) pairs, in order. Raises `JudgeFailed`."""
        ...


class Critic(Judge, Protocol):
    """ISSUP: natural language inference."""

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs in one batch; one result a pair, in order. Raises `JudgeFailed`."""
        ...


class Reader(Protocol):
    """Reads the answer to a question in a text."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; a calibration belongs to one fingerprint."""
        ...

    @property
    def gates(self) -> bool:
        """Whether it was calibrated, and its confidence ranks right answers over wrong ones (AUC at least 0.65)."""
        ...

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs in one batch; one reading a pair, in order. Raises `JudgeFailed`.

        A first line that ends in a line feed is a heading: it is read, and no span stands in it.
        """
        ...

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """P(an answer with these signs is right), for a question of this kind."""
        ...

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which an answer is given."""
        ...


class Embedder(Protocol):
    """Texts to unit vectors."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; an index belongs to one fingerprint."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""
        ...

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Be told vectors that it made of these texts before; it may keep them and not embed the texts again."""
        ...


@dataclass(frozen=True)
class Reply:
    """What a chat model wrote, without its thinking."""

    text: str
    prompt_tokens: int
    completion_tokens: int
    finished: bool
    """False when the token limit or the deadline cut it."""

    def usage(self) -> Usage:
        """What this one call consumed."""
        return Usage(calls=1, prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens)


@dataclass(frozen=True)
class Prompt:
    """The words said to a model."""

    system: str
    user: str


class ChatModel(Protocol):
    """Writes text."""

    @property
    def name(self) -> str:
        """As the user gave it: `embedded`, `ollama:llama3.2:3b`."""
        ...

    @property
    def follows_instructions(self) -> bool:
        """Whether it can be trusted with rewriting, claims and citation markers."""
        ...

    def prepare(self, progress: Callable[[int, int], None] = lambda _done, _total: None) -> None:
        """Fetch and start what `write` needs, telling how much is done of how much; nothing is done twice.

        Raises `WeightsUnavailable`, `WeightsDamaged` and what `write` raises.
        """
        ...

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float,
        seed: int,
        deadline: float,
        on_token: Callable[[str], None] = lambda _: None,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Write one reply, calling `on_token` with each visible piece as it comes.

        `schema` is a JSON schema with a `title`, to which providers that can do so hold the reply; the others
        ignore it, and the deadline may cut it, so whoever reads the reply checks it.

        Stops at the deadline with what was written so far (`finished` false). Raises
        `ModelUnavailable`, `MissingKey`, `UnknownModel`.
        """
        ...


@dataclass(frozen=True)
class Found:
    """What a source gave for a query."""

    passages: list[Passage]
    """Best first, `kind` outside, `score` None."""
    discarded: list[Discarded]
    """Pages that are no evidence: walls, consent forms, errors, empty ones."""
    cached: bool = False
    """Whether an earlier answer was given again, and nothing left this machine."""
    complete: bool = True
    """False when the source broke off and this is what it had said by then."""


class EvidenceSource(Protocol):
    """An outside place to search."""

    @property
    def name(self) -> str:
        """One of `veridic.context.SOURCE_NAMES`."""
        ...

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """At most `limit` passages for a query, none when nothing was found; and the pages left out.

        Raises `SourceUnavailable`, `SourceRefused`, `AddressForbidden` or `DeadlineExceeded`.
        """
        ...


class PageSource(Protocol):
    """An outside place whose pages can be asked for by name."""

    @property
    def name(self) -> str:
        """One of `veridic.context.SOURCE_NAMES`."""
        ...

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """Every passage of the page that `key` names, in order; at least one.

        Raises `PageMissing` when there is no such page or `key` may mean several, and what
        `EvidenceSource.search` raises; `SourceRefused` also for a page that is no evidence.
        """
        ...


@dataclass(frozen=True)
class KnowledgeStatus:
    """What a knowledge base holds, in one namespace."""

    documents: int
    active_chunks: int
    generated_chunks: int
    """Of the active ones, how many were generated."""
    index: Literal["ready", "rebuilt", "empty"]
    embedder: str


@dataclass(frozen=True)
class GeneratedRecord:
    """An answer to be remembered, with its lineage."""

    run_id: str
    question: str
    text: str
    status: Literal["review", "probation", "active"]
    sources: list[Citation]
    scores: dict[str, float]


class KnowledgeBase(Protocol):
    """Answers first and learns last. All calls see one namespace."""

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """For each query its passages, best first: dense and lexical rankings fused (reciprocal rank fusion)."""
        ...

    def similarity(self, text: str, *, deadline: float) -> float:
        """The largest cosine between `text` and any active chunk; 0.0 when there is none."""
        ...

    def text_of(self, document_id: str) -> str:
        """The stored text that offsets count in. Raises `DocumentMissing`."""
        ...

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int]:
        """At most `limit` titles of the active documents that people wrote, in alphabetical order; and their number."""
        ...

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        """The first passages, at most `limit`, of the document that people wrote whose title or file name is nearest.

        It has all words of `name`, small slips aside, and with `exactly` hardly any others; none when no document has.
        An id of a document names it too.
        """
        ...

    def corrections(self, words: Sequence[str], *, deadline: float) -> dict[str, str]:
        """Of these lower-case words the misspelt ones, each with the word that was meant.

        A word is misspelt when neither the documents nor English know it; meant is the nearest word of the documents
        or function word, if one differs by a slip or, in long words, two.
        """
        ...

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """Store a generated record and return its document id; the same run id again changes nothing."""
        ...

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        """Keep passages from outside, dated by their retrieval; the same passage again changes only its date.

        Those retrieved before `since` (seconds since the epoch) are removed. Nothing but `search_outside` and
        `text_of` knows of what is kept.
        """
        ...

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        """As `search`, over what was kept from outside and retrieved from `since` on; `source` is `outside`."""
        ...

    def status(self) -> KnowledgeStatus:
        """What is held."""
        ...


class ExperienceStore(Protocol):
    """Lessons of earlier runs. All calls see one namespace."""

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of similar questions, most similar first."""
        ...

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; the same run id again changes nothing."""
        ...


class DecisionLog(Protocol):
    """One row a run: what was decided on which scores."""

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
        ...


class Clock(Protocol):
    """The time."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...


@dataclass(frozen=True)
class Resources:
    """One adapter behind each protocol, opened once a process."""

    settings: Settings
    knowledge: KnowledgeBase
    evaluator: RetrievalEvaluator
    critic: Critic
    reader: Reader
    embedder: Embedder
    chat: ChatModel | None
    """None: answers are extractive."""
    sources: Mapping[str, EvidenceSource]
    """Those the settings allow and this machine can use."""
    unusable: Mapping[str, str]
    """Allowed sources that cannot be used, with the reason."""
    experience: ExperienceStore
    decisions: DecisionLog
    clock: Clock


@dataclass(frozen=True)
class Run:
    """What a node is given beside the state: the run's choices, the world, and a way to speak."""

    context: Context
    resources: Resources
    emit: Callable[[Event], None]
    system: str = "veridic"
    """The name of the system that runs."""

    def allowed_sources(self) -> list[str]:
        """The outside sources this run may use and can use, in the settings' order."""
        chosen = self.context.sources
        return [name for name in self.resources.sources if chosen is None or name in chosen]

    def kept_since(self) -> float | None:
        """When a passage from outside must have been retrieved to be kept still; None: none is kept."""
        days = self.resources.settings.outside_days
        return self.resources.clock.now() - days * 86_400 if days else None

    def spent(self, usage: Usage) -> Literal["tokens", "calls"] | None:
        """Which budget of chat calls is used up; None when another call may be made."""
        if usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0) >= self.context.token_budget:
            return "tokens"
        return "calls" if usage.get("calls", 0) >= self.context.call_budget else None

    def thresholds(self) -> Thresholds:
        """The evaluator's and critic's decision points, with the context's own over them."""
        fitted = self.resources.evaluator.thresholds(self.context.strictness)
        critic = self.resources.critic.thresholds(self.context.strictness)
        own = self.context
        return Thresholds(
            upper=fitted.upper if own.upper is None else own.upper,
            lower=fitted.lower if own.lower is None else own.lower,
            strip=fitted.strip if own.strip is None else own.strip,
            support=critic.support if own.support is None else own.support,
            contradiction=critic.contradiction,
            abstention=fitted.abstention,
        )
