"""A conversation in the terminal, with the judges that ship: follow-ups, threads, commands, and what stops it."""

import io
import json
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLES, Outcome, Veridic
from veridic import add_to_thread, list_threads, thread_runs
from veridic.api.history import forget_runs, list_runs
from veridic.cli import conversation
from veridic.cli.terminal import ended
from veridic.errors import RunMissing, UsageError

FOUNDED = "When was the Halden Ridge Observatory founded?"
WHO = "Who founded it?"
MEANT = "understood as: Who founded the Halden Ridge?"
Talk = Callable[..., Outcome]


@pytest.fixture
def talk(ready: Veridic, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """`veridic chat` with lines that come through a pipe, of the shipped examples."""

    def through_pipe(lines: list[str], *words: str) -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return ready("chat", *words)

    return through_pipe


class Keyboard(io.StringIO):
    """A terminal to type at."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def typed(talk: Talk, veridic: Veridic, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """`veridic chat` with lines that are typed; an exception stands for the keys that raise it."""

    def at_terminal(lines: list[Any], *words: str) -> Outcome:
        left = iter([*lines, EOFError()])

        def line(_: str) -> str:
            given = next(left)
            if isinstance(given, BaseException):
                raise given
            return str(given)

        monkeypatch.setattr(sys, "stdin", Keyboard())
        monkeypatch.setattr("builtins.input", line)
        return veridic("chat", *words)

    return at_terminal


def test_a_follow_up_is_made_whole_and_what_was_understood_is_told(talk: Talk) -> None:
    shown = talk([FOUNDED, "", WHO])
    assert (shown.status, shown.err) == (0, "")
    first, second = shown.out.split(f"> {WHO}\n")
    assert first.startswith(f"> {FOUNDED}\n1911 [1]\nHalden Ridge Observatory was founded in 1911 by")
    assert f"[1] A short history of the observatory · line 5 · {EXAMPLES / 'history.md'}\n" in first
    assert "understood as" not in first
    assert second.startswith(f"{MEANT}\n")
    assert "Ingrid Solvang [1]" in second


@pytest.mark.usefixtures("verifying_judges")
def test_what_was_learned_is_told_as_ask_tells_it(talk: Talk, veridic: Veridic) -> None:
    first, second = talk([FOUNDED, "Who painted the Sistine Chapel?"]).out.split("> Who painted")
    [learned] = [line for line in first.splitlines() if "learned" in line]
    assert learned.startswith("learned: Stored (on probation). `veridic memory show gen-")
    assert "learned" not in second
    again = [talk([FOUNDED]).out, veridic("ask", FOUNDED).out]
    known = [[line for line in out.splitlines() if line.startswith("known: ")] for out in again]
    assert known[0] == known[1] != []


@pytest.mark.usefixtures("verifying_judges")
def test_where_no_more_can_be_learned_the_reason_and_the_mend_are_told_to_who_wants_to_know(
    talk: Talk, veridic: Veridic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_MAX_GENERATED", "0.01")
    [told] = [line for line in veridic("ask", "-v", FOUNDED).out.splitlines() if line.startswith("not learned: ")]
    assert "Too few documents to learn more" in told
    assert "limit of 0.010" in told
    assert "Ingest more, or raise VERIDIC_MAX_GENERATED." in told
    for out in (talk([FOUNDED]).out, veridic("ask", FOUNDED).out):
        assert "not learned" not in out


def test_a_thread_goes_on_after_the_process_has_ended(talk: Talk) -> None:
    talk([FOUNDED], "--thread", "ridge")
    assert MEANT in talk([WHO], "--thread", "ridge").out
    assert MEANT not in talk([WHO]).out
    assert [run.result["question"] for run in thread_runs("ridge")] == [FOUNDED, WHO]
    listed = talk([], "--list").out.splitlines()
    assert [line.split()[:2] for line in listed] == [["THREAD", "QUESTIONS"], ["ridge", "2"]]
    [told] = json.loads(talk([], "--list", "--json").out)
    assert (told["name"], told["runs"], told["last_question"]) == ("ridge", 2, WHO)


def test_threads_of_one_namespace_are_not_seen_in_another(talk: Talk, veridic: Veridic) -> None:
    talk([FOUNDED], "--thread", "ridge")
    theirs = ("--namespace", "theirs")
    assert MEANT not in talk([WHO], "--thread", "ridge", *theirs).out
    assert "ridge" in talk([], "--list", *theirs).out
    assert talk([], "--forget", "ridge", *theirs).status == 0
    assert [run.result["question"] for run in thread_runs("ridge")] == [FOUNDED]


def test_a_forgotten_thread_is_gone_with_its_runs(talk: Talk) -> None:
    talk([FOUNDED], "--thread", "ridge")
    talk([FOUNDED])
    assert talk([], "--forget", "ridge").out.startswith("1 run forgotten")
    assert (list_threads(), len(list_runs())) == ([], 1)
    again = talk([], "--forget", "ridge")
    assert (again.status, again.out, again.err.count("\n")) == (1, "", 1)
    assert talk([], "--thread", "a/b").status == 2


def test_the_words_of_a_removed_document_are_neither_shown_nor_gone_on_with(
    talk: Talk, typed: Talk, veridic: Veridic
) -> None:
    talk([FOUNDED, "Who directs it?"], "--thread", "ridge")
    veridic("remove", str(EXAMPLES / "history.md"))
    shown = typed(["/sources", "/export told.md"], "--thread", "ridge")
    assert "ridge: 2 questions so far. The last: Who directs it? (the words of a document" in shown.out
    assert "cites nothing" in shown.err
    told = Path("told.md").read_text()
    assert FOUNDED in told
    assert "Solvang" not in told + shown.out


@pytest.mark.usefixtures("verifying_judges")
def test_commands_are_about_the_last_answer(talk: Talk) -> None:
    shown = talk([FOUNDED, "/sources", "/up", "/correct 1912", "/export told.html", "/export told.html", "/help"])
    assert " · characters 48-201 · " in shown.out
    assert "(document, taken in " in shown.out
    assert "    “Halden Ridge Observatory was founded in 1911 by the astronomer Ingrid Solvang, who had" in shown.out
    assert "Kept: you said that the answer is right.\nThe answer that was learned: " in shown.out
    assert "Kept: you said what is right, “1912”.\nThe answer that was learned: waits for review" in shown.out
    assert "the same may be answered as before" in shown.out
    assert [run.said for run in list_runs()] == ["1912"]
    assert f"<title>{FOUNDED}</title>" in Path("told.html").read_text()
    assert "told.html is there already" in shown.err
    assert "/export FILE" in shown.out


def test_a_courtesy_is_not_what_commands_are_about(talk: Talk) -> None:
    shown = talk([FOUNDED, "thanks!", "/sources", "/up", "/new", "thanks!", "/up"])
    assert "not verified: No question was asked; no evidence was used." in shown.out
    assert "    “Halden Ridge Observatory was founded in 1911 by the astronomer Ingrid Solvang, who had" in shown.out
    assert [run.said for run in list_runs()] == ["", "", "up"]
    assert "Nothing has been answered yet in this conversation." in shown.err


def test_a_new_conversation_knows_nothing_of_the_last(talk: Talk) -> None:
    shown = talk([FOUNDED, "/new", WHO, "/quit", FOUNDED], "--thread", "ridge")
    assert "A new conversation; ridge stays as it is." in shown.out
    assert MEANT not in shown.out
    assert len(thread_runs("ridge")) == 1
    assert len(list_runs()) == 2


WRONG = {
    "/sources": "Nothing has been answered yet",
    "/down": "Nothing has been answered yet",
    "/correct": "/correct 1911",
    "/export": "/export answers.md",
    "/export x.pdf": ".html",
    "/export x.md": "Nothing has been answered yet",
    "/nothing at all": "/help",
    "/upp": "Did you mean /up?",
    "???": "not readable",
    "x" * 5000: "at most 4,000",
}
"""Lines, and what is said of them."""


def test_what_goes_wrong_is_one_line_and_the_conversation_goes_on(talk: Talk) -> None:
    shown = talk([*WRONG, "/help"])
    assert shown.status == 0
    for line, said in zip(shown.err.splitlines(), WRONG.values(), strict=True):
        assert line.startswith("veridic: ")
        assert said in line
    assert "/quit" in shown.out
    assert [path.name for path in Path.cwd().iterdir() if path.suffix in (".md", ".pdf")] == []


def test_a_path_is_no_command(talk: Talk) -> None:
    assert "no answer" in talk(["/etc/hosts says what?"]).out


def test_an_interrupt_stops_the_question_and_not_the_program(typed: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupts = iter([True, False])

    @contextmanager
    def interrupted(_: object) -> Iterator[Callable[[object], None]]:
        stops = next(interrupts)

        def shown(_: object) -> None:
            if stops:
                raise KeyboardInterrupt

        yield shown

    monkeypatch.setattr(conversation, "steps_shown", interrupted)
    shown = typed([KeyboardInterrupt(), FOUNDED, FOUNDED], "--thread", "ridge")
    assert shown.status == 0
    assert "stopped\n" in shown.out
    assert len(thread_runs("ridge")) == 1


def test_an_interrupt_ends_what_comes_through_a_pipe(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("veridic.cli.conversation.ended", interrupted)
    assert talk([FOUNDED, "/help"]).status == 130


def test_a_stopped_question_takes_no_further_step() -> None:
    taken, over = list[int](), list[bool]()

    def steps() -> Generator[tuple[str, object]]:
        try:
            for number in range(3):
                taken.append(number)
                yield "custom", {"event": "step", "node": "analyze"}
        finally:
            over.append(True)

    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ended(steps(), interrupted)
    assert (taken, over) == ([0], [True])


def test_only_what_is_logged_can_stand_on_a_thread(talk: Talk) -> None:
    talk([FOUNDED])
    [run] = list_runs()
    forget_runs(run.run_id)
    with pytest.raises(RunMissing):
        add_to_thread("ridge", run.run_id)
    with pytest.raises(UsageError):
        add_to_thread("../ridge", run.run_id)
