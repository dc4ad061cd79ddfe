"""An answer with its sources: numbered citations in Markdown and on a terminal, and which sources disagree."""

from collections.abc import Sequence

from veridic.evidence.telling import disagreement_on
from veridic.exporting.outgoing import for_markdown, link
from veridic.ports.shapes import Citation, Conflict, Sentence


def cited(answer: str, found: Sequence[Sentence], *remarks: str) -> str:
    """In Markdown: an answer with numbered citations, what is remarked on it, and its sources beneath."""
    told = marked(answer, found)
    return numbered("\n\n".join(filter(None, (told, *map(for_markdown, remarks)))), found)


def numbered(markdown: str, found: Sequence[Sentence]) -> str:
    """An answer in Markdown with its sources beneath, numbered as chat front ends show them; they alone are links."""
    text, links = "", dict[int, str]()
    for number, one in enumerate(sources_of(found), start=1):
        named = [" ".join(one[part].split()) for part in ("title", "location", "url")]
        if told := link(named[-1]):
            named[-1] = ""
        text += f"\n[{number}] {' · '.join(filter(None, named))}"
        if told:
            links[len(text)] = f" · {told}"
        text += f": “{' '.join(one['quote'].split())}”"
    return f"{markdown}\n{for_markdown(text, links)}" if text else markdown


def marked(answer: str, found: Sequence[Sentence]) -> str:
    """In Markdown, with the numbers that `numbered` gives the sources behind each sentence: `… in 1932. [1][2]`."""
    return for_markdown(answer, _marks(found))


def marked_plainly(answer: str, found: Sequence[Sentence]) -> str:
    """The same for a terminal, where no markup acts."""
    told, at = "", 0
    for end, mark in sorted(_marks(found).items()):
        told += answer[at:end] + mark
        at = end
    return told + answer[at:]


def _marks(found: Sequence[Sentence]) -> dict[int, str]:
    """By the end of each sentence the numbers of the sources behind it."""
    sources = sources_of(found)
    numbered = ((one["end"], numbers_of(one, sources)) for one in found)
    return {end: " " + "".join(f"[{number}]" for number in numbers) for end, numbers in numbered if numbers}


def numbers_of(sentence: Sentence, sources: Sequence[Citation]) -> list[int]:
    """Which of the sources, from 1 on, a sentence rests on."""
    return [
        number
        for number, source in enumerate(sources, start=1)
        if any(rests_on(one, source) for one in sentence["citations"])
    ]


def sources_of(found: Sequence[Sentence]) -> list[Citation]:
    """What sentences rest on, each place once and none that lies within another, in the order of their first use."""
    cited = [one for part in found for one in part["citations"]]
    widest = [one for one in cited if not any(rests_on(one, other) and not rests_on(other, one) for other in cited)]
    return list({(one["document_id"], one["start"], one["end"]): one for one in widest}.values())


def rests_on(one: Citation, source: Citation) -> bool:
    """Whether a citation quotes what a source does, or a part of it."""
    same = one["document_id"] == source["document_id"]
    return same and source["start"] <= one["start"] and one["end"] <= source["end"]


def disagreements(conflicts: Sequence[Conflict], found: Sequence[Sentence]) -> str:
    """A line for each two sources that disagree where one of them is cited."""
    cited = {one["document_id"] for sentence in found for one in sentence["citations"]}
    told = (
        disagreement_on(one)
        for one in conflicts
        if cited & {one["supporting"]["document_id"], one["contradicting"]["document_id"]}
    )
    return "\n".join(f"Sources disagree: {both}." for both in dict.fromkeys(told))
