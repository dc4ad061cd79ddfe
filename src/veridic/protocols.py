"""What a node may ask of the world. Adapters live in `models`, `sources` and `knowledge`.

Every call takes a `deadline` in seconds since the epoch, total and not per read; an adapter
that passes it raises `DeadlineExceeded`. Adapters are safe to call from several threads.
"""

from __future__ import annotations  # annotations only: judging a pair must not import langgraph

from dataclasses import dataclass, field, replace
from secrets import token_bytes
from typing import TYPE_CHECKING, Protocol

from veridic.bounded import BoundedChat, punctual
from veridic.chat import ChatModel as ChatModel
from veridic.chat import Prompt as Prompt
from veridic.chat import Reply as Reply
from veridic.judgements import Thresholds
from veridic.judging import Critic as Critic
from veridic.judging import InjectionDetector as InjectionDetector
from veridic.judging import Judge as Judge
from veridic.judging import Reader as Reader
from veridic.judging import RetrievalEvaluator as RetrievalEvaluator
from veridic.ledger import Budget, Ledger, charged
from veridic.memory import AskedAgain as AskedAgain
from veridic.memory import DecisionLog as DecisionLog
from veridic.memory import ExperienceStore as ExperienceStore
from veridic.memory import GeneratedRecord as GeneratedRecord
from veridic.memory import KnowledgeBase as KnowledgeBase
from veridic.memory import KnowledgeStatus as KnowledgeStatus
from veridic.memory import Recollected as Recollected
from veridic.screening import Screen, screened
from veridic.shapes import Usage
from veridic.tracing.chat import chat_model
from veridic.tracing.judges import judge
from veridic.tracing.memory import decision_log, experience_store, knowledge_base, outside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from veridic.context import Context
    from veridic.settings import Settings
    from veridic.shapes import Discarded, Passage, Waiting
    from veridic.state import Event


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
        """As the settings name it: a `veridic.context.SourceName`."""
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
        """As the settings name it: a `veridic.context.SourceName`."""
        ...

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """Every passage of the page that `key` names, in order; at least one.

        Raises `PageMissing` when there is no such page or `key` may mean several, and what
        `EvidenceSource.search` raises; `SourceRefused` also for a page that is no evidence.
        """
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
    sifter: RetrievalEvaluator
    """Grades strips and windows, many a question: a trained evaluator, the same unless a chat model grades."""
    critic: Critic
    reader: Reader
    detector: InjectionDetector
    embedder: Embedder
    chat: ChatModel | None
    """None: answers are extractive."""
    grader: ChatModel | None
    """The chat model behind evaluator or critic; None: both are trained."""
    sources: Mapping[str, EvidenceSource]
    """Those the settings allow and this machine can use."""
    unusable: Mapping[str, str]
    """Allowed sources that cannot be used, with the reason."""
    experience: ExperienceStore
    decisions: DecisionLog
    clock: Clock
    seal_key: bytes = field(default_factory=lambda: token_bytes(32))
    """What the state of a run is sealed with; the same for every process that may go on with one."""


@dataclass(frozen=True)
class Run:
    """What a node is given beside the state: the run's choices, the world, and a way to speak."""

    context: Context
    resources: Resources
    emit: Callable[[Event], None]
    system: str = "veridic"
    """The name of the system that runs."""
    ledger: Ledger = field(default_factory=Ledger)
    """What judging costs in this step."""
    screen: Screen = field(default_factory=Screen)
    """What was taken out of the evidence that came in with this step."""
    records_speak: bool = False
    """Whether what was learned is evidence by itself, as in the papers' systems."""
    opens_documents: bool = True
    """Whether the system that runs can open a document or what is told of a subject."""
    untouched: bool = True
    """Whether nothing but nodes wrote into the state of this run."""
    ask: Callable[[Waiting], object] | None = None
    """Ask a person, which ends the run until there is a reply; None where none is to be asked, or none can be."""

    @property
    def evaluator(self) -> RetrievalEvaluator:
        """The evaluator, on this step's account; no judge is waited for beyond its deadline."""
        return judge(punctual(charged(self.resources.evaluator, self.ledger)), "evaluator")

    @property
    def sifter(self) -> RetrievalEvaluator:
        """The evaluator of strips and windows."""
        return judge(punctual(self.resources.sifter), "sifter")

    @property
    def critic(self) -> Critic:
        """The critic, on this step's account."""
        return judge(punctual(charged(self.resources.critic, self.ledger)), "critic")

    @property
    def reader(self) -> Reader:
        """The reader."""
        return judge(punctual(self.resources.reader), "reader")

    @property
    def chat(self) -> BoundedChat | None:
        """The chat model, whose replies are cut where they are far too long; None: answers are extractive."""
        if self.resources.chat is None:
            return None
        return BoundedChat(chat_model(self.resources.chat, text=self._traces_text), self.ledger)

    def allowed_sources(self) -> list[str]:
        """The outside sources this run may use and can use, in the settings' order."""
        chosen = self.context.sources
        return [name for name in self.resources.sources if chosen is None or name in chosen]

    @property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base as far as this run asks it, its passages without what gives orders."""
        chosen, known = self.context.scope, self.resources.knowledge
        asked = known if chosen is None else known.within(chosen)
        told = screened(asked if self.records_speak else asked.beneath_records(), self._clean)
        return knowledge_base(told, text=self._traces_text)

    @property
    def experience(self) -> ExperienceStore:
        """The lessons that were learned of what this run asks."""
        bound, known = self.resources.settings.docs, self.resources.experience
        known = known.within((bound,)) if bound else known
        return experience_store(known if self.context.scope is None else known.within(self.context.scope))

    @property
    def decisions(self) -> DecisionLog:
        """The decision log."""
        return decision_log(self.resources.decisions)

    def outside(self, source: str, query: str, *, limit: int, deadline: float) -> Found:
        """What an outside source gives for a query, its passages without what gives orders; raises what it raises."""
        place: EvidenceSource = outside(self.resources.sources[source], source, text=self._traces_text)
        found = place.search(query, limit=limit, deadline=deadline)
        return replace(found, passages=self._clean(found.passages, deadline))

    @property
    def detector(self) -> InjectionDetector:
        """The detector of orders."""
        return judge(punctual(self.resources.detector), "detector")

    @property
    def _traces_text(self) -> bool:
        return self.resources.settings.trace_text

    def _clean(self, passages: Sequence[Passage], deadline: float) -> list[Passage]:
        return self.screen.clean(passages, self.detector, deadline=deadline)

    def asked_of(self) -> tuple[str, ...] | None:
        """The places this run asks, as they were named; None: the whole knowledge base."""
        bound = self.resources.settings.docs
        return self.context.scope if self.context.scope is not None or not bound else (bound,)

    def kept_since(self) -> float | None:
        """When a passage from outside must have been retrieved to be kept still; None: none is kept."""
        days = self.resources.settings.outside_days
        return self.resources.clock.now() - days * 86_400 if days else None

    def spent(self, usage: Usage) -> Budget | None:
        """Which budget of chat calls is used up; None when another call may be made."""
        return Ledger(self.context.token_budget, self.context.call_budget, usage).spent()

    def lower(self, judge: Judge) -> float:
        """This judge's score under which a passage is dropped, unless the context has its own."""
        own = self.context.lower
        return judge.thresholds(self.context.strictness).lower if own is None else own

    def thresholds(self) -> Thresholds:
        """The decision points of evaluator, sifter and critic, with the context's own over them."""
        fitted = self.resources.evaluator.thresholds(self.context.strictness)
        sifted = self.resources.sifter.thresholds(self.context.strictness)
        critic = self.resources.critic.thresholds(self.context.strictness)
        own = self.context
        return Thresholds(
            upper=fitted.upper if own.upper is None else own.upper,
            lower=self.lower(self.resources.evaluator),
            strip=sifted.strip if own.strip is None else own.strip,
            support=critic.support if own.support is None else own.support,
            contradiction=critic.contradiction,
            abstention=fitted.abstention,
        )
