"""What the critic says of the sentences of a given text: each place's windows nearest to a claim are its premises.

Each sentence is judged whole, in one batch; the claims of those not supported whole in a second one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridic.evidence.checking import disagreements, settled, verdict_on, whole
from veridic.evidence.factuality import Bounds, Findings, Measured
from veridic.evidence.verdicts import Asserted, weighed_on
from veridic.ports.shapes import AtomicClaim, Conflict, Strip
from veridic.ports.shapes.checking import CheckedClaim, PlacedClaim, Statement
from veridic.runtime.run import Run

Places = Mapping[str, Sequence[Strip]]
"""The windows that each place has on a sentence."""


@dataclass(frozen=True)
class Judged:
    """The verdicts on each sentence's claims, where documents disagree, and how many pairs the critic was asked."""

    claims: list[list[CheckedClaim]]
    conflicts: list[Conflict]
    pairs: int


@dataclass(frozen=True)
class _Asked:
    """A claim, the sentence it is from, and the evidence on that."""

    claim: PlacedClaim
    statement: Statement
    places: Places


def judged(statements: Sequence[Statement], places: Sequence[Places], run: Run, *, deadline: float) -> Judged:
    """Judge every sentence by its places. Raises what `Critic.judge` raises."""
    thresholds = run.thresholds()
    limits = Bounds(thresholds.support, thresholds.contradiction)
    asked = [_Asked(whole(one), one, own) for one, own in zip(statements, places, strict=True)]
    measured, pairs = _measured(asked, run, deadline)
    first = _verdicts(asked, measured, limits)
    left_open = [one for one, verdict in zip(asked, first, strict=True) if verdict["verdict"] != "supported"]
    split = [_Asked(claim, one.statement, one.places) for one in left_open for claim in one.statement["claims"]]
    measured_parts, more = _measured(split, run, deadline)
    parts: dict[int, list[CheckedClaim]] = {}
    for part, verdict in zip(split, _verdicts(split, measured_parts, limits), strict=True):
        parts.setdefault(part.statement["start"], []).append(verdict)
    return Judged(
        claims=[settled(verdict, parts.get(verdict["sentence_start"], [])) for verdict in first],
        conflicts=[conflict for own in [*measured, *measured_parts] for conflict in disagreements(own, limits)],
        pairs=pairs + more,
    )


def _verdicts(asked: Sequence[_Asked], measured: Sequence[Sequence[Measured]], limits: Bounds) -> list[CheckedClaim]:
    return [verdict_on(one.claim, one.statement, own, limits) for one, own in zip(asked, measured, strict=True)]


def _measured(asked: Sequence[_Asked], run: Run, deadline: float) -> tuple[list[list[Measured]], int]:
    """For each claim what each place says of it, and the number of pairs judged."""
    found = [
        [Findings(AtomicClaim(text=text, sentence=text), place, list(strips)) for place, strips in one.places.items()]
        for one in asked
        for text in [one.claim["text"]]
    ]
    flat = [one for own in found for one in own]
    asserted = [Asserted(one.claim["text"], one.windows) for one in flat]
    weighed, pairs = weighed_on(asserted, run.critic, deadline)
    said = iter(weighed)
    return [[Measured(one, [], next(said)) for one in own] for own in found], pairs
