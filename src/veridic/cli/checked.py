"""What a person sees of a checked text, and of a result that was verified: a line for each claim, and a sum."""

from collections.abc import Sequence

from rich.markup import escape

from veridic.cli.columns import counted
from veridic.cli.terminal import Terminal
from veridic.evidence.checking import stating, told_counts
from veridic.evidence.wording import CHECKED, LEFT_OUT, UNJUDGED
from veridic.ports.shapes import Citation
from veridic.ports.shapes.checking import CheckedClaim, CheckResult, CheckVerdict
from veridic.ports.shapes.verifying import VerifiedClaim, VerifiedQuote, VerifyResult
from veridic.text.outgoing import for_a_line

MARKS: dict[CheckVerdict, str] = {
    "supported": "[green]✓[/]",
    "contradicted": "[red]✗[/]",
    "not_found": "[yellow]?[/]",
    "unverified": "·",
}
COLOURS: dict[CheckVerdict, str] = {
    "supported": "green",
    "contradicted": "red",
    "not_found": "yellow",
    "unverified": "yellow",
}
NO_CLAIM = "no claim"
WIDTH = max(map(len, CHECKED.values()))
SHOWN = 160
"""Characters of a claim that are shown."""


def print_check(result: CheckResult, *, quiet: bool) -> None:
    """Print the claims, those alone that are not supported when `quiet`, and the sum."""
    console = Terminal()
    for claim in result["claims"]:
        if claim["reason"] != "no words" and (not quiet or (claim["verdict"] != "supported" and stating([claim]))):
            console.print(_line(claim), soft_wrap=True)
    for conflict in result["conflicts"]:
        sides = " / ".join(_place(conflict[side]) for side in ("supporting", "contradicting"))
        console.print(f"[red]Sources disagree:[/] {_short(conflict['claim'])} [dim]{sides}[/]", soft_wrap=True)
    for flag in result["flagged"]:
        where = for_a_line(flag["title"])
        told = f"[yellow]{LEFT_OUT}:[/] {escape(where)} [dim]“{_short(flag['text'])}”[/]"
        console.print(told, soft_wrap=True)
    for gone in result["sources"]["unavailable"]:
        console.print(f"[yellow]{gone['source']} gave nothing: {escape(gone['reason'])}[/]", soft_wrap=True)
    _sum(console, result["outcome"], told_counts(result["claims"]), result["reason"])


def print_verified(result: VerifyResult, *, quiet: bool) -> None:
    """Print each claim with whether it holds and where its quotes stand, those that do not alone when `quiet`."""
    console = Terminal()
    for claim in result["claims"]:
        if not (quiet and claim["holds"]):
            console.print(_verified_line(claim), soft_wrap=True)
    holding = sum(claim["holds"] for claim in result["claims"])
    _sum(console, result["outcome"], f"{holding} of {counted(len(result['claims']), 'claim')} hold", result["reason"])


def _sum(console: Terminal, outcome: CheckVerdict, counts: str, reason: str) -> None:
    console.print(f"[{COLOURS[outcome]}]{CHECKED[outcome]}[/] ({counts}): {escape(for_a_line(reason))}", soft_wrap=True)


def _line(claim: CheckedClaim) -> str:
    why = f" [dim]({UNJUDGED[claim['reason']]})[/]" if claim["reason"] else ""
    places = f" [dim]{'; '.join(map(_place, claim['citations']))}[/]" if claim["citations"] else ""
    nearest = claim.get("nearest")
    near = f"\n{' ' * (WIDTH + 4)}[dim]nearest: “{_short(nearest['quote'])}” {_place(nearest)}[/]" if nearest else ""
    marked = _marked(claim["verdict"]) if stating([claim]) else f"  {NO_CLAIM.ljust(WIDTH)}"
    return f"{marked}  {_short(claim['text'])}{why}{places}{near}"


def _verified_line(claim: VerifiedClaim) -> str:
    holds = "[green]holds[/]" if claim["holds"] else f"[red]was {CHECKED[claim['stored']]}[/]"
    places = "; ".join(_quote_place(quote) for quote in claim["quotes"])
    return f"{_marked(claim['verdict'])}  {_short(claim['text'])} {holds}" + (f" [dim]{places}[/]" if places else "")


def _marked(verdict: CheckVerdict) -> str:
    return f"{MARKS[verdict]} {CHECKED[verdict].ljust(WIDTH)}"


def _quote_place(quote: VerifiedQuote) -> str:
    told = {"moved": f"moved to {quote['moved_to']}"}.get(quote["place"] or "", quote["place"])
    return _place(quote) + (f" [bold]{told}[/]" if told else "")


def _place(cited: Citation | VerifiedQuote) -> str:
    """Where a quote stands: the document, the place in it, and the characters."""
    where: Sequence[str] = (cited["url"] or cited["title"], cited["location"], f"{cited['start']}-{cited['end']}")
    return " · ".join(escape(for_a_line(part)) for part in where if part)


def _short(text: str) -> str:
    line = for_a_line(" ".join(text.split()))
    return escape(line if len(line) <= SHOWN else f"{line[:SHOWN]}…")
