"""What a run came to, as the document that is given: the result of a state."""

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from veridic.protocols import Run
from veridic.shapes import (
    SCHEMA_VERSION,
    Judges,
    Outcome,
    Result,
    Sentence,
    SourceKind,
    SourceMeasure,
    SourceReport,
    Unavailable,
)
from veridic.state import GraphState
from veridic.support.source_kinds import source_kinds
from veridic.text.sentences import sentences


@runtime_checkable
class MeasuredBySource(Protocol):
    """An evaluator that knows on which kinds of source it was measured; any other was measured on none."""

    @property
    def by_source(self) -> Mapping[SourceKind, SourceMeasure]:
        """What its probabilities are worth on each kind."""
        ...


def unjudged(answer: str) -> list[Sentence]:
    """The sentences of an answer nobody judged."""
    return [
        Sentence(
            text=place.text,
            start=place.start,
            end=place.end,
            verdict="unverified",
            support=None,
            contradiction=None,
            citations=[],
            claims=[],
        )
        for place in sentences(answer)
    ]


def result_of(state: GraphState, run: Run, answer: str, outcome: Outcome, reason: str, found: list[Sentence]) -> Result:
    """Everything about the run, as it stands when the answer is given."""
    return Result(
        schema_version=SCHEMA_VERSION,
        run_id=state["run_id"],
        question=state["question"],
        standalone=state["standalone"],
        queries=state["queries"],
        answer=answer,
        short_answer="",
        answer_span=None,
        confidence=None,
        outcome=outcome,
        stopped_by=state["stopped_by"],
        reason=reason,
        analysis=state["analysis"],
        action=state["action"],
        retries=max(0, state["attempt"] - 1),
        sentences=found,
        documents=state["documents"],
        strips=state["strips"],
        readings=state["readings"],
        hops=[hop["reading"] for hop in state["hops"]],
        candidates=state["candidates"],
        conflicts=state["conflicts"],
        fact_report=state["fact_report"],
        sources=_sources(state, run),
        failures=state["failures"],
        write_back=None,
        judges=_judges(state, run),
        timings=state["timings"],
        usage=state["usage"],
    )


def _sources(state: GraphState, run: Run) -> SourceReport:
    used = {finding["source"] for finding in state["findings"]}
    used |= {one["source"] for one in state["looked_up"] if one["passages"] and one["source"] in run.resources.sources}
    unusable = [{"source": name, "reason": reason} for name, reason in run.resources.unusable.items()]
    return SourceReport(
        allowed=run.allowed_sources(),
        used=sorted(used),
        unavailable=_each_once([*state["unavailable"], *unusable]),  # type: ignore[list-item]
        sent=state["sent"],
        discarded=state["discarded"],
    )


def _each_once(gone: list[Unavailable]) -> list[Unavailable]:
    """A source may fail for several claims; it is named once a reason."""
    return list({(one["source"], one["reason"]): one for one in gone}.values())


def _judges(state: GraphState, run: Run) -> Judges:
    thresholds, evaluator = run.thresholds(), run.resources.evaluator
    measured = evaluator.by_source if isinstance(evaluator, MeasuredBySource) else {}
    return Judges(
        fingerprints={
            "evaluator": run.resources.evaluator.fingerprint,
            "critic": run.resources.critic.fingerprint,
            "reader": run.resources.reader.fingerprint,
            "embedder": run.resources.embedder.fingerprint,
        },
        thresholds={name: getattr(thresholds, name) for name in thresholds.__dataclass_fields__},
        sources={kind: measured.get(kind) for kind in source_kinds(state["documents"])},
    )
