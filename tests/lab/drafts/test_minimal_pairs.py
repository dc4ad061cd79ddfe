"""Minimal pairs: both statements of each, for documents that train alone."""

import json
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic_lab.drafts.hands import documents
from veridic_lab.drafts.minimal_pairs import FOLDER, minimal_pairs, of_hand


def test_the_wrong_words_of_every_pair_stand_in_its_false_statement_and_both_share_a_premise() -> None:
    learned = documents("train")
    found = list(minimal_pairs(learned))
    assert len(found) >= 2 * 8_000
    for true, false in zip(found[::2], found[1::2], strict=True):
        assert (true.group, true.premise) == (false.group, false.premise)
        assert true.wrong is None
        assert true.label < false.label
        assert false.wrong
        assert false.own[slice(*false.wrong)].strip()
    assert {one.key for one in found} <= {one.key for one in learned}


def test_pairs_of_a_held_out_hand_are_refused(tmp_path: Path) -> None:
    [held] = documents("develop")[:1]
    pair = {"true": "It is so.", "false": "It is not so.", "error": "negation", "wrong": "not"}
    (tmp_path / f"{held.hand}.jsonl").write_text(json.dumps({"id": held.key, "pairs": [pair]}), encoding="utf-8")
    with pytest.raises(UsageError, match="develop"):
        list(minimal_pairs([held], tmp_path))


def test_a_hand_without_pairs_has_none() -> None:
    assert list(of_hand(FOLDER / "none.jsonl")) == []
