"""What happens while a question is answered, on a terminal: the step that runs, and what each step found."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.status import Status
from rich.text import Text

from veridic.cli.rendering import print_line
from veridic.cli.terminal import Terminal
from veridic.evidence.evidence import place_of
from veridic.exporting.views import Line, Span, short
from veridic.exporting.wording import ACTIONS, step
from veridic.ports.shapes import CORPUS, Action, Analysis, Passage, ReadAnswer, Strip
from veridic.state import Event

LEAVING = ("search", "look_up")
"""Steps that may ask outside."""


@contextmanager
def steps_shown(console: Terminal) -> Iterator[Callable[[Event], None]]:
    """Shows which step runs, until a draft is written, whose words stand in its place; nothing without a terminal."""
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(Text(told_step("analyze"), "dim")) as status:
        yield partial(_show, status)


def _show(status: Status, event: Event) -> None:
    if event["event"] == "step":
        status.update(Text(told_step(event["node"]), "dim"))
        status.start()
    elif event["event"] == "token":
        status.stop()


def told_step(node: str) -> str:
    """A step that begins: the node by which the documents of the graph call it, and what it does."""
    return f"→ {node}: {step(node)}"


class StepPrinter:
    """Prints the events of one run as they come: what each step found, once."""

    def __init__(self, console: Console) -> None:
        """Write to `console`."""
        self._console = console
        self._mid_line = False
        self._step = ""
        """A step that began and of which nothing was printed yet."""
        self._told = set[Line]()
        self._action: str | None = ""
        """What passages were judged to be, as it was said last."""

    def event(self, event: Event) -> None:
        """Print one item of the custom stream."""
        match event["event"]:
            case "step":
                self._begun(event["node"])
            case "analysis":
                if analysis := event.get("analysis"):
                    self._line(Span(f"  {_analysed(analysis)}"))
            case "documents":
                action = event.get("action")
                if self._new(map(_document, event.get("documents", []))) or action != self._action:
                    told = Span(f"  {action or 'not graded'}", "strong")
                    self._line(told, Span(f", {ACTIONS[action]}" if action else ""))
                self._action = action
            case "strips":
                self._new(map(_strip, event.get("strips", [])))
            case "readings":
                self._new(map(_reading, event.get("readings", [])))
            case "token":
                self._token(event)
            case "sentences" | "outcome":
                self._finish_line()

    def _begun(self, node: str) -> None:
        """A step is told once there is something to tell of it; what leaves the machine is told before."""
        self._finish_line()
        self._step = told_step(node)
        if node in LEAVING:
            self._tell_step()

    def _tell_step(self) -> None:
        begun, self._step = self._step, ""
        if begun:
            print_line(self._console, Span(begun, "quiet"))

    def _new(self, found: Iterator[Line]) -> bool:
        """Print those that were not printed before: a further attempt often finds the same. Whether there were any."""
        new = [line for line in found if line not in self._told]
        for line in new:
            self._line(*line)
        self._told.update(new)
        return bool(new)

    def _token(self, event: Event) -> None:
        if not self._mid_line:
            self._tell_step()
            self._console.print(Text(f"  draft {event.get('attempt', 0) + 1}: ", "dim italic"), end="")
        self._mid_line = True
        self._console.print(Text(event.get("text", ""), "dim italic"), end="")

    def _line(self, *spans: Span) -> None:
        self._finish_line()
        self._tell_step()
        print_line(self._console, *spans)

    def _finish_line(self) -> None:
        if self._mid_line:
            self._console.print()
        self._mid_line = False


def print_found(
    console: Console, found: Sequence[Passage], action: Action | None, strips: list[Strip], readings: list[ReadAnswer]
) -> None:
    """Print what a run found, kept and read."""
    printer = StepPrinter(console)
    printer.event({"event": "documents", "node": "log", "documents": list(found), "action": action})
    printer.event({"event": "strips", "node": "log", "strips": strips})
    printer.event({"event": "readings", "node": "log", "readings": readings})


def _document(one: Passage) -> Line:
    place = " · ".join(filter(None, (place_of(one), one["location"])))
    outside = "" if one["source"] == CORPUS else f" {one['source']}"
    return Span(f"  {_score(one['score'])} {place}"), Span(outside, "quiet")


def _strip(one: Strip) -> Line:
    mark = Span("  kept    ", "good") if one["kept"] else Span("  dropped ", "quiet")
    return mark, Span(f"{_score(one['score'])} "), Span(short(one["text"]), "quiet")


def _reading(one: ReadAnswer) -> Line:
    mark = Span("  read    ", "good") if one["holds"] else Span("  unsure  ", "quiet")
    other = one["runner_up"]
    beside = f" (next: {short(other['text'])} {other['probability']:.2f})" if other else ""
    said = Span(short(one["text"] or "nothing"), "strong")
    return mark, Span(f"{one['probability']:.2f} "), said, Span(beside, "quiet")


def _score(score: float | None) -> str:
    return "  - " if score is None else f"{score:.2f}"


def _analysed(analysis: Analysis) -> str:
    """An analysis in one line; one part and no year are not worth a word."""
    parts = f"{analysis['parts']} questions" if analysis["parts"] > 1 else ""
    need = f"needs evidence {analysis['need']:.2f}"
    passages = f"up to {analysis['passages']} passages"
    told = (f"asks {analysis['answer']}", need, ", ".join(analysis["years"]), parts, passages)
    return " · ".join(part for part in told if part)
