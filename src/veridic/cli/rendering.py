"""Answers and checks, on a terminal; what they say is in `veridic.exporting`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from veridic.cli.saying import say, warn
from veridic.evidence.telling import kind_and_date
from veridic.exporting import views
from veridic.exporting.citing import marked_plainly
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import CHECKED
from veridic.ports.shapes import Result

if TYPE_CHECKING:
    from veridic.exporting.checks import CheckView, ClaimView

STYLES: Mapping[views.Tone, str] = {
    "plain": "",
    "strong": "bold",
    "quiet": "dim",
    "good": "green",
    "doubt": "yellow",
    "bad": "red",
    "none": "cyan",
}
DOUBTED = frozenset(("partly", "contradicted", "unsupported"))
"""Verdicts that a conversation tells sentence by sentence."""
WIDTH = max(map(len, CHECKED.values()))


def print_line(console: Console, *spans: views.Span, wrap: bool = False) -> None:
    """Print a line; one that nobody copies may `wrap` between words, where a terminal is."""
    line = Text.assemble(*((text, STYLES[tone]) for text, tone in spans))
    console.print(line, soft_wrap=not (wrap and console.is_terminal))


def print_lines(console: Console, lines: Sequence[views.Line]) -> None:
    """Print lines, one under another, each in one."""
    for line in lines:
        print_line(console, *(views.Span(for_a_line(text), tone) for text, tone in line))


def print_result(console: Console, result: Result, *, whole: bool = True, verbose: bool = True) -> None:
    """Print an answer, what the evidence says of it, how far to trust it, and what was learned.

    Where it is not told `whole`, as in a conversation: with numbers for its places, of its sentences the doubted alone.
    Why it was not learned is told where `verbose`.
    """
    view = views.view_of(result)
    (_print_whole if whole else _print_numbered)(console, view)
    why = view.ended if result["outcome"] == "accepted" and not whole else view.why
    print_line(console, view.outcome, views.Span(f": {why}" if why else ""))
    print_lines(console, view.notes)
    learned = result["write_back"]
    if learned and (verbose or learned["record_id"]):
        print_line(console, views.Span(view.learned, "quiet"))
    if whole:
        print_line(console, views.Span(view.cost, "quiet"))


def print_quietly(result: Result) -> None:
    """Print the answer and its sources; what it is worth goes to standard error, so that a pipe gets them alone."""
    view = views.view_of(result)
    told = marked_plainly(result["answer"], result["sentences"])
    say("\n\n".join(filter(None, (told, "\n".join(map(for_a_line, view.places))))))
    if result["outcome"] != "abstained":
        warn(view.outcome.text + (f": {result['reason']}" if result["outcome"] == "unverified" else ""))
    for conflict in result["conflicts"]:
        against = conflict["contradicting"]
        warn(f"sources disagree: {against['title'] or against['url']}: “{against['quote']}”")


def print_sources(console: Console, result: Result) -> None:
    """Print what an answer rests on in full: each place, and the words that are quoted from it."""
    for number, source in enumerate(views.view_of(result).sources, start=1):
        print_line(console, views.Span(f"[{number}] {for_a_line(views.place_of(source))} ({kind_and_date(source)})"))
        print_line(console, views.Span(f"    “{source['quote']}”"), wrap=True)


def print_check(console: Console, view: "CheckView", *, quiet: bool) -> None:
    """Print the claims, where `quiet` those alone that are amiss, and the sum."""
    for claim in view.claims:
        if not quiet or claim.is_amiss:
            _print_claim(console, claim)
    print_lines(console, view.notes)
    print_line(console, view.outcome, views.Span(f" {for_a_line(view.told)}"))


def _print_whole(console: Console, view: views.AnswerView) -> None:
    print_line(console)
    _print_answer(console, view.result["answer"], led=bool(view.result["short_answer"]), tone="strong")
    print_line(console)
    for sentence in view.sentences:
        _print_sentence(console, sentence)


def _print_numbered(console: Console, view: views.AnswerView) -> None:
    if view.understood:
        print_line(console, views.Span(f"understood as: {for_a_line(view.understood)}", "quiet"))
    told = marked_plainly(view.result["answer"], view.result["sentences"])
    _print_answer(console, told, led=bool(view.result["short_answer"]), tone="plain")
    for sentence in view.sentences:
        if sentence.verdict in DOUBTED:
            print_line(console, views.SIGNS[sentence.verdict], views.Span(f" {sentence.verdict}: {sentence.text}"))
    for place in view.places:
        print_line(console, views.Span(for_a_line(place), "quiet"))


def _print_answer(console: Console, answer: str, *, led: bool, tone: views.Tone) -> None:
    """The answer; one that is `led` by a short one has that strong and the rest plain, another is as `tone` says."""
    head, _, rest = answer.partition("\n\n")
    spans = [views.Span(head, "strong"), views.Span(f"\n{rest}")] if led and rest else [views.Span(answer, tone)]
    print_line(console, *spans, wrap=True)


def _print_sentence(console: Console, one: views.SentenceView) -> None:
    print_line(console, views.SIGNS[one.verdict], views.Span(f" {one.text} "), views.Span(one.judged, "quiet"))
    for text in one.missing:
        print_line(console, views.Span(f"    {views.MISSING}", "doubt"), views.Span(text))
    for citation in one.citations:
        print_line(console, views.Span(f"    {for_a_line(views.place_of(citation))}"))
        if citation["quote"] != one.text:
            print_line(console, views.Span(f"    “{views.short(citation['quote'])}”", "quiet"))


def _print_claim(console: Console, one: "ClaimView") -> None:
    places = views.Span(f" {for_a_line('; '.join(one.places))}" if one.places else "", "quiet")
    why = views.Span(f" {one.why}" if one.why else "", "quiet")
    text = views.Span(f" {one.verdict.ljust(WIDTH)}  {for_a_line(views.short(one.text))}")
    print_line(console, one.sign, text, why, places)
    for words in one.missing:
        print_line(console, views.Span(f"{' ' * (WIDTH + 4)}{views.MISSING}", "doubt"), views.Span(for_a_line(words)))
    if one.nearest:
        print_line(console, views.Span(f"{' ' * (WIDTH + 4)}nearest: {for_a_line(one.nearest)}", "quiet"))
