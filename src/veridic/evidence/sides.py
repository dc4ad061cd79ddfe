"""What is told of each side where sources disagree: what it is called, of what kind it is, and its date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridic.ports.shapes import Citation, Conflict, Kind, Sentence

_KINDS: Mapping[Kind, tuple[str, str]] = {
    "human": ("document", "taken in"),
    "outside": ("outside source", "fetched"),
    "generated": ("learned", ""),
}
"""What each kind is called, and what was done on its date."""


def kind_and_date(one: Citation) -> str:
    """Of what kind a source is, and since when it is held: `document, taken in 2026-03-01`."""
    kind, done = _KINDS[one["kind"]]
    return f"{kind}, {' '.join(filter(None, (done, one['retrieved_at'][:10])))}"


def side(one: Citation) -> str:
    """A source by its title, else where it is, with kind and date."""
    return f"{' '.join((one['title'] or one['url']).split())} ({kind_and_date(one)})"


def disagreement_on(conflict: Conflict) -> str:
    """Both sides of a conflict, and whether one is the earlier."""
    told = f"{side(conflict['supporting'])} against {side(conflict['contradicting'])}"
    return f"{told}, which is of an earlier date" if conflict.get("superseded") else told


def disagreements(conflicts: Sequence[Conflict], found: Sequence[Sentence]) -> str:
    """A line for each two sources that disagree where one of them is cited."""
    cited = {one["document_id"] for sentence in found for one in sentence["citations"]}
    told = (
        disagreement_on(one)
        for one in conflicts
        if cited & {one["supporting"]["document_id"], one["contradicting"]["document_id"]}
    )
    return "\n".join(f"Sources disagree: {both}." for both in dict.fromkeys(told))
