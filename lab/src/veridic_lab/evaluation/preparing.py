"""From a request to a run that is ready to start: data, checks, documents, models, plan."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

from veridic.context import Context
from veridic.errors import UsageError
from veridic.knowledge.base import Knowledge
from veridic.resources import open_knowledge_base, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic_lab.evaluation.checks import check_evidence
from veridic_lab.evaluation.connected import check_outside, world_of
from veridic_lab.evaluation.corpus import (
    fill,
    missing_documents,
    seconds_to_fill,
    settings_for,
    texts_of,
    with_addresses,
)
from veridic_lab.evaluation.cost import ASKED, in_words
from veridic_lab.evaluation.grouping import divided
from veridic_lab.evaluation.measuring import Told
from veridic_lab.evaluation.plan import Choice, Identity, Plan, left_of, machine
from veridic_lab.evaluation.presets import STANDARD_RAG
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.request import Request
from veridic_lab.evaluation.sampling import drawn, with_fewer_documents
from veridic_lab.evaluation.scripted import ScriptedWriter, script, share_of
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import SUITES, open_suite
from veridic_lab.evaluation.tuning import LEAST, USUAL, given

DEVELOPMENT_QUESTIONS = 40
"""Development questions asked for each k, at most; half of the run's limit where that is less."""

DRY_DOCUMENTS = 100
"""Documents that stand for all in a dry run whose knowledge base is not made yet."""

Bar = Callable[[str], AbstractContextManager[Told]]


@dataclass(frozen=True)
class Bench:
    """A run that is ready to start: what is asked, and of whom."""

    suite: Suite
    asked: list[GoldQuestion]
    development: list[GoldQuestion]
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
    development, asked = _split(suite, request)
    if request.documents is not None:
        suite = with_fewer_documents(suite, [*asked, *development], request.documents)
    scripted = share_of(request.model)
    chosen = settings.model_copy(update={"model": "extractive" if scripted is not None else request.model})
    if request.dry:
        suite = _in_small(suite, [*development, *asked], chosen, request.out, say)
    own = settings_for(suite, chosen, request.out)
    knowledge = _filled(suite, own, say, bar)
    suite = with_addresses(suite, knowledge)
    named = {one.id: one for one in suite.questions}
    asked, development = [named[one.id] for one in asked], [named[one.id] for one in development]
    texts = texts_of(suite, knowledge)
    evidence = check_evidence(asked, texts)
    resources = open_resources(own)
    if scripted is not None:
        lines = script([*asked, *development], texts, share=scripted, seed=request.seed)
        resources = replace(resources, chat=ScriptedWriter(lines, scripted))
    context = context.model_copy(update={"write_back": False})
    plan = _planned(request, suite, asked, resources, context, knowledge, evidence)
    plan = plan.model_copy(update={"choice": _choice(request, development)})
    return Bench(suite, asked, development, resources, context, plan)


def _opened(request: Request, data: Callable[[], Path], say: Callable[[str], None]) -> Suite:
    if request.suite not in SUITES and request.folder is None:
        raise UsageError(
            f"{request.suite} names no suite ({', '.join(SUITES)}), and no documents were given.",
            "For questions of your own: veridic eval run questions.jsonl --docs FOLDER --out DIR.",
        )
    suite = open_suite(request.suite, data, request.folder)
    check_outside(suite, request.systems, request.faults)
    for name, left in suite.left.items():
        say(f"{name}: {left.all} questions, {left.unseen} that the judges have not seen, {left.usable} usable")
    return suite


def _split(suite: Suite, request: Request) -> tuple[list[GoldQuestion], list[GoldQuestion]]:
    """Development questions and those asked; one's own are set aside only where there are enough to choose on."""
    development, measured = divided(suite.questions)
    own = suite.folder is not None
    if own and (len(development) < LEAST or request.k or STANDARD_RAG not in request.systems):
        development, measured = [], list(suite.questions)
    few = max(LEAST, min(DEVELOPMENT_QUESTIONS, request.limit // 2))
    return drawn(development, few, request.seed), drawn(measured, request.limit, request.seed)


def _in_small(
    suite: Suite, asked: Sequence[GoldQuestion], settings: Settings, out: Path, say: Callable[[str], None]
) -> Suite:
    """For a dry run: what embedding all documents would take is said, and a few of them stand for all."""
    missing = _told_missing(suite, open_knowledge_base(settings_for(suite, settings, out)), say)
    return with_fewer_documents(suite, asked[:ASKED], DRY_DOCUMENTS) if missing else suite


def _told_missing(suite: Suite, knowledge: Knowledge, say: Callable[[str], None]) -> int:
    """How many documents are to be embedded; what that takes is said."""
    missing = missing_documents(suite, knowledge)
    if missing:
        seconds = seconds_to_fill(suite, missing, knowledge.corpus.embedder)
        say(f"{missing} documents to embed, once: about {in_words(seconds)}; kept in {knowledge.corpus.store.path}")
    return missing


def _filled(suite: Suite, settings: Settings, say: Callable[[str], None], bar: Bar) -> Knowledge:
    """The knowledge base with every document in it."""
    knowledge = open_knowledge_base(settings)
    if _told_missing(suite, knowledge, say) or suite.folder:
        with bar("Ingesting") as told:
            fill(suite, settings, told)
    return knowledge


def _choice(request: Request, development: Sequence[GoldQuestion]) -> Choice | None:
    if request.k:
        return given(request.k, "as given")
    if STANDARD_RAG not in request.systems:
        return given(USUAL, "not asked for")
    if len(development) < LEAST:
        return given(USUAL, f"the usual number; fewer than {LEAST} development questions to choose on")
    return None


def _planned(
    request: Request,
    suite: Suite,
    asked: Sequence[GoldQuestion],
    resources: Resources,
    context: Context,
    knowledge: Knowledge,
    evidence: float,
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
        questions=[one.id for one in asked],
        corpus=_contents(knowledge),
        context=context.model_dump(mode="json"),
        judges=judges,
        world=world_of(suite.outside, request.faults),
    )
    return Plan(
        identity=identity,
        documents=knowledge.corpus.status().documents,
        pages=len(suite.outside.pages) if suite.outside else 0,
        left=left_of(suite.left),
        evidence=round(evidence, 4),
        thresholds=dict(vars(thresholds)),
        machine=machine(resources.settings.threads),
    )


def _contents(knowledge: Knowledge) -> str:
    """Names the documents by their contents alone, so that a folder may stand elsewhere on another machine."""
    return hashlib.sha256("\n".join(sorted(knowledge.corpus.content_hashes().values())).encode()).hexdigest()[:12]
