"""Records and audits as text for people."""

from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from veridic.cli.columns import aligned, counted
from veridic.evidence.wording import STATUSES
from veridic.knowledge.reviewing import UNTELLING
from veridic.ports.shapes import Citation, Sentence
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from veridic.api.auditing import Audit
    from veridic.api.remembered import HeldRecord
    from veridic.knowledge.record_rows import RecordEvent


def told(held: "HeldRecord") -> str:
    """A record in a few lines, with the reason where it waits for review."""
    return "\n".join(_told(held))


def _told(held: "HeldRecord") -> "Iterator[str]":
    record = held.record
    if record is None:
        return
    status = STATUSES[record.status]
    until = f", until {when(record.expires_at)}" if record.expires_at and record.status == "probation" else ""
    confirmed = f", confirmed {counted(held.confirmed, 'time')}" if held.confirmed else ""
    yield f"{record.id}  {status}{until}{confirmed}  learned {when(record.written_at)}"
    yield f"  {for_a_line(record.question)}"
    yield f"  {for_a_line(answer_of(held))}"
    sources = dict.fromkeys(for_a_line(f"{one['title']} ({one['url']})") for one in record.sources if one["title"])
    yield f"  from {', '.join(sources) or 'a document that was removed'}"
    yield f"  run {for_a_line(record.run_id)}"
    if record.status in ("review", "rejected", "withdrawn") and held.events:
        yield f"  {status}: {for_a_line(_why(held))}"


def _why(held: "HeldRecord") -> str:
    """Why a record has its status: the reason of the last event that could have changed it."""
    telling = (one for one in reversed(held.events) if one.event not in UNTELLING)
    return next((one.reason for one in telling), "") or "no reason was given"


def answer_of(held: "HeldRecord") -> str:
    """The short answer, or the whole one, in one line."""
    return (held.record.short_answer if held.record else "") or " ".join(held.answer.split())


def shown(held: "HeldRecord") -> str:
    """A record whole."""
    return "\n".join(_shown(held))


def _shown(held: "HeldRecord") -> "Iterator[str]":
    record = held.record
    if record is None:
        yield f"{held.id} was removed; what became of it:"
    else:
        yield from aligned(_head(held))
        yield ""
        yield from (line for sentence in record.sentences for line in _sentence(sentence))
        if not record.sentences:
            yield from (held.answer, *map(_place, record.sources))
        yield ""
        yield from aligned([*_scores(record.scores, "measured"), *_scores(record.fingerprints, "judged by")])
        yield ""
    yield from aligned(map(_event, held.events))


def _head(held: "HeldRecord") -> list[tuple[str, str]]:
    record = held.record
    if record is None:
        return []
    scope = "the whole knowledge base" if record.scope is None else ", ".join(record.scope) or "nothing"
    return [
        ("record", record.id),
        ("run", record.run_id),
        ("status", STATUSES[record.status]),
        ("question", record.question),
        ("short answer", record.short_answer or "none"),
        ("asked of", scope),
        ("learned", when(record.written_at)),
        ("expires", when(record.expires_at) if record.expires_at and record.status == "probation" else "never"),
        ("confirmed", counted(held.confirmed, "time")),
    ]


def _scores(given: "dict[str, Any]", title: str) -> list[tuple[str, str, str]]:
    told_as = [f"{value:.3f}" if isinstance(value, float) else str(value) for value in given.values()]
    return [(title, name, value) for name, value in zip(given, told_as, strict=True)]


def _sentence(sentence: Sentence) -> "Iterator[str]":
    yield for_a_line(sentence["text"])
    yield from map(_place, sentence["citations"])


def _place(cited: Citation) -> str:
    """Where something stands, with the words that stand there."""
    quote = for_a_line(" ".join(cited["quote"].split()))
    place = f"{cited['url'] or cited['title']}, {cited['location']}, characters {cited['start']}-{cited['end']}"
    return (
        f'    {for_a_line(place)}: "{quote}"' if cited["quote"] else f"    {for_a_line(cited['document_id'])}, removed"
    )


def _event(event: "RecordEvent") -> tuple[str, ...]:
    by = f"run {event.run_id}" if event.run_id else ""
    return when(event.happened_at), event.event, event.status, " ".join(filter(None, (event.reason, by)))


def when(written: str) -> str:
    """A time in this machine's zone."""
    return datetime.fromisoformat(written).astimezone().strftime("%Y-%m-%d %H:%M")


def told_audit(done: "Audit") -> str:
    """What an audit did and what it says of write-back."""
    return "\n".join(_told_audit(done))


def _told_audit(done: "Audit") -> "Iterator[str]":
    audited = len(done.held) + len(done.failed)
    yield f"{counted(audited, 'record')} audited: {len(done.held)} held, {len(done.failed)} did not"
    if done.approved:
        yield f"  {counted(len(done.approved), 'record')} on probation became active"
    for one, found in done.failed.items():
        status = STATUSES[found.status] if found.status else "not settled"
        yield f"  {one}  {status}: {for_a_line(found.reason)}"
    if done.gone_with:
        yield f"  {counted(len(done.gone_with), 'record')} rested on these, and went with them"
    for one, why in done.unaudited.items():
        yield f"  {one}  not audited: {for_a_line(why)}"
    if done.left:
        yield f"  time is up: {counted(done.left, 'record')} not come to"
    if done.share is not None:
        low, high = done.bounds
        yield (
            f"no longer holds: {done.share:.3f} of {done.all_audited:,} audited so far; "
            f"at least {low:.3f} and at most {high:.3f} of all (95 %)"
        )
    if done.suspended:
        yield (
            f"Write-back is suspended: that is over {done.max_failing:g}. See to the records, then let it go on with "
            "`veridic memory audit --resume`."
        )


def audit_json(done: "Audit") -> dict[str, Any]:
    """An audit as a JSON document, with its estimate."""
    low, high = done.bounds
    return {**asdict(done), "share": done.share, "at_least": low, "at_most": high, "suspended": done.suspended}
