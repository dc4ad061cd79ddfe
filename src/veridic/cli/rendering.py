"""What a person sees while a question is answered."""

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from veridic.cli.columns import counted
from veridic.cli.steps import told_step
from veridic.evidence.code_blocks import unfenced
from veridic.evidence.evidence import place_of
from veridic.evidence.sides import kind_and_date
from veridic.evidence.telling import placed_once
from veridic.evidence.wording import ACTIONS, LEFT_OUT, STANDINGS, STOPPED, outcome_of
from veridic.ports.shapes import (
    CORPUS,
    Action,
    Analysis,
    Candidate,
    Citation,
    Conflict,
    FactReport,
    Failure,
    ReadAnswer,
    Result,
    Sentence,
    Strip,
    WriteBack,
)
from veridic.state import Event
from veridic.text.outgoing import for_a_line

MARKS = {
    "supported": "[green]✓[/]",
    "partly": "[yellow]~[/]",
    "contradicted": "[red]✗[/]",
    "unsupported": "[yellow]?[/]",
    "unverified": "·",
}
COLOURS = {"accepted": "green", "corrected": "green", "partial": "yellow", "abstained": "cyan", "unverified": "yellow"}
STANDING_COLOURS = {"borne_out": "green", "contradicted": "red", "open": "yellow"}

DISAGREE, EARLIER = "Sources disagree", "A source of an earlier date said otherwise"
LEAVING = ("search", "look_up")
"""Steps that may ask outside."""
QUOTED = 160
"""Characters of a quotation that are shown."""


class AnswerPrinter:
    """Prints the events of one run as they come, then the result."""

    def __init__(self, console: Console) -> None:
        """Write to `console`."""
        self._console = console
        self._mid_line = False
        self._step = ""
        """A step that began and of which nothing was printed yet."""
        self._told = set[str]()
        self._last = dict[str, str]()
        """By what it is said of: the line that was said last."""

    def event(self, event: Event) -> None:
        """Print one item of the custom stream."""
        match event["event"]:
            case "step":
                self._begun(event["node"])
            case "analysis":
                self._analysis(event)
            case "documents":
                self._documents(event)
            case "strips":
                self._strips(event.get("strips", []))
            case "readings":
                self._readings(event.get("readings", []))
            case "token":
                self._token(event)
            case "sentences" | "outcome":
                self._finish_line()

    def result(self, result: Result) -> None:
        """Print the verified answer, sentence by sentence, and what the run cost."""
        self._step = ""
        self._line("")
        self._answer(result)
        self._line("")
        for sentence in placed_once(result["sentences"], result["short_answer"]):
            self._sentence(sentence)
        self.outcome(result, result["reason"])
        self.notes(result)
        self.learned(result)
        self._line(f"[dim]{_costs(result)}[/]")

    def outcome(self, result: Result, reason: str) -> None:
        """Print what the run came to, with this reason if there is any, and what ended it."""
        ended = STOPPED[result["stopped_by"]] if result["stopped_by"] else ""
        why = ": " * bool(reason or ended) + escape(" ".join(filter(None, (reason, ended))))
        self._line(f"[{COLOURS[result['outcome']]}]{outcome_of(result)}[/]{why}")

    def learned(self, result: Result) -> None:
        """Print whether the answer was learned, and why not."""
        if result["write_back"]:
            self._line(f"[dim]{_learned(result['write_back'])}[/]")

    def notes(self, result: Result) -> None:
        """Print what else there is to know: what failed, disagrees, was left out, was looked up, and what left."""
        for told, nodes in _each_once(result["failures"]).items():
            self._line(f"[yellow]{', '.join(nodes)}: {escape(told)}[/]")
        self._untold(result["candidates"])
        for conflict in result["conflicts"]:
            self._conflict(conflict)
        for flag in result["flagged"]:
            place = " · ".join(escape(part) for part in (flag["title"], flag["location"]) if part)
            self._line(f"[yellow]{LEFT_OUT}:[/] {place} [dim]“{escape(_short(flag['text']))}”[/]")
        if result["fact_report"]:
            self._facts(result["fact_report"])
        self._sources(result)

    def _untold(self, candidates: Sequence[Candidate]) -> None:
        """Print why nothing is told of what the chat model wrote, where another candidate is."""
        told = next((one for one in candidates if one["holds"]), None)
        written = [one["objection"] or "another ranks higher" for one in candidates if one["origin"] == "chat"]
        if told and told["origin"] != "chat" and written:
            self._line(f"[dim]what the chat model wrote is not told: {', '.join(dict.fromkeys(written))}[/]")

    def _begun(self, node: str) -> None:
        """A step is told once there is something to tell of it; what leaves the machine is told before."""
        self._finish_line()
        self._step = told_step(node)
        if node in LEAVING:
            self._tell_step()

    def _tell_step(self) -> None:
        step, self._step = self._step, ""
        if step:
            self._console.print(step, soft_wrap=True)

    def _analysis(self, event: Event) -> None:
        if analysis := event.get("analysis"):
            self._line(f"  {_analysed(analysis)}")

    def _documents(self, event: Event) -> None:
        lines = []
        for document in event.get("documents", []):
            score = "  - " if document["score"] is None else f"{document['score']:.2f}"
            place = " · ".join(part for part in (place_of(document), document["location"]) if part)
            outside = "" if document["source"] == CORPUS else f" [dim]{escape(document['source'])}[/]"
            lines.append(f"  {score} {escape(place)}{outside}")
        new = self._new("documents", lines)
        self._unless_said("action", f"  {_judged(event.get('action'))}", again=new)

    def _strips(self, strips: list[Strip]) -> None:
        lines = []
        for strip in strips:
            score = "  - " if strip["score"] is None else f"{strip['score']:.2f}"
            mark = "[green]kept   [/]" if strip["kept"] else "[dim]dropped[/]"
            lines.append(f"  {mark} {score} [dim]{escape(_short(strip['text']))}[/]")
        self._new("strips", lines)

    def _readings(self, readings: list[ReadAnswer]) -> None:
        lines = []
        for reading in readings:
            mark = "[green]read   [/]" if reading["holds"] else "[dim]unsure [/]"
            said = reading["text"] or "nothing"
            other = reading["runner_up"]
            beside = f" [dim](next: {escape(_short(other['text']))} {other['probability']:.2f})[/]" if other else ""
            lines.append(f"  {mark} {reading['probability']:.2f} [bold]{escape(_short(said))}[/]{beside}")
        self._new("readings", lines)

    def _new(self, kind: str, lines: Sequence[str]) -> bool:
        """Print those that were not printed before: a further attempt often finds the same. Whether there were any."""
        new = [line for line in lines if line not in self._told]
        for line in new:
            self._line(line)
        known = len(lines) - len(new)
        self._unless_said(kind, f"  [dim]{known} as before[/]" if known else "", again=bool(new))
        self._told.update(new)
        return bool(new)

    def _unless_said(self, kind: str, line: str, *, again: bool) -> None:
        """Print a line if there is one, the last of its kind only where it has to be said `again`."""
        if line and (again or self._last.get(kind) != line):
            self._line(line)
        self._last[kind] = line

    def _answer(self, result: Result) -> None:
        """The short answer stands out; the sentences below it are plain."""
        short, _, rest = result["answer"].partition("\n\n")
        if result["short_answer"] and rest:
            self._line(f"[bold]{escape(short)}[/]\n{escape(rest)}")
        else:
            self._line(f"[bold]{escape(result['answer'])}[/]")

    def _token(self, event: Event) -> None:
        if not self._mid_line:
            self._tell_step()
            self._console.print(f"  [dim italic]draft {event.get('attempt', 0) + 1}:[/] ", end="")
        self._mid_line = True
        self._console.print(f"[dim italic]{escape(event.get('text', ''))}[/]", end="")

    def _sentence(self, sentence: Sentence) -> None:
        support = "" if sentence["support"] is None else f" [dim]{sentence['support']:.2f}[/]"
        verdict, text = sentence["verdict"], escape(unfenced(sentence["text"]))
        self._line(f"{MARKS[verdict]} {text} [dim]{verdict}[/]{support}")
        for claim in sentence["claims"]:
            if not claim["supported"]:
                self._line(f"    [yellow]the evidence does not say:[/] {escape(claim['text'])}")
        for citation in sentence["citations"]:
            self._line(f"    {_place(citation)}")
            if citation["quote"] != sentence["text"]:
                self._line(f"    [dim]“{escape(_short(citation['quote']))}”[/]")

    def _conflict(self, conflict: Conflict) -> None:
        colour, head = ("dim", EARLIER) if conflict.get("superseded") else ("red", DISAGREE)
        self._line(f"[{colour}]{head}:[/] {escape(conflict['claim'])}")
        for name, one in (("for:    ", conflict["supporting"]), ("against:", conflict["contradicting"])):
            told = f"{_place(one)} ({kind_and_date(one)})"
            self._line(f"    {name} {told} [dim]“{escape(_short(one['quote']))}”[/]")

    def _facts(self, report: FactReport) -> None:
        """The scores before and after, and the claims as they stand now."""
        now = report["after"] or report
        before = f" (before it was written again: {report['fact_score'] or 0:.2f})" if report["after"] else ""
        places = ", ".join(f"{escape(place)} {score:.2f}" for place, score in now["by_source"].items())
        missing = f", nothing found for {now['missing']}" if now["missing"] else ""
        score = now["fact_score"]
        agreed = "no outside source was asked" if score is None else f"agreement with outside (FactScore) {score:.2f}"
        self._line(f"claims looked up once more: {agreed}{before} [dim]{places}[/]{missing}")
        for claim in now["claims"]:
            standing = claim["standing"]
            self._line(f"  [{STANDING_COLOURS[standing]}]{STANDINGS[standing]}[/] {escape(claim['text'])}")
        for text in now["unchecked"]:
            self._line(f"  [dim]not checked[/] {escape(text)}")

    def _sources(self, result: Result) -> None:
        for sent in result["sources"]["sent"]:
            how = "not sent, known from" if sent["cached"] else "sent to"
            self._line(f"[dim]{how} {sent['source']}: {escape(sent['query'])}[/]")
        for gone in result["sources"]["unavailable"]:
            self._line(f"[yellow]{gone['source']} gave nothing: {escape(gone['reason'])}[/]")
        for page in result["sources"]["discarded"]:
            self._line(f"[dim]{page['source']}: {escape(page['url'])} discarded: {page['reason']}[/]")

    def _line(self, markup: str) -> None:
        self._finish_line()
        self._tell_step()
        self._console.print(markup, soft_wrap=True)

    def _finish_line(self) -> None:
        if self._mid_line:
            self._console.print()
        self._mid_line = False


def _each_once(failures: Sequence[Failure]) -> dict[str, list[str]]:
    """What failed and what to do, with the steps in which it did."""
    told: dict[str, list[str]] = {}
    for failure in failures:
        told.setdefault(f"{failure['problem']} {failure['mend']}".strip(), []).append(failure["node"])
    return told


def _judged(action: Action | None) -> str:
    """What the passages were judged to be, in words behind CRAG's own one."""
    return f"[bold]{action}[/], {ACTIONS[action]}" if action else "[bold]not graded[/]"


def _analysed(analysis: Analysis) -> str:
    """An analysis in one line; one part, one reading and no time are not worth a word."""
    times = {"any": "", "recent": "recent", "dated": ", ".join(analysis["years"])}
    parts = f"{analysis['parts']} questions" if analysis["parts"] > 1 else ""
    hops = f"{analysis['hops']} readings in a row" if analysis["hops"] > 1 else ""
    need = f"needs evidence {analysis['need']:.2f}"
    passages = f"up to {analysis['passages']} passages"
    told = (analysis["kind"], need, times[analysis["time"]], parts, hops, passages)
    return " · ".join(part for part in told if part)


def _place(citation: Citation) -> str:
    at = f"characters {citation['start']}-{citation['end']}"
    parts = [citation["title"], citation["location"], at, for_a_line(citation["url"])]
    where = " · ".join(escape(part) for part in parts if part)
    return f"{where} [dim]({escape(citation['document_id'])})[/]"


def _learned(told: WriteBack) -> str:
    """What became of the answer after it was given, in one line."""
    if not told["record_id"]:
        return f"not learned: {escape(told['reason'])}"
    what = "learned" if told["written"] else "known"
    return f"{what}: {escape(told['reason'])} `veridic memory show {told['record_id']}`"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else f"{line[:QUOTED]}…"


def _costs(result: Result) -> str:
    usage = result["usage"]
    tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
    grader = result["judges"]["grader"]
    graded = f" ({grader['calls']} to grade, {grader['seconds']:.2f} s)" if grader else ""
    calls = counted(usage.get("calls", 0), "call")
    return (
        f"{sum(result['timings'].values()):.2f} s; {calls} of a chat model{graded}, {tokens} tokens; "
        f"{counted(usage.get('judged_pairs', 0), 'pair')} of texts judged; run {result['run_id']}"
    )
