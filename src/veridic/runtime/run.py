"""What a node is given beside the state: the run's choices, and the world as this run may ask it."""

from __future__ import annotations  # annotations only: judging a pair must not import langgraph

from dataclasses import dataclass, field, replace
from functools import cached_property
from secrets import token_bytes
from typing import TYPE_CHECKING, Protocol

from veridic.ports.judgements import COMPANY, FEW, UNCOUNTED, Thresholds
from veridic.ports.method import CALIBRATED, Method
from veridic.ports.shapes import CORPUS, OUTSIDE
from veridic.runtime import asked
from veridic.runtime.ledger import Budget, Ledger, charged
from veridic.runtime.orders import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from veridic.context import Context
    from veridic.ports.chat import ChatModel
    from veridic.ports.embedding import Embedder
    from veridic.ports.judgements import Rank
    from veridic.ports.judging import (
        Critic,
        DraftDecision,
        InjectionDetector,
        Judge,
        MessageJudge,
        Reader,
        RetrievalEvaluator,
    )
    from veridic.ports.memory import DecisionLog, ExperienceStore, KnowledgeBase
    from veridic.ports.shapes import Passage, TrialFigure, Usage, Waiting
    from veridic.ports.sources import EvidenceSource, Found
    from veridic.settings import Settings
    from veridic.state import Event


class Clock(Protocol):
    """The time."""

    def now(self) -> float:
        """Seconds since the epoch."""


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
    decision: DraftDecision
    """What decides on what a chat model writes, and from where an answer is given."""
    detector: InjectionDetector
    messages: MessageJudge
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
    trials: Mapping[Rank, TrialFigure] = field(default_factory=dict)
    """What the trial found of the judges, as far as it was held."""


def hearing(critic: Critic, question: str) -> Critic:
    """The critic, which hears the question that statements answer, by its `hearing`; itself where it has none."""
    heard: Callable[[str], Critic] | None = getattr(critic, "hearing", None)
    return heard(question) if heard else critic


@dataclass(frozen=True)
class Run:
    """What a node is given beside the state: the run's choices, the world, and a way to speak."""

    context: Context
    resources: Resources
    emit: Callable[[Event], None]
    system: str = "veridic"
    """The name of the system that runs."""
    ledger: Ledger = field(default_factory=Ledger)
    """What this step costs, takes out of the evidence, and has to tell of failures."""
    method: Method = Method()  # noqa: RUF009 - frozen
    """The numbers of the system that runs."""
    records_speak: bool = False
    """Whether what was learned is evidence by itself, as in the papers' systems."""
    opens_documents: bool = True
    """Whether the system that runs can open a document or what is told of a subject."""
    untouched: bool = True
    """Whether nothing but nodes wrote into the state of this run."""
    begun: str = ""
    """The id that a server gives what is asked, the same where another worker begins it again; empty without one."""
    ask: Callable[[Waiting], object] | None = None
    """Ask a person, which ends the run until there is a reply; None where none is to be asked, or none can be."""

    @cached_property
    def evaluator(self) -> RetrievalEvaluator:
        """The evaluator, on this step's account; no judge is waited for beyond its deadline."""
        return asked.judge(charged(self.resources.evaluator, self.ledger), "evaluator")

    def company(self, deadline: float) -> int:
        """Passages that are searched, counted up to `COMPANY`; `UNCOUNTED` where nobody can count them."""
        found = self.knowledge.passages(most=COMPANY, deadline=deadline)
        return UNCOUNTED if found is None else found

    @cached_property
    def sifter(self) -> RetrievalEvaluator:
        """The evaluator of strips and windows."""
        return asked.judge(self.resources.sifter, "sifter")

    @cached_property
    def critic(self) -> Critic:
        """The critic, on this step's account."""
        return asked.judge(charged(self.resources.critic, self.ledger), "critic")

    def critic_of(self, question: str) -> Critic:
        """The critic, which hears the question that statements answer, if it can."""
        return asked.judge(hearing(charged(self.resources.critic, self.ledger), question), "critic")

    @property
    def critic_hears(self) -> bool:
        """Whether the critic knows the question, so that a bare answer says something to it."""
        return bool(getattr(self.resources.critic, "hears", False))

    @cached_property
    def reader(self) -> Reader:
        """The reader."""
        return asked.judge(self.resources.reader, "reader")

    @cached_property
    def detector(self) -> InjectionDetector:
        """The detector of orders."""
        return asked.judge(self.resources.detector, "detector")

    @cached_property
    def chat(self) -> asked.AskedChat | None:
        """The chat model, whose replies are cut where they are far too long; None: answers are extractive."""
        if self.resources.chat is None:
            return None
        return asked.AskedChat(self.resources.chat, self.ledger)

    @property
    def writes_well(self) -> bool:
        """Whether a chat model writes that follows instructions."""
        return self.chat is not None and self.chat.follows_instructions

    @cached_property
    def knowledge(self) -> KnowledgeBase:
        """The knowledge base as far as this run asks it, its passages without what gives orders."""
        known = self.resources.knowledge
        known = known if self.context.scope is None else known.within(self.context.scope)
        known = known if self.records_speak else known.beneath_records()
        return asked.knowledge_base(known, self._clean)

    def known(self, queries: Sequence[str], *, limit: int, deadline: float) -> dict[str, list[list[Passage]]]:
        """For each query what the documents have, and what was kept from outside if anything may be, by the place."""
        found = {CORPUS: self.knowledge.search(queries, limit=limit, deadline=deadline)}
        since = self.kept_since()
        if since is not None:
            kept = self.knowledge.search_outside(queries, limit=limit, since=since, deadline=deadline)
            found[OUTSIDE] = kept
        return found

    @cached_property
    def experience(self) -> ExperienceStore:
        """The lessons that were learned of what this run asks."""
        known, bound = self.resources.experience, self.resources.settings.docs
        known = known.within((bound,)) if bound else known
        return known if self.context.scope is None else known.within(self.context.scope)

    def outside(self, source: str, query: str, *, limit: int, deadline: float) -> Found:
        """What an outside source gives for a query, its passages without what gives orders; raises what it raises."""
        search = self.resources.sources[source].search
        found: Found = asked.searched(source, self._clean, search, query, limit=limit, deadline=deadline)
        return found

    def _clean(self, found: asked.C, deadline: float) -> asked.C:
        """What a search gave, without what in its passages gives orders."""
        passages = clean(asked.passages_in(found), self.detector, self.ledger, deadline=deadline)
        return asked.with_passages(found, iter(passages))

    def allowed_sources(self) -> list[str]:
        """The outside sources this run may use and can use, in the settings' order."""
        chosen = self.context.sources
        return [name for name in self.resources.sources if chosen is None or name in chosen]

    @property
    def deadline(self) -> float:
        """When what follows an answer has to be done, if it begins now."""
        return self.resources.clock.now() + self.context.time_budget

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
        """This judge's score of the best text under which none helps, unless the method has its own."""
        own = self.method.lower
        return judge.thresholds(self.context.strictness).lower if own is None else own

    def thresholds(self, searched: int = FEW) -> Thresholds:
        """The points of the judges where so many passages were searched, with the method's own over them."""
        judges, strictness = self.resources, self.context.strictness
        critic, strip = judges.critic.thresholds(strictness), judges.sifter.thresholds(strictness).strip
        told = {"strip": strip, "support": critic.support, "contradiction": critic.contradiction}
        own = {name: value for name in CALIBRATED if (value := getattr(self.method, name)) is not None}
        return replace(judges.evaluator.thresholds(strictness).among(searched), **told | own)
