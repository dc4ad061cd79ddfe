"""`veridic doctor`: what is installed, what can be used, and why not."""

import platform
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

import typer

from veridic.cli.holdings import KINDS
from veridic.cli.options import MODELS, with_options
from veridic.cli.saying import promised, say
from veridic.errors import StoreMissing, VeridicError
from veridic.settings import Settings, in_postgres

PACKAGES = ("veridic", "langgraph", "langchain-core", "onnxruntime", "faiss-cpu", "xllamacpp")
OPTIONAL = ("torch", "sentence-transformers", "langgraph-cli", "langchain-anthropic")


class Finding(NamedTuple):
    """One line of the report."""

    part: str
    good: bool
    text: str
    doubtful: bool = False
    """Usable, and yet something is to be done."""


@with_options(*MODELS)
def doctor(chosen: Settings) -> None:
    """Say what is installed, which models and sources are usable and why not, and the state of the index.

    Exit status 1 when something that the settings name cannot be used.
    """
    findings = list(examined(chosen))
    for one in findings:
        say(f"{('warn' if one.doubtful else 'ok  ') if one.good else 'BAD '} {one.part:<15} {one.text}")
    bad = [one.part for one in findings if not one.good]
    doubtful = [one.part for one in findings if one.good and one.doubtful]
    told = f"Cannot be used: {', '.join(bad)}." if bad else "All that is set can be used."
    say(told + (f" To be seen to: {', '.join(doubtful)}." if doubtful else ""))
    raise typer.Exit(1 if bad else 0)


def examined(chosen: Settings) -> Iterator[Finding]:
    """Examine every part; one that fails is reported and the rest is examined all the same."""
    from veridic.models.chat.by_name import describe_chat

    yield Finding("python", True, platform.python_version())
    for package in PACKAGES:
        found = _version(package)
        yield Finding(package, not found.endswith("not installed"), found)
    yield Finding("optional", True, ", ".join(map(_version, OPTIONAL)))
    yield _guarded("knowledge base", _knowledge, chosen)
    yield from _queue(chosen)
    yield _guarded("judges", _judges, chosen)
    yield _guarded("trial", _trial, chosen)
    yield from _grader(chosen)
    yield _guarded("reader", _reader, chosen)
    yield _guarded("verified", _promises, chosen)
    yield _guarded("detector", _detector, chosen)
    yield Finding("chat model", *describe_chat(chosen))
    yield from _sources(chosen)


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def _guarded(part: str, examine: Callable[[Settings], str], chosen: Settings) -> Finding:
    try:
        return Finding(part, True, examine(chosen))
    except VeridicError as error:
        return Finding(part, False, str(error))


def _knowledge(chosen: Settings) -> str:
    from veridic.knowledge.reviewing import LIVE
    from veridic.resources import held_knowledge_base

    try:
        corpus = held_knowledge_base(chosen).corpus
        status, (counts, _) = corpus.status(), corpus.counted()
    except StoreMissing:
        return f"none at {chosen.kb_shown} yet: run `veridic ingest PATH`"
    listed = [one for one in counts if one.kind != "generated" or one.status in LIVE]
    held = {kind: sum(one.documents for one in listed if one.kind == kind) for kind in KINDS}
    told = ", ".join(f"{number} {KINDS[kind]}" for kind, number in held.items() if number or kind == "human")
    return (
        f"{chosen.kb_shown}: {told}, {status.active_chunks} active chunks "
        f"({status.generated_chunks} generated), index {status.index}, "
        f"embedder {status.embedder or 'none yet'}"
        + ("" if held["human"] else ": run `veridic ingest PATH`")
        + (f"; asked is what is at {chosen.docs} alone" if chosen.docs else "")
    )


def _queue(chosen: Settings) -> Iterator[Finding]:
    """The queue of jobs, where the knowledge base has one that was used."""
    from veridic.api.queueing import queue_status
    from veridic.cli.jobs import told_counts

    if in_postgres(chosen.kb):
        with suppress(VeridicError):  # the line before says why
            counts = queue_status(limit=1, settings=chosen).counts
            stands = bool(counts.waiting) and not counts.workers
            mend = ": run `veridic worker`" if stands else ": see `veridic jobs list`" if counts.failed else ""
            yield Finding("queue", True, told_counts(counts) + mend, bool(mend))


def _judges(chosen: Settings) -> str:
    from veridic.models.by_settings import open_deciding
    from veridic.models.placed import judge_service

    evaluator, critic = open_deciding(chosen)
    evaluator.score([("Who?", "Nobody.")], deadline=float("inf"))
    points = evaluator.thresholds("normal")
    doubts = [name for name, judge in (("evaluator", evaluator), ("critic", critic)) if not judge.gates]
    gates = f"{' and '.join(doubts)} too weak to gate" if doubts else "both gate"
    there = f" at {judge_service(chosen).name}" if chosen.judges_at else ""
    return (
        f"{evaluator.fingerprint}{there}: {gates}; upper {points.upper:.2f}, lower {points.lower:.2f}, "
        f"strip {points.strip:.2f}, support {points.support:.2f}"
    )


def _trial(chosen: Settings) -> str:
    """What the trial found of the judges, as far as it was held; nothing is judged here."""
    from veridic.models.chat.by_name import grading_settings, open_chat
    from veridic.models.judges_by_name import better_chat, figures

    chat = open_chat(grading_settings(chosen) or chosen)
    told = [
        f"{one['judge']}: statements AUC {one['auc']:.2f} [{one['low']:.2f}, {one['high']:.2f}], accuracy "
        f"{one['accuracy']:.2f} of {one['pairs']}"
        for one in figures(chosen, chat).values()
    ]
    asked = chosen.judge is None and better_chat(chat, chosen) is not None
    more = [f"{chosen.model} is asked beside them"] if asked else []
    return "; ".join([*told, *more]) or "not held yet: run `veridic trial`"


def _grader(chosen: Settings) -> Iterator[Finding]:
    """The chat model that grades, if one does; the judges above then sift strips alone."""
    from veridic.models.chat.by_name import describe_chat, grading_settings

    if not (own := grading_settings(chosen)):
        return
    usable, text = describe_chat(own)
    try:
        doubt = _doubt_of(own) if usable else ""
    except VeridicError as error:  # the examples that it is to be shown
        yield Finding("grader", False, str(error))
    else:
        yield Finding("grader", usable, f"{text}{doubt}", bool(doubt))


def _doubt_of(own: Settings) -> str:
    """Why the chat model of these settings is not trusted as a judge; empty where it is."""
    from veridic.models.chat.by_name import is_trusted, open_chat
    from veridic.models.judges_by_name import chat_judge, trial_of

    if not is_trusted(own):
        return "; not to be trusted as a judge, its runs end unverified"
    found = trial_of(own).known(chat_judge(open_chat(own), own))
    if found is None:
        return f"; not tried as a judge, its runs end unverified until `veridic trial {own.model}` was run"
    return "" if found.passed else "; not to be trusted as a judge by its trial, its runs end unverified"


def _reader(chosen: Settings) -> str:
    from veridic.models.by_settings import open_reader

    reader = open_reader(chosen)
    reader.read([("Who?", "Nobody.")], deadline=float("inf"))
    gates = "gates" if reader.gates else "not calibrated for this model: its runs stay unverified"
    return f"{reader.fingerprint}: {gates}; AUC {reader.calibration.auc:.2f}, ECE {reader.calibration.ece:.2f}"


def _promises(chosen: Settings) -> str:
    """What *verified* promises of what the judges decide on."""
    from veridic.models.by_settings import open_decision, open_promised_reader

    deciding = (open_promised_reader(chosen), open_decision(chosen))
    return promised([one for judge in deciding for one in getattr(judge, "promises", ())])


def _detector(chosen: Settings) -> str:
    from veridic.models.by_settings import open_detector

    detector = open_detector(chosen)
    detector.orders(["Nobody."], deadline=float("inf"))
    return f"{detector.fingerprint}: text is left out from {detector.threshold:.2f}"


def _sources(chosen: Settings) -> Iterator[Finding]:
    from veridic.sources.registry import open_sources

    usable, unusable = open_sources(chosen)
    yield from (Finding(f"source {name}", True, "allowed and usable") for name in usable)
    yield from (Finding(f"source {name}", False, reason) for name, reason in unusable.items())
    if not chosen.sources:
        yield Finding("sources", True, "none allowed; nothing leaves this machine")
