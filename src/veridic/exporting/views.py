"""What is shown of a run, whatever the medium: its parts in order, each text with the tone in which it is told."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from veridic.evidence.telling import kind_and_date
from veridic.exporting.citing import numbers_of, rests_on, sources_of
from veridic.exporting.wording import LEFT_OUT, STANDINGS, STOPPED, counted, outcome_of
from veridic.ports.shapes import Citation, Conflict, FactReport, Flagged, Outcome, Result, Sentence, SourceReport
from veridic.text.answers import is_read_as
from veridic.text.sentences import unfenced

Tone = Literal["plain", "strong", "quiet", "good", "doubt", "bad", "none"]


class Span(NamedTuple):
    """Some text of a line."""

    text: str
    tone: Tone = "plain"


Line = Sequence[Span]
SIGNS: Mapping[str, Span] = {
    "supported": Span("✓", "good"),
    "partly": Span("~", "doubt"),
    "contradicted": Span("✗", "bad"),
    "unsupported": Span("?", "doubt"),
    "not_found": Span("?", "doubt"),
    "unverified": Span("·"),
}
"""Of a verdict on a sentence or claim."""
TONES: Mapping[Outcome, Tone] = {
    "accepted": "good",
    "corrected": "good",
    "partial": "doubt",
    "abstained": "none",
    "unverified": "doubt",
}
_STANDING: Mapping[str, Tone] = {"borne_out": "good", "contradicted": "bad", "open": "doubt"}
MISSING = "the evidence does not say: "
DISAGREE = "Sources disagree"
QUOTED = 160
"""Characters of a quotation that are shown."""


@dataclass(frozen=True)
class SentenceView:
    """A sentence with what the evidence says of it."""

    text: str
    verdict: str
    support: float | None
    quoted: bool
    numbers: Sequence[int]
    missing: Sequence[str]
    """What of it the evidence does not say."""
    citations: Sequence[Citation]
    """Its places; those of a short answer alone that no sentence behind it has."""

    @property
    def judged(self) -> str:
        """`supported 0.97`; what stands so in its source is quoted."""
        if self.quoted and self.verdict == "supported":
            return "quoted"
        return self.verdict if self.support is None else f"{self.verdict} {self.support:.2f}"


@dataclass(frozen=True)
class AnswerView:
    """One run as it is shown."""

    result: Result
    answered_at: str
    """To the minute, UTC."""
    sources: Sequence[Citation]
    """Source number n stands at n - 1."""
    sentences: Sequence[SentenceView]

    @property
    def places(self) -> list[str]:
        """A line for each place that sources are in, with their numbers: `[1][2] A short history · line 5`."""
        found = dict[str, str]()
        for number, source in enumerate(self.sources, start=1):
            place = source_of(source)
            found[place] = f"{found.get(place, '')}[{number}]"
        return [f"{numbers} {place}" for place, numbers in found.items()]

    @property
    def understood(self) -> str:
        """As what the question was understood; empty where that is what it says."""
        question, meant = self.result["question"], self.result["standalone"]
        return meant if is_read_as(question, meant) else ""

    @property
    def outcome(self) -> Span:
        """What the run came to, and how sure it is."""
        return Span(outcome_of(self.result), TONES[self.result["outcome"]])

    @property
    def why(self) -> str:
        """The reason, and what ended the run."""
        return " ".join(filter(None, (self.result["reason"], self.ended)))

    @property
    def ended(self) -> str:
        """By what the run was stopped; empty where by nothing."""
        return STOPPED[self.result["stopped_by"]] if self.result["stopped_by"] else ""

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What else there is to know of the run, name by name."""
        result = self.result
        told = [
            ("understood as", self.understood),
            ("asked", self.answered_at),
            ("system", result["system"]),
            ("run", result["run_id"]),
            ("asked outside", ", ".join(dict.fromkeys(sent["source"] for sent in result["sources"]["sent"]))),
            ("documents removed since", ", ".join(result.get("redacted", ()))),
        ]
        return [(name, text) for name, text in told if text]

    @property
    def notes(self) -> list[Line]:
        """What failed, disagrees, was left out, was looked up, and what left this machine."""
        result = self.result
        conflicts = [line for one in result["conflicts"] for line in conflict_lines(one)]
        facts = fact_lines(result["fact_report"]) if result["fact_report"] else ()
        return [*_failures(result), *_untold(result), *conflicts, *flagged_lines(result["flagged"]), *facts,
                *sent_lines(result["sources"])]  # fmt: skip

    @property
    def learned(self) -> str:
        """What became of the answer after it was given; empty where that was not asked."""
        told = self.result["write_back"]
        if not told:
            return ""
        if not told["record_id"]:
            return f"not learned: {told['reason']}"
        what = "learned" if told["written"] else "known"
        return f"{what}: {told['reason']} `veridic memory show {told['record_id']}`"

    @property
    def cost(self) -> str:
        """What the run consumed."""
        usage, grader = self.result["usage"], self.result["judges"]["grader"]
        tokens = usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
        graded = f" ({grader['calls']} to grade, {grader['seconds']:.2f} s)" if grader else ""
        return (
            f"{sum(self.result['timings'].values()):.2f} s; {counted(usage.get('calls', 0), 'call')} of a chat model"
            f"{graded}, {tokens} tokens; {counted(usage.get('judged_pairs', 0), 'pair')} of texts judged; "
            f"run {self.result['run_id']}"
        )


def view_of(result: Result, answered_at: datetime | None = None) -> AnswerView:
    """A result as it is shown; `answered_at` is now unless it is given."""
    sources = sources_of(result["sentences"])
    moment = (answered_at or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    placed = _placed_once(result["sentences"], result["short_answer"])
    sentences = [_sentence(*both, sources) for both in zip(result["sentences"], placed, strict=True)]
    return AnswerView(result, moment, sources, sentences)


def _sentence(one: Sentence, placed: Sentence, sources: Sequence[Citation]) -> SentenceView:
    missing = [one["text"][start:end] for start, end in one.get("doubtful", ())] if one["verdict"] == "partly" else []
    numbers = numbers_of(one, sources)
    quoted = one.get("quoted", False)
    return SentenceView(
        unfenced(one["text"]), one["verdict"], one["support"], quoted, numbers, missing, placed["citations"]
    )


def _placed_once(found: Sequence[Sentence], short: str) -> list[Sentence]:
    """The sentences; the short answer in front of them without the places that those behind it are cited with."""
    if len(found) < 2 or found[0]["text"] != short:
        return list(found)
    head, *rest = found
    behind = [one for part in rest for one in part["citations"]]
    own = [one for one in head["citations"] if not any(rests_on(one, other) for other in behind)]
    return [Sentence(**{**head, "citations": own}), *rest]


def _in_a_line(*parts: str) -> str:
    return " · ".join(" ".join(part.split()) for part in parts if part.strip())


def place_of(cited: Citation) -> str:
    """Where a quote stands: `A short history · line 5 · characters 48-201 · history.md (doc-2ab9)`."""
    at = f"characters {cited['start']}-{cited['end']}"
    return f"{_in_a_line(cited['title'], cited['location'], at, cited['url'])} ({cited['document_id']})"


def source_of(cited: Citation) -> str:
    """The same without offsets: `A short history · line 5 · history.md`."""
    return _in_a_line(cited["title"], cited["location"], cited["url"])


def position_of(cited: Citation) -> str:
    """In short, where one stands beside each claim of a text: `history.md · line 5 · 48-201`."""
    return _in_a_line(cited["url"] or cited["title"], cited["location"], f"{cited['start']}-{cited['end']}")


def short(text: str) -> str:
    """A quotation in one line, of a long one the beginning."""
    line = " ".join(text.split())
    return line if len(line) <= QUOTED else f"{line[:QUOTED]}…"


def conflict_lines(conflict: Conflict) -> Iterator[Line]:
    """What sources disagree on, and each side with its kind and date."""
    yield [Span(f"{DISAGREE}: ", "bad"), Span(" ".join(conflict["claim"].split()))]
    for name, one in (("for:    ", conflict["supporting"]), ("against:", conflict["contradicting"])):
        quote = Span(f"“{short(one['quote'])}”", "quiet")
        yield [Span(f"    {name} {place_of(one)} ({kind_and_date(one)}) "), quote]


def flagged_lines(flagged: Sequence[Flagged]) -> Iterator[Line]:
    """What of the evidence nobody read, because it gives orders."""
    for one in flagged:
        place = _in_a_line(one["title"], one["location"])
        yield [Span(f"{LEFT_OUT}: ", "doubt"), Span(f"{place} "), Span(f"“{short(one['text'])}”", "quiet")]


def sent_lines(sources: SourceReport) -> Iterator[Line]:
    """Every query that was put to an outside source, and what gave nothing or was no evidence."""
    for sent in sources["sent"]:
        yield [Span(f"sent to {sent['source']}: {sent['query']}", "quiet")]
    for gone in sources["unavailable"]:
        yield [Span(f"{gone['source']} gave nothing: {gone['reason']}", "doubt")]
    for page in sources["discarded"]:
        yield [Span(f"{page['source']}: {page['url']} discarded: {page['reason']}", "quiet")]


def fact_lines(report: FactReport) -> Iterator[Line]:
    """How the claims agree with outside, before and after, and how each stands now."""
    now = report["after"] or report
    before = f" (before it was written again: {report['fact_score'] or 0:.2f})" if report["after"] else ""
    places = ", ".join(f"{place} {score:.2f}" for place, score in now["by_source"].items())
    missing = f", nothing found for {now['missing']}" if now["missing"] else ""
    score = now["fact_score"]
    agreed = "no outside source was asked" if score is None else f"agreement with outside (FactScore) {score:.2f}"
    yield [Span(f"claims looked up once more: {agreed}{before} "), Span(places, "quiet"), Span(missing)]
    for claim in now["claims"]:
        standing = claim["standing"]
        yield [Span("  "), Span(STANDINGS[standing], _STANDING[standing]), Span(f" {' '.join(claim['text'].split())}")]
    for text in now["unchecked"]:
        yield [Span("  not checked ", "quiet"), Span(text)]


def _failures(result: Result) -> Iterator[Line]:
    """What failed and what to do, each once, with the steps in which it did."""
    told: dict[str, list[str]] = {}
    for failure in result["failures"]:
        told.setdefault(f"{failure['problem']} {failure['mend']}".strip(), []).append(failure["node"])
    for line, nodes in told.items():
        yield [Span(f"{', '.join(nodes)}: {line}", "doubt")]


def _untold(result: Result) -> Iterator[Line]:
    """Why nothing is told of what the chat model wrote, where another candidate is."""
    drafts = [one for one in result["candidates"] if one["origin"] == "chat"]
    written = [one["objection"] or "another ranks higher" for one in drafts]
    held = any(one["holds"] for one in result["candidates"])
    if held and written and not any(one["text"] in result["answer"] for one in drafts):
        yield [Span(f"what the chat model wrote is not told: {', '.join(dict.fromkeys(written))}", "quiet")]
