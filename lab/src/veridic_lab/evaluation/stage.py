"""The step that lost what a missed question needed, or let pass what it did not."""

from __future__ import annotations

from typing import Literal, get_args

from veridic.evidence.answering import composes
from veridic.text.answers import holds_alias
from veridic_lab.evaluation.answers import is_right
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.outward import found_in
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.scores import Score

Stage = Literal["retrieval", "search", "evaluator", "strips", "reader", "generator", "critic"]
STAGES: tuple[Stage, ...] = get_args(Stage)


def stage_of(row: Row, score: Score) -> Stage:
    """The first step to blame for a question that was not handled well."""
    steps, result = row["measured"]["steps"], row["result"]
    if not score.question.answerable:
        return _let_pass(row)
    lost = _lost_before_writing(row, score.question) or _lost_in_reading(row, score.question)
    if lost:
        return lost
    written_right = any(is_right(one["text"], score.question) for one in result["candidates"])
    return "critic" if written_right and "critique" in steps else "generator"


def _let_pass(row: Row) -> Stage:
    """Who should have stopped an answer to what cannot be answered."""
    result = row["result"]
    if "critique" not in row["measured"]["steps"]:
        return "generator"
    if result["action"] == "correct":
        return "evaluator"
    return "reader" if any(one["holds"] for one in result.get("readings", ())) else "critic"


def _lost_in_reading(row: Row, question: GoldQuestion) -> Stage | None:
    """The reader, where it read something else or was not sure enough; None where the answer is composed."""
    readings = row["result"].get("readings", ())
    if composes(readings) or question.kind == "long":
        return None
    right = any(one["holds"] and is_right("", question, short=one["text"]) for one in readings)
    return None if right else "reader"


def _lost_before_writing(row: Row, question: GoldQuestion) -> Stage | None:
    """Where the evidence was lost; None when all of it was before the writer.

    Without gold passages, evidence is any text that holds an accepted answer.
    """
    result, gold = row["result"], set(question.gold)
    kept = [strip for strip in result["strips"] if strip["kept"]]
    answered_there = question.kind != "short" or any(holds_alias(strip["text"], question.answers) for strip in kept)
    if not gold:
        held = any(holds_alias(document["text"], question.answers) for document in result["documents"])
        return None if answered_there and kept else "strips" if held else "retrieval"
    found = {address for step in row["measured"]["retrieved"] for address in step}
    if not gold <= found | found_in(row):
        return _never_found(row)
    survived = {document["url"] for document in result["documents"]} | {
        one["passage"]["url"] for one in result["strips"]
    }
    if not gold <= survived:
        return "evaluator"
    stated = question.kind == "short" and any(
        holds_alias(document["text"], question.answers) for document in result["documents"] if document["url"] in gold
    )
    if not gold <= {strip["passage"]["url"] for strip in kept} or (stated and not answered_there):
        return "strips"
    return None


def _never_found(row: Row) -> Stage:
    """Who did not find it: the search outside, the evaluator that kept it from starting, else retrieval."""
    if "search" in row["measured"]["steps"]:
        return "search"
    kept_in = row["result"].get("sources", {}).get("allowed") and row["result"]["action"] == "correct"
    return "evaluator" if kept_in else "retrieval"
