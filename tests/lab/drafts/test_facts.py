"""Sheets of short facts: what is said of a passage stands in it, and what a hand is for is kept."""

import json

from veridic_lab.drafts.facts import FOLDER, Sheet, of_sheets, sheets
from veridic_lab.drafts.hands import ROLES, manifest


def test_every_hand_of_sheets_has_a_role_and_sheets_of_its_own() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(manifest(FOLDER))
    assert {"train", "fit"} <= set(manifest(FOLDER).values())
    for hand in manifest(FOLDER):
        lines = (FOLDER / f"{hand}.jsonl").read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["id"].partition("-")[0] for line in lines} == {hand}
    found = sheets(*ROLES)
    assert len(found) == len({one.key for one in found})


def test_what_answers_stands_in_its_section() -> None:
    for sheet in sheets(*ROLES):
        assert len(sheet.asked) > 1, sheet.key
        assert sheet.unanswered, sheet.key
        for fact in sheet.asked:
            assert fact.span in sheet.sections[fact.section].text, (sheet.key, fact.question)
            assert fact.span in sheet.document().text


def _sheet() -> Sheet:
    return next(one for one in sheets("train") if len(one.sections) > 1)


def test_a_passage_is_relevant_where_its_words_answer_and_else_is_not() -> None:
    examples = list(of_sheets([_sheet()] * 8))
    assert {one.relevant for one in examples} == {0, 1}
    for one in examples:
        assert one.reads
        assert (one.relevant == 1) is not (one.answered == 0)
        for start, end in one.answers:
            assert one.own[start:end] in {fact.span for fact in _sheet().asked}


def test_no_passage_that_does_not_answer_holds_the_words_that_do() -> None:
    spans = {fact.question: fact.span for fact in _sheet().asked}
    for one in of_sheets([_sheet()] * 8):
        assert one.relevant == 1 or one.question not in spans or spans[one.question] not in one.own
