"""`veridic doctor`: what is installed, what can be used, and why not."""

import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import get_args

import typer

from veridic.cli.holdings import KINDS
from veridic.cli.options import BASE_URL, JUDGE, KB, MODEL, NAMESPACE, SOURCES, settings
from veridic.cli.saying import say
from veridic.errors import StoreMissing, VeridicError
from veridic.ports.shapes import SourceKind
from veridic.settings import Settings

PACKAGES = ("veridic", "langgraph", "langchain-core", "onnxruntime", "faiss-cpu", "xllamacpp")
OPTIONAL = ("torch", "sentence-transformers", "langgraph-cli", "langchain-anthropic")


MEASURES = (
    "ECE is how far the evaluator's probabilities are off, false correct the questions without an answer where it "
    "took a passage for one, false incorrect those with an answer where it saw none"
)


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    part: str
    good: bool
    text: str
    doubtful: bool = False
    """Usable, and yet something is to be done."""

    @property
    def mark(self) -> str:
        """How the line begins."""
        if not self.good:
            return "BAD "
        return "warn" if self.doubtful else "ok  "


def doctor(
    kb: KB = None,
    namespace: NAMESPACE = None,
    model: MODEL = None,
    base_url: BASE_URL = None,
    judge: JUDGE = None,
    sources: SOURCES = None,
) -> None:
    """Say what is installed, which models and sources are usable and why not, and the state of the index.

    Exit status 1 when something that the settings name cannot be used.
    """
    chosen = settings(kb=kb, namespace=namespace, model=model, base_url=base_url, judge=judge, sources=sources)
    findings = list(examined(chosen))
    for finding in findings:
        say(f"{finding.mark} {finding.part:<15} {finding.text}")
    say(_summed(findings))
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


def _summed(findings: Sequence[Finding]) -> str:
    """All of it in one line: what has to be seen to, by name."""
    bad = [finding.part for finding in findings if not finding.good]
    doubtful = [finding.part for finding in findings if finding.good and finding.doubtful]
    told = f"Cannot be used: {', '.join(bad)}." if bad else "All that is set can be used."
    return told + (f" To be seen to: {', '.join(doubtful)}." if doubtful else "")


def examined(chosen: Settings) -> Iterator[Finding]:
    """Examine every part; one that fails is reported and the rest is examined all the same."""
    yield Finding("python", True, platform.python_version())
    for package in PACKAGES:
        yield _package(package)
    yield Finding("optional", True, ", ".join(_version(package) for package in OPTIONAL))
    yield _guarded("knowledge base", lambda: _knowledge(chosen))
    yield _guarded("judges", lambda: _judges(chosen))
    yield _guarded("by source", lambda: _by_source(chosen))
    yield from _grader(chosen)
    yield _guarded("reader", lambda: _reader(chosen))
    yield _guarded("detector", lambda: _detector(chosen))
    yield _scores(chosen)
    yield _chat(chosen)
    yield from _sources(chosen)


def _package(name: str) -> Finding:
    found = _version(name)
    return Finding(name, not found.endswith("not installed"), found)


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def _guarded(part: str, examine: Callable[[], str]) -> Finding:
    try:
        return Finding(part, True, examine())
    except VeridicError as error:
        return Finding(part, False, str(error))


def _knowledge(chosen: Settings) -> str:
    from veridic.knowledge.reviewing import LIVE
    from veridic.resources import held_knowledge_base

    try:
        corpus = held_knowledge_base(chosen).corpus
        status, (counts, _) = corpus.status(), corpus.counted()
    except StoreMissing:
        return f"none at {chosen.kb} yet: run `veridic ingest PATH`"
    listed = [one for one in counts if one.kind != "generated" or one.status in LIVE]
    held = {kind: sum(one.documents for one in listed if one.kind == kind) for kind in KINDS}
    told = ", ".join(f"{number} {KINDS[kind]}" for kind, number in held.items() if number or kind == "human")
    return (
        f"{chosen.kb}: {told}, {status.active_chunks} active chunks "
        f"({status.generated_chunks} generated), index {status.index}, {status.search}, "
        f"embedder {status.embedder or 'none yet'}"
        + ("" if held["human"] else ": run `veridic ingest PATH`")
        + (f"; asked is what is at {chosen.docs} alone" if chosen.docs else "")
    )


def _judges(chosen: Settings) -> str:
    from veridic.models.by_settings import open_judges

    evaluator, critic = open_judges(chosen)
    evaluator.score([("Who?", "Nobody.")], deadline=float("inf"))
    points = evaluator.thresholds("normal")
    doubts = [name for name, judge in (("evaluator", evaluator), ("critic", critic)) if not judge.gates]
    gates = f"{' and '.join(doubts)} too weak to gate" if doubts else "both gate"
    return (
        f"{evaluator.fingerprint}: {gates}; upper {points.upper:.2f}, lower {points.lower:.2f}, "
        f"strip {points.strip:.2f}, support {points.support:.2f}"
    )


def _grader(chosen: Settings) -> Iterator[Finding]:
    """The chat model that grades, if one does; the judges above then sift strips alone."""
    from veridic.models.chat import describe_chat
    from veridic.models.chat.by_name import grading_settings
    from veridic.models.chat.described import is_trusted

    own = grading_settings(chosen)
    if own is None:
        return
    usable, text = describe_chat(own)
    doubtful = usable and is_trusted(own) is False
    doubt = "; not to be trusted as a judge, its runs end unverified" if doubtful else ""
    yield Finding("grader", usable, f"{text}{doubt}", doubtful=doubtful)


def _by_source(chosen: Settings) -> str:
    from veridic.models.by_settings import open_judges

    evaluator, _ = open_judges(chosen)
    known = evaluator.by_source
    told = [
        f"{kind} ({found['questions']} questions): ECE {found['ece']:.2f}, false correct {found['false_correct']:.1%}, "
        f"false incorrect {found['false_incorrect']:.1%}"
        for kind, found in known.items()
    ]
    missing = [kind for kind in get_args(SourceKind) if kind not in known]
    return "; ".join([*told, *([f"not measured: {', '.join(missing)}"] if missing else []), MEASURES])


def _detector(chosen: Settings) -> str:
    from veridic.models.by_settings import open_detector

    detector = open_detector(chosen)
    detector.orders(["Nobody."], deadline=float("inf"))
    return f"{detector.fingerprint}: text is left out from {detector.threshold:.2f}"


def _reader(chosen: Settings) -> str:
    from veridic.models.by_settings import open_reader

    reader = open_reader(chosen)
    reader.read([("Who?", "Nobody.")], deadline=float("inf"))
    gates = "gates" if reader.gates else "not calibrated for this model: its runs stay unverified"
    return f"{reader.fingerprint}: {gates}; AUC {reader.calibration.auc:.2f}, ECE {reader.calibration.ece:.2f}"


def _scores(chosen: Settings) -> Finding:
    from veridic.models.by_settings import open_judges
    from veridic.models.drift import LATELY, drift
    from veridic.resources import held_knowledge_base

    try:
        evaluator, _ = open_judges(chosen)
        found = drift(evaluator.calibration, held_knowledge_base(chosen).decisions.latest(LATELY))
    except StoreMissing:
        return Finding("scores", True, "no runs logged yet, too few to say whether they drift")
    except VeridicError as error:
        return Finding("scores", False, str(error))
    if not found.known:
        return Finding("scores", True, f"{found.runs} runs logged with these judges, too few to say whether they drift")
    text = (
        f"the best passages of your last {found.runs} runs are scored {found.distance:.2f} apart from those that the "
        f"evaluator was calibrated on (0: alike, 1: nothing in common; doubtful above {found.usual:.2f})"
    )
    if not found.drifted:
        return Finding("scores", True, text)
    todo = (
        "they have drifted: your questions or documents are of another kind, so that too much or too little may be "
        "told. Write down for 40 or more questions of your own which passage answers and which does not, and run "
        "`veridic calibrate evaluator` (docs/how-to/train.md)"
    )
    return Finding("scores", True, f"{text}; {todo}", doubtful=True)


def _chat(chosen: Settings) -> Finding:
    from veridic.models.chat import describe_chat

    return Finding("chat model", *describe_chat(chosen))


def _sources(chosen: Settings) -> Iterator[Finding]:
    from veridic.sources.registry import open_sources

    usable, unusable = open_sources(chosen)
    for name in usable:
        yield Finding(f"source {name}", True, "allowed and usable")
    for name, reason in unusable.items():
        yield Finding(f"source {name}", False, reason)
    if not chosen.sources:
        yield Finding("sources", True, "none allowed; nothing leaves this machine")
