"""End a check: every claim with its verdict, in the order of the text, and what the text comes to."""

from collections.abc import Iterator

from veridic.evidence.checking import counts_of, outcome_of, undecided
from veridic.evidence.outcomes import CHANGED, judge_failed
from veridic.exporting.checks import reason_of
from veridic.exporting.results import source_report
from veridic.ports.shapes.checking import CHECK_VERSION, CheckedClaim, CheckResult, Unjudged
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def report(state: GraphState, run: Run) -> StateUpdate:
    """Write the report; where a judge failed, or the state was changed from outside, nothing counts as verified."""
    doubt = judge_failed(state) if run.untouched else CHANGED
    failed: Unjudged = "judge failed" if run.untouched else "changed"
    claims = list(_claims(state, failed if doubt else None))
    outcome = outcome_of(claims)
    limits = run.thresholds()
    told = CheckResult(
        schema_version=CHECK_VERSION,
        run_id=state["run_id"],
        text=state["text"],
        outcome=outcome,
        stopped_by=state["stopped_by"],
        reason=doubt or reason_of(outcome, claims),
        counts=counts_of(claims),
        claims=claims,
        conflicts=[] if doubt else state["conflicts"],
        flagged=state["flagged"],
        sources=source_report(state, run),
        failures=state["failures"],
        fingerprints={
            "critic": run.resources.critic.fingerprint,
            "detector": run.resources.detector.fingerprint,
            "embedder": run.resources.embedder.fingerprint,
        },
        thresholds={"support": limits.support, "contradiction": limits.contradiction},
        timings=state["timings"],
        usage=state["usage"],
    )
    return {"report": told}


def _claims(state: GraphState, doubt: Unjudged | None) -> Iterator[CheckedClaim]:
    """The claims of each sentence; those of which nothing was said, or nothing counts, as one."""
    checked: dict[int, list[CheckedClaim]] = {}
    for claim in state["checked"]:
        checked.setdefault(claim["sentence_start"], []).append(claim)
    for one in state["statements"]:
        said = [] if doubt else checked.get(one["start"], [])
        yield from said or [undecided(one, state["text"], one["reason"] or doubt or "no time")]
