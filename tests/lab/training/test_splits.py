"""Which labelled pairs are learned from, and which are held out."""

from __future__ import annotations

from pathlib import Path

from tests.lab.training.small_sets import READ, SHARED
from veridic_lab.drafts.hands import manifest
from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.sets import labelled_files
from veridic_lab.training.splits import focused, held_out_of, is_standard, is_test


def test_what_is_held_out_is_never_learned_from(data: Path) -> None:
    assert is_standard(data)
    found = held_out_of(data)
    for name, pairs in labelled_files(data).items():
        learned = {pair.key for pair in pairs if not is_test(name, pair)}
        assert not learned & {pair.key for pair in found[name]}
    clapnq = {name: found[name] for name in ("clapnq", "clapnq.grounded")}
    assert all(clapnq.values())


def test_questions_of_a_measured_set_are_not_trained_on(data: Path) -> None:
    asked = labelled_files(data)["qnli"]
    assert SHARED not in {pair.first for pair in asked}
    assert READ not in {pair.second for pair in asked}


def test_what_shares_a_claim_with_a_measured_set_is_not_trained_on(data: Path) -> None:
    assert not labelled_files(data)["fever_nli"], "its one claim is measured"
    assert labelled_files(data)["fool_me_twice"]


def test_statements_of_drafts_are_compared_on_of_a_hand_that_no_judge_learns_from(data: Path) -> None:
    found = held_out_of(data)["drafts"]
    assert {NLI_LABELS[pair.label] for pair in found} == {"entailment", "not_entailment"}
    assert {manifest()[pair.key.partition("-")[0]] for pair in found} == {"develop"}


def test_titles_stand_on_their_own_line(data: Path) -> None:
    found = held_out_of(data)["musique"]
    assert found
    assert all(pair.second.startswith("Tower\n") for pair in found)


def test_of_a_folder_of_pairs_the_sets_are_named_by_source_and_task(tmp_path: Path) -> None:
    rows = "".join(f'{{"query": "Where is tower {n}?", "passage": "Riga", "label": {n % 2}}}\n' for n in range(60))
    (tmp_path / "mine.jsonl").write_text(rows)
    assert not is_standard(tmp_path)
    [(name, pairs)] = held_out_of(tmp_path).items()
    assert name == "mine (relevance)"
    assert 0 < len(pairs) < 20


def test_of_a_long_text_the_nearest_piece_is_shown() -> None:
    filler = "Nothing of note was written here on any day of that long year. " * 40
    text = f"{filler}The tower is tall. {filler}"
    cut = focused(Pair("nli", text, "The tower is tall.", 0, "mnli", "a"))
    assert "The tower is tall." in cut.first
    assert len(cut.first.split()) < 200
    passage = focused(Pair("relevance", "How tall is the tower?", text, 1, "qnli", "a"))
    assert "The tower is tall." in passage.second
