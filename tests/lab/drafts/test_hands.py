"""Written drafts: each hand has a role, and what is held out teaches nothing."""

import json
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic_lab.drafts.examples import bare_answers, decided, of_drafts, premise_for
from veridic_lab.drafts.hands import FOLDER, ROLES, Role, documents, manifest, may_be_learned_from


def test_every_hand_has_a_role_and_documents_of_its_own() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(manifest())
    for hand in manifest():
        lines = (FOLDER / f"{hand}.jsonl").read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["id"].partition("-")[0] for line in lines} == {hand}
    assert len(documents(*ROLES)) == len({one.key for one in documents(*ROLES)})


@pytest.mark.parametrize("role", sorted(set(manifest().values()) - {"train"}))
def test_what_a_held_out_hand_wrote_is_refused_where_something_learns(role: Role) -> None:
    held_out = documents(role)
    assert held_out
    for document in held_out:
        with pytest.raises(UsageError, match=role):
            may_be_learned_from([document.key])
    may_be_learned_from(document.key for document in documents("train"))


def test_a_hand_without_a_role_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    (tmp_path / "Z.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="'Z'"):
        documents("train", folder=tmp_path)


def test_spans_and_wrong_words_stand_where_they_are_said_to() -> None:
    found = documents(*ROLES)
    assert any(document.asked for document in found)
    for document in found:
        for asked in document.asked:
            assert asked.span in document.text or any(asked.span in text for text in document.texts), document.key
            assert [draft.true for draft in asked.drafts] == [True, False, False]


def test_a_false_draft_has_a_wrong_statement_and_a_true_one_none() -> None:
    found = list(of_drafts(documents("develop")[:20]))
    assert all(one.marked and len(one.premise.split()) <= 220 for one in found)
    for document in documents("develop")[:20]:
        for asked in document.asked:
            for draft in asked.drafts:
                assert any(one.wrong for one in draft.statements()) is not draft.true


def test_a_short_answer_stands_beside_one_that_is_not() -> None:
    said = [
        (asked, list(bare_answers(document, asked))) for document in documents("develop") for asked in document.asked
    ]
    polar = [(decided(asked), told) for asked, told in said if decided(asked) >= 0]
    assert len(polar) > 20
    for which, told in polar:
        assert [one.text for one in told if one.wrong is None] == [("Yes.", "No.")[which]]
    short = [(asked, told) for asked, told in said if decided(asked) < 0 and len(told) > 1]
    assert len(short) > 50
    for asked, told in short:
        assert [one.text for one in told if one.wrong is None] == [asked.answer]


def test_the_sentence_that_answers_is_in_the_premise() -> None:
    held = [
        asked.span in premise_for(f"{asked.drafts[0].text} {asked.question}", document).replace("\n", " ")
        for document in documents("develop")
        for asked in document.asked
        if asked.span and "\n" not in asked.span
    ]
    assert sum(held) / len(held) > 0.9
