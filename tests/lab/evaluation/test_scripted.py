"""The scripted writer: its falsehoods are false by construction, tagged, and as many as stated."""

import pytest

from tests.lab.evaluation.rows import question
from veridic.errors import UsageError
from veridic.ports.chat import Prompt
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.scripted import DECLINED, LEAD, ScriptedWriter, script, share_of

NAMES = "Anna Berg,Carl Dahl,Eva Fuchs,Gil Hall,Ida Jansen,Kim Lund,Mia Novak,Ola Popov".split(",")


def asked(number: int = 200) -> tuple[list[GoldQuestion], dict[str, str]]:
    people = [f"{NAMES[i % 8]} {chr(65 + i % 26)}{i}" for i in range(number)]
    questions = [question(f"q{i}", answers=[people[i]], gold=[f"d{i}"]) for i in range(number)]
    return questions, {f"d{i}": f"The bridge was opened by {people[i]} in May. It is long." for i in range(number)}


def test_no_share_no_falsehood() -> None:
    questions, texts = asked()
    for one, line in zip(questions, script(questions, texts, share=0, seed=1).values(), strict=True):
        assert line.planted == ""
        assert holds_alias(line.text, one.answers)
        assert line.text.startswith(LEAD)


def test_every_answer_can_be_false_and_none_holds_the_true_one() -> None:
    questions, texts = asked()
    for one, line in zip(questions, script(questions, texts, share=1, seed=1).values(), strict=True):
        assert line.planted == "entity"
        assert not holds_alias(line.text, one.answers)
        assert line.text.startswith(LEAD)


def test_the_share_is_about_what_was_stated_and_the_same_again() -> None:
    questions, texts = asked()
    lines = script(questions, texts, share=0.3, seed=1)
    assert 0.2 < sum(bool(line.planted) for line in lines.values()) / len(lines) < 0.4
    assert lines == script(questions, texts, share=0.3, seed=1)


def test_a_statement_is_a_sentence_that_can_stand_alone() -> None:
    texts = {"bridge": "Clara Voss\n\nShe was Clara Voss, the mayor. The Alder Bridge was opened by Clara Voss."}
    (line,) = script([question()], texts, share=0, seed=1).values()
    assert line.text == f"{LEAD}the Alder Bridge was opened by Clara Voss."


def test_a_swapped_name_brings_no_second_article() -> None:
    texts = {"bridge": "The play opened at the Globe in May 1599.", "tower": "It was shown at The Rose on Monday."}
    shown = question(answers=["Globe"]), question("2", answers=["The Rose"], gold=["tower"])
    assert script(shown, texts, share=1, seed=1)["q1"].text == f"{LEAD}the play opened at the Rose in May 1599."


def test_a_decision_is_turned_round() -> None:
    one = question(answers=["yes"], kind="yes/no")
    (line,) = script([one], {"bridge": "The bridge is open."}, share=1, seed=1).values()
    assert line.text.startswith("No.")
    assert line.planted == "decision"


def test_without_evidence_it_declines_or_tells_what_nothing_supports() -> None:
    removed, near = question("r", missing="removed"), question("n", missing="near miss", answers=(), gold=())
    texts = {"bridge": "The bridge was opened by Clara Voss."}
    honest = script([removed, near, question("x")], texts, share=0, seed=1)
    assert honest["r"].text == honest["n"].text == DECLINED
    lying = script([removed, near, question("x")], texts, share=1, seed=1)
    assert (lying["r"].planted, lying["n"].planted) == ("unfounded", "foreign")


def test_it_says_the_line_of_the_question_whose_turn_it_is() -> None:
    questions, texts = asked(3)
    writer = ScriptedWriter(script(questions, texts, share=0, seed=1), 0)
    writer.turn(questions[1])
    reply = writer.write(Prompt("", "<passages>…</passages>"), max_tokens=1, temperature=0, seed=0, deadline=0)
    assert holds_alias(reply.text, questions[1].answers)
    assert reply.finished


def test_the_writer_writes_answers_and_nothing_else() -> None:
    questions, texts = asked(3)
    writer = ScriptedWriter(script(questions, texts, share=0, seed=1), 0)
    writer.turn(questions[1])
    assert writer.write(Prompt("", "Already tried:"), max_tokens=1, temperature=0, seed=0, deadline=0).text == ""


@pytest.mark.parametrize(("model", "share"), [("scripted:0.3", 0.3), ("scripted", 0.0), ("embedded", None)])
def test_the_share_stands_in_the_models_name(model: str, share: float | None) -> None:
    assert share_of(model) == share


@pytest.mark.parametrize("model", ["scripted:2", "scripted:x", "scripted:-1"])
def test_a_share_that_is_none_is_refused(model: str) -> None:
    with pytest.raises(UsageError, match="share"):
        share_of(model)
