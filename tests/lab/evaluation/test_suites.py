"""A suite asks nothing that the judges have seen, and its corpus lacks exactly what was taken away."""

from pathlib import Path

import pytest

from tests.lab.evaluation.data import asked_of, data_folder
from veridic.errors import UsageError
from veridic_lab.evaluation.questions import own_questions
from veridic_lab.evaluation.suites import Suite, open_suite
from veridic_lab.evaluation.unseen import FITTED, SPLIT_SETS, fitted_questions
from veridic_lab.training.pairs import held_out, normalised
from veridic_lab.training.splits import share_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return data_folder(tmp_path_factory.mktemp("data"), trained=tuple(asked_of("pubmedqa", i) for i in range(40)))


@pytest.fixture(scope="module")
def answers(folder: Path) -> Suite:
    return open_suite("answers", lambda: folder)


def test_trained_questions_are_not_asked(answers: Suite, folder: Path) -> None:
    asked = {one.key for one in answers.questions}
    assert asked
    trained = {normalised(asked_of("pubmedqa", i)) for i in range(40)}
    assert not {key for key in asked & trained if not held_out(key)}
    for one in answers.questions:
        assert one.set not in SPLIT_SETS or held_out(one.key, share_of(one.set))


def test_questions_that_fitted_the_thresholds_are_not_asked(answers: Suite, folder: Path) -> None:
    calibrated = set(fitted_questions(folder))
    assert FITTED < len(calibrated) <= 2 * FITTED
    assert not calibrated & {one.key for one in answers.questions}


def test_what_was_taken_away_is_gone_and_all_else_is_there(answers: Suite) -> None:
    held = {one.url for one in answers.documents}
    assert {one.missing for one in answers.questions} == {"", "removed", "near miss"}
    for one in answers.questions:
        if one.missing == "removed":
            assert not set(one.gold) & held
        else:
            assert set(one.gold) <= held


def test_questions_about_one_passage_have_one_group(answers: Suite) -> None:
    groups: dict[str, str] = {}
    for one in answers.questions:
        for passage in one.gold:
            assert groups.setdefault(passage, one.group) == one.group


def test_the_suite_says_how_many_questions_each_set_has_left(answers: Suite) -> None:
    assert set(answers.left) == {"nq_gold", "xquad_en", "hotpotqa", "2wiki", "pubmedqa", "clapnq", "mtrag"}
    for left in answers.left.values():
        assert left.all >= left.unseen >= left.usable
    assert answers.left["pubmedqa"].unseen < answers.left["pubmedqa"].all


def test_near_misses_have_no_answers(answers: Suite) -> None:
    misses = [one for one in answers.questions if one.missing == "near miss"]
    assert misses
    assert not any(one.answers or one.gold for one in misses)


def test_a_missing_training_file_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="VERIDIC_DATA"):
        open_suite("answers", lambda: tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"answers": ["x"]}', "no question"),
        ('{"question": "Who?", "answerable": true}', "has no answers"),
        ('{"question": "Who?", "answers": ["x"], "kind": "odd"}', "odd"),
        ('{"question": "   "}', "empty"),
        ('{"question": "Who?"', "not JSON"),
    ],
)
def test_a_wrong_line_of_ones_own_is_named(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"question": "When?", "answer": "1911"}\n' + line + "\n")
    with pytest.raises(UsageError, match=said) as refused:
        own_questions(file)
    assert ":2" in str(refused.value)


def test_ones_own_questions_tell_their_kind(tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    long = "one two three four five six seven eight nine ten eleven twelve"
    file.write_text(
        '{"question": "When?", "answer": "1911", "gold": "history.md"}\n{"question": "Is it?", "answers": ["No"]}\n'
        f'{{"question": "Why?", "answers": ["{long}"]}}\n{{"question": "Who knows?"}}\n'
    )
    found = own_questions(file)
    assert [one.kind for one in found] == ["short", "yes/no", "long", "short"]
    assert [one.answerable for one in found] == [True, True, True, False]
    assert found[0].gold == ("history.md",)
