"""Records and audits as text for people."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from veridic.cli.saying import aligned, when
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.knowledge.reviewing import UNTELLING, HeldRecord
from veridic.ports.shapes import Citation
from veridic.ports.shapes.learning import STATUSES

if TYPE_CHECKING:
    from veridic.api.auditing import Audit
    from veridic.knowledge.record_rows import Record


def told(held: HeldRecord) -> str:
    """A record in a few lines, with the reason where it waits for review."""
    record = held.record
    if record is None:
        return ""
    status, until = STATUSES[record.status], _until(record)
    confirmed = f", confirmed {counted(held.confirmed, 'time')}" if held.confirmed else ""
    ends = f", until {until}" if until else ""
    sources = dict.fromkeys(f"{one['title']} ({one['url']})" for one in record.sources if one["title"])
    lines = [
        record.question,
        record.short_answer or " ".join(held.answer.split()),
        f"from {', '.join(sources) or 'a document that was removed'}",
        f"run {record.run_id}",
    ]
    if record.status in ("review", "rejected", "withdrawn") and held.events:
        lines.append(f"{status}: {_why(held)}")
    head = f"{record.id}  {status}{ends}{confirmed}  learned {when(record.written_at)}"
    return "\n".join([head, *(f"  {for_a_line(line)}" for line in lines)])


def _until(record: "Record") -> str:
    """When a record on probation leaves; empty for any other."""
    return when(record.expires_at) if record.expires_at and record.status == "probation" else ""


def _why(held: HeldRecord) -> str:
    """Why a record has its status: the reason of the last event that could have changed it."""
    telling = (one for one in reversed(held.events) if one.event not in UNTELLING)
    return next((one.reason for one in telling), "") or "no reason was given"


def shown(held: HeldRecord) -> str:
    """A record whole, and what became of it."""
    above = _whole(held, held.record) if held.record else [f"{held.id} was removed; what became of it:"]
    events = [
        (when(one.happened_at), one.event, one.status,
         " ".join(filter(None, (one.reason, f"run {one.run_id}" if one.run_id else ""))))
        for one in held.events
    ]  # fmt: skip
    return "\n".join([*above, *aligned(events)])


def _whole(held: HeldRecord, record: "Record") -> Iterator[str]:
    scope = "the whole knowledge base" if record.scope is None else ", ".join(record.scope) or "nothing"
    yield from aligned(
        [
            ("record", record.id),
            ("run", record.run_id),
            ("status", STATUSES[record.status]),
            ("question", record.question),
            ("short answer", record.short_answer or "none"),
            ("asked of", scope),
            ("learned", when(record.written_at)),
            ("expires", _until(record) or "never"),
            ("confirmed", counted(held.confirmed, "time")),
        ]
    )
    yield ""
    for sentence in record.sentences:
        yield from (for_a_line(sentence["text"]), *map(_place, sentence["citations"]))
    if not record.sentences:
        yield from (held.answer, *map(_place, record.sources))
    yield ""
    yield from aligned([*_scores(record.scores, "measured"), *_scores(record.fingerprints, "judged by")])
    yield ""


def _scores(given: dict[str, Any], title: str) -> list[tuple[str, str, str]]:
    return [(title, name, f"{one:.3f}" if isinstance(one, float) else str(one)) for name, one in given.items()]


def _place(cited: Citation) -> str:
    """Where something stands, with the words that stand there."""
    if not cited["quote"]:
        return f"    {for_a_line(cited['document_id'])}, removed"
    place = f"{cited['url'] or cited['title']}, {cited['location']}, characters {cited['start']}-{cited['end']}"
    return f'    {for_a_line(place)}: "{for_a_line(" ".join(cited["quote"].split()))}"'


def told_audit(done: "Audit") -> Iterator[str]:
    """What an audit did and what it says of write-back, a line each."""
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
