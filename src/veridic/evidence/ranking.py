"""How useful candidates are, how they rank, and whether one is verified (Self-RAG's ISUSE and its weighted score)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, inf

from veridic.evidence.answering import QUOTING, agrees, composes, decides, declines, held, undecided_in
from veridic.evidence.evidence import holds
from veridic.evidence.grounding import bare_decision, is_supported, stands_in
from veridic.evidence.quoting import sentence_signs
from veridic.evidence.relevance import Told, relevance
from veridic.ports.judgements import DraftSigns, log_odds
from veridic.ports.shapes import Candidate, Objection, Passage, ReadAnswer, Sentence, Strip
from veridic.runtime.run import Run
from veridic.state import GraphState

_odds = partial(log_odds, least=0.05)
"""Log-odds, at most 3 from even: what a judge is surer of than 19 to 1 does not outweigh the others."""


def usefulness_of(judged: list[Candidate], strips: list[Strip], state: GraphState, run: Run) -> tuple[list[float], int]:
    """ISUSE: does what it says answer this question? With it the number of pairs judged.

    What was surely read is as useful as its reading is probable. Other text is judged under the heading of what it
    cites: by the evaluator what a chat model wrote, by the sifter what stands in the evidence as it is, and where
    anything was read by what was read in it and by its words, too. All that a document says is of use to a summary.
    """
    if state["intent"] == "summary":
        return [1.0] * len(judged), 0
    readings = state["readings"]
    # a yes or no aside: its sentence has to answer, too
    sure = None if decides(readings) else min((one["probability"] for one in held(readings)), default=None)
    asked = [candidate for candidate in judged if sure is None or candidate["origin"] != "read"]
    found, pairs = _said_of(asked, strips, state, run)
    scores, quotable = iter(found), [score for one, score in zip(asked, found, strict=True) if one["origin"] in QUOTING]
    company = run.company(state["deadline"]) if asked and readings else 0
    useful = [
        sure
        if sure is not None and candidate["origin"] == "read"
        else _useful(candidate, next(scores), quotable, company, strips, state, run)
        for candidate in judged
    ]
    # a bare yes or no that was written is as useful as the sentence in which that is read
    read = next((use for one, use in zip(judged, useful, strict=True) if one["origin"] == "read"), 0.0)
    return [read if bare_decision(one["text"]) else use for one, use in zip(judged, useful, strict=True)], pairs


def _said_of(asked: list[Candidate], strips: list[Strip], state: GraphState, run: Run) -> tuple[list[float], int]:
    """P(it answers) of each text, by who judges texts of its origin; with it the number of pairs judged."""
    told = [Told(state["standalone"], _passage_of(candidate, strips), candidate["text"]) for candidate in asked]
    quotes = [candidate["origin"] in QUOTING for candidate in asked]
    found, pairs = dict[bool, Iterator[float]](), 0
    for kind, judge in ((True, run.sifter), (False, run.evaluator)):
        own = [one for one, quoting in zip(told, quotes, strict=True) if quoting is kind]
        useful = partial(judge.usefulness, deadline=state["deadline"])
        scores, count = relevance(own, useful, least=run.thresholds().strip)
        found[kind], pairs = iter(scores), pairs + count
    return [next(found[quoting]) for quoting in quotes], pairs


def _useful(
    candidate: Candidate,
    score: float,
    quotable: Sequence[float],
    company: int,
    strips: list[Strip],
    state: GraphState,
    run: Run,
) -> float:
    """How useful a text is that was not surely read.

    `score` is the judge's word on it, `quotable` that on every text that stands in the evidence as it is.
    """
    if candidate["origin"] not in QUOTING or not state["readings"]:
        return score
    passage = _passage_of(candidate, strips)
    if passage is None:
        return 0.0
    others = list(quotable)
    others.remove(score)
    signs = sentence_signs(
        state["standalone"],
        passage,
        candidate["text"],
        state["readings"],
        usefulness=score,
        others=others,
        company=company,
    )
    return run.reader.answering(signs)


def _cited(candidate: Candidate, strips: list[Strip]) -> list[Strip]:
    """The strips that hold what the candidate quotes."""
    quoted = [citation for sentence in candidate["sentences"] for citation in sentence["citations"]]
    return [strip for strip in strips if any(holds(strip, citation) for citation in quoted)]


def _passage_of(candidate: Candidate, strips: list[Strip]) -> Passage | None:
    return next((strip["passage"] for strip in _cited(candidate, strips)), None)


def ranked(candidate: Candidate, useful: float, strips: list[Strip], state: GraphState, run: Run) -> Candidate:
    """A candidate with its score, the weighted mean of relevance, support, usefulness and agreement; and P(right)."""
    cited = [strip["score"] or 0.0 for strip in _cited(candidate, strips)]
    weighed: Candidate = {
        **candidate,
        "usefulness": useful,
        "relevance": sum(cited) / len(cited) if cited else 0.0,
    }
    return decided(
        {**weighed, "score": run.method.score(weighed)},
        strips,
        state["readings"],
        run,
        summary=state["intent"] == "summary",
        understood=state["analysis"]["understood"],
    )


def best_of(candidates: list[Candidate], run: Run) -> list[Candidate]:
    """The candidates, those that hold first, then what a model wrote that follows instructions, then the likeliest.

    Where the method ranks by agreement, the most consistent stands before the likeliest. What declines to answer comes
    last.
    """
    by_agreement = run.method.ranks_by == "agreement"

    def order(one: Candidate) -> tuple[bool, bool, bool, float, float, float]:
        written = run.writes_well and one["origin"] == "chat" and one["objection"] != "declined"
        agreed = one["agreement"] if by_agreement else 0.0
        return one["holds"], written, not one["partial"], agreed, one["probability"] or 0.0, one["score"]

    return sorted(candidates, key=order, reverse=True)


def decided(
    candidate: Candidate,
    strips: list[Strip],
    readings: list[ReadAnswer],
    run: Run,
    *,
    summary: bool = False,
    understood: float = 1.0,
) -> Candidate:
    """A candidate with P(right), whether that verifies it, and what speaks most against one that is not verified.

    It is right where the question was understood and it answers that; `understood` is the probability of the first.
    What was read or stands in the evidence as it is, is as probable as it is useful. What a chat model wrote is decided
    by all signs together. A text that declines to answer is none. All that a document says may stand in its summary.
    """
    if declines(candidate):
        return {**candidate, "probability": 0.0, "answers": 0.0, "objection": "declined", "holds": False}
    quotes = candidate["origin"] in QUOTING
    if quotes:
        sure = answers = candidate["usefulness"]
        least = 0.0 if summary else _quoted_from(candidate, readings, run)
    elif not candidate["sentences"]:
        sure, answers, least = 0.0, 0.0, inf
    else:
        decision, signs = run.resources.decision, draft_signs(candidate, readings, strips)
        sure, answers = decision.probability(signs, capable=run.writes_well), decision.answering(signs)
        least = decision.verifies_from(run.context.strictness, signs)
    sure *= understood
    holds = sure >= least and (not quotes or is_supported(candidate))
    objection = None if holds else _objection(candidate, readings)
    return {**candidate, "probability": sure, "answers": answers, "objection": objection, "holds": holds}


def _quoted_from(candidate: Candidate, readings: list[ReadAnswer], run: Run) -> float:
    """P(right) from which a quoted text is verified: as what was read, or as a sentence without a sure short answer.

    A sentence is no yes and no no, and one that decides is as sure as the decision is. Where nothing reads it has to be
    useful, too.
    """
    strictness = run.context.strictness
    if not readings:
        return max(run.thresholds().abstention, run.reader.quoted(strictness, read=False))
    read = [run.reader.verified(one["kind"], strictness) for one in held(readings)]
    if candidate["origin"] == "read" and read and not decides(readings):
        return max(read)
    if undecided_in(readings):
        return inf
    decisive = [run.reader.verified("yes-no", strictness)] if decides(readings) else []
    return max(run.reader.quoted(strictness), *decisive, *(one["needed"] for one in readings))


def _objection(candidate: Candidate, readings: list[ReadAnswer]) -> Objection:
    """What speaks most against a candidate that is not verified."""
    if not is_supported(candidate):
        return "not supported"
    if composes(readings):
        return "not useful"
    if undecided_in(readings) and candidate["origin"] == "extractive":
        return "undecided"
    if candidate["origin"] == "chat" and not all(agrees(candidate["text"], one) for one in held(readings)):
        return "read otherwise"
    return "too unsure"


def draft_signs(candidate: Candidate, readings: Sequence[ReadAnswer], strips: Sequence[Strip]) -> DraftSigns:
    """The signs of a judged draft; the most probable reading is the one that it is held against."""
    found = candidate["sentences"]
    support = [_support_alone(one) for one in found] or [0.0]
    read = max(readings, key=lambda one: one["probability"], default=None)
    said = read is not None and bool(read["text"])
    alike = said and read is not None and agrees(candidate["text"], read)
    sure = _odds(read["probability"]) if read and said else 0.0
    return DraftSigns(
        least=_odds(min(support)),
        mean=_odds(sum(support) / len(support)),
        denied=_odds(max((one["contradiction"] or 0.0 for one in found), default=0.0)),
        doubtful=_doubtful(candidate),
        useful=_odds(candidate["usefulness"]),
        relevant=_odds(max((strip["score"] or 0.0 for strip in strips), default=0.0)),
        read_alike=sure if alike else 0.0,
        read_otherwise=sure if said and not alike else 0.0,
        alike=float(alike) - float(said and not alike),
        quoted=sum(stands_in(one["text"], strips) is not None for one in found) / max(1, len(found)),
        judged=min((one.get("weight", 0.0) for one in found if not one.get("quoted")), default=0.0),
    )


def _support_alone(sentence: Sentence) -> float:
    """P(a sentence is supported) without what a chat model said of it."""
    odds = log_odds(sentence["support"] or 0.0, least=1e-9) - sentence.get("weight", 0.0)
    return 1 / (1 + exp(-odds))


def _doubtful(candidate: Candidate) -> float:
    """The share of its characters that the critic marked."""
    marked = sum(end - start for one in candidate["sentences"] for start, end in one.get("doubtful", ()))
    return marked / max(1, sum(len(one["text"]) for one in candidate["sentences"]))
