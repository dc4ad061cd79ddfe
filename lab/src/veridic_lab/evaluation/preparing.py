"""From a request to a run that is ready to start: data, checks, documents, models, plan."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from veridic.context import Context
from veridic.errors import UsageError
from veridic.knowledge.base import Knowledge
from veridic.resources import open_knowledge_base, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic_lab.evaluation.connected import check_outside, world_of
from veridic_lab.evaluation.corpus import fill, settings_for, with_addresses
from veridic_lab.evaluation.measuring import Told
from veridic_lab.evaluation.plan import Identity, Plan, Request
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.sampling import drawn, with_fewer_documents
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import SUITES, open_suite

Bar = Callable[[str], AbstractContextManager[Told]]


@dataclass(frozen=True)
class Bench:
    """A run that is ready to start: what is asked, and of whom."""

    suite: Suite
    asked: list[GoldQuestion]
    resources: Resources
    context: Context
    plan: Plan


def ready(
    request: Request,
    settings: Settings,
    context: Context,
    *,
    data: Callable[[], Path],
    say: Callable[[str], None],
    bar: Bar,
) -> Bench:
    """Read and check the data, fill the knowledge base, open the models. Raises `UsageError`."""
    suite = _opened(request, data, say)
    asked = drawn(suite.questions, request.limit, request.seed)
    if request.documents is not None:
        suite = with_fewer_documents(suite, asked, request.documents)
    own = settings_for(suite, settings.model_copy(update={"model": request.model}), request.out)
    knowledge = _filled(suite, own, bar)
    suite = with_addresses(suite, knowledge)
    named = {one.id: one for one in suite.questions}
    asked = [named[one.id] for one in asked]
    resources = open_resources(own)
    context = context.model_copy(update={"write_back": False})
    plan = _planned(request, suite, asked, resources, context, knowledge)
    return Bench(suite, asked, resources, context, plan)


def _opened(request: Request, data: Callable[[], Path], say: Callable[[str], None]) -> Suite:
    if request.suite not in SUITES and request.folder is None:
        raise UsageError(
            f"{request.suite} names no suite ({', '.join(SUITES)}), and no documents were given.",
            "For questions of your own: veridic eval run questions.jsonl --docs FOLDER --out DIR.",
        )
    suite = open_suite(request.suite, data, request.folder)
    check_outside(suite, request.systems)
    for name, left in suite.left.items():
        say(f"{name}: {left.all} questions, {left.unseen} that the judges have not seen, {left.usable} usable")
    return suite


def _filled(suite: Suite, settings: Settings, bar: Bar) -> Knowledge:
    """The knowledge base with every document in it."""
    knowledge = open_knowledge_base(settings)
    if suite.folder or {one.url for one in suite.documents} - set(knowledge.corpus.content_hashes()):
        with bar("Ingesting") as told:
            fill(suite, knowledge, settings, told)
    return knowledge


def _planned(
    request: Request,
    suite: Suite,
    asked: Sequence[GoldQuestion],
    resources: Resources,
    context: Context,
    knowledge: Knowledge,
) -> Plan:
    thresholds = resources.evaluator.thresholds(context.strictness)
    judges = {
        "evaluator": resources.evaluator.fingerprint,
        "critic": resources.critic.fingerprint,
        "reader": resources.reader.fingerprint,
        "embedder": resources.embedder.fingerprint,
    }
    identity = Identity(
        suite=suite.name,
        systems=list(request.systems),
        model=request.model,
        seed=request.seed,
        k=request.k,
        questions=[one.id for one in asked],
        corpus=_contents(knowledge),
        context=context.model_dump(mode="json"),
        judges=judges,
        world=world_of(suite.outside),
    )
    return Plan(
        identity=identity,
        documents=knowledge.corpus.status().documents,
        pages=len(suite.outside.pages) if suite.outside else 0,
        left=dict(suite.left),
        thresholds={**vars(thresholds), "passage": thresholds.readable},
    )


def _contents(knowledge: Knowledge) -> str:
    """Names the documents by their contents alone, so that a folder may stand elsewhere on another machine."""
    return hashlib.sha256("\n".join(sorted(knowledge.corpus.content_hashes().values())).encode()).hexdigest()[:12]
