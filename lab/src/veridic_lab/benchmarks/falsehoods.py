"""What systems make of true and false sentences that a capable writer says: verified, flagged, replaced, stored.

Run from a checkout: `python -m veridic_lab.benchmarks.falsehoods [--file FILE | --role ROLE] [--systems a,b]
[--limit N] [--show]`. The writer says of each question a faithful answer or one with an error, and nothing else: by
default the claims of `composite.jsonl`, one of whose three statements is false in every second one; with a role the
drafts of its hands, one a question, by turns true and false, twelve documents a knowledge base. Each system has a
knowledge base of its own and keeps what it learns while it is asked. `marked`: of the false ones that are given, how
many have a wrong word among those marked as doubtful.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridic.graph.builder import build_graph
from veridic.graph.systems import SYSTEMS
from veridic.ports.shapes import Result
from veridic.text.questions import proper_names
from veridic_lab.benchmarks.asking import GIVEN, holding, say
from veridic_lab.drafts.hands import Draft, Role, documents
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_name("composite.jsonl")
CHECKING = ("naive_write_back", "bidirectional_rag", "adaptive", "self_rag", "hybrid_self_rag", "veridic")
TOGETHER = 12
"""Documents of one knowledge base."""
BECAME = ("verified", "flagged", "replaced", "silent", "stored", "marked")


@dataclass(frozen=True)
class Said:
    """A question, what the writer says to it, and whether that is true."""

    question: str
    text: str
    wrong: str
    """The words that are false; empty: it is true."""


@dataclass(frozen=True)
class World:
    """Documents by name, and what is said about them."""

    files: dict[str, str]
    said: list[Said]


def main() -> None:
    """Print a row for each system and truth."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--role", help="Written drafts of the hands with this role, in place of a file")
    options.add_argument("--systems", default=",".join(CHECKING))
    options.add_argument("--limit", type=int, help="Questions, at most")
    options.add_argument("--show", action="store_true", help="Print the false ones that are verified or stored")
    told = options.parse_args()
    worlds = limited(of_role(told.role) if told.role else of_file(told.file), told.limit)
    say(f"| system | truth | said | {' | '.join(BECAME)} |", "|---" * (3 + len(BECAME)) + "|")
    for system in told.systems.split(","):
        found = [one for world in worlds for one in asked(world, system)]
        for false in (False, True):
            rows = [(said, result) for said, result in found if bool(said.wrong) == false]
            counted = Counter(name for said, result in rows for name in became(said, result))
            cells = " | ".join(str(counted[name]) for name in BECAME)
            say(f"| {system} | {'false' if false else 'true'} | {len(rows)} | {cells} |")
        for said, result in found:
            if told.show and said.wrong and {"verified", "stored"} & set(became(said, result)):
                say(f"  {result['outcome']}: {said.text} ({said.wrong})")


def limited(worlds: Iterable[World], limit: int | None) -> list[World]:
    """The worlds up to a number of questions; all where there is none."""
    chosen, left = list[World](), limit
    for world in worlds:
        if left == 0:
            break
        chosen.append(replace(world, said=world.said[:left]))
        left = None if left is None else left - len(chosen[-1].said)
    return chosen


def of_file(file: Path) -> Iterator[World]:
    """Claims of a file of documents and claims; each is about the first name of it that its document has."""
    rows = list(read_rows(file))
    texts = {row["document"]: row["text"] for row in rows if "document" in row}
    claims = [row for row in rows if "claim" in row and row["truth"] in ("true", "false")]
    yield World(
        {f"{name}.md": text for name, text in texts.items()},
        [
            Said(f"Who or what is {_subject(row['claim'], texts)}?", row["claim"], row.get("wrong", ""))
            for row in claims
        ],
    )


def _subject(claim: str, texts: dict[str, str]) -> str:
    """The longest name of a claim that one of the texts has as it is."""
    named = [name for name in proper_names(claim) if any(name in text for text in texts.values())]
    return max(named, key=len, default=claim)


def of_role(role: Role) -> Iterator[World]:
    """Drafts of the hands with a role, a question each, by turns true and false."""
    found = documents(role)
    for start in range(0, len(found), TOGETHER):
        together = found[start : start + TOGETHER]
        asked_of = [one for document in together for one in document.asked]
        chosen: list[Draft] = [one.drafts[at % 2] for at, one in enumerate(asked_of)]
        files = {f"{one.title}.md".replace("/", "-"): one.text for one in together}
        yield World(
            files, [Said(one.question, one.text, one.text[slice(*one.wrong)] if one.wrong else "") for one in chosen]
        )


def asked(world: World, system: str) -> Iterator[tuple[Said, Result]]:
    """Each question with the result of a system, whose writer says what it is to."""
    now: Sequence[str] = ("",)

    def says(prompt: str) -> str:
        return "" if "Already tried:" in prompt or "<sentences>" in prompt else now[0]

    with holding(files=world.files, says=says, write_back="active", own_kb=False) as held:
        graph = build_graph(held.resources, system=system)
        context = SYSTEMS[system].schema(sources=())
        for one in world.said:
            now = (one.text,)
            yield one, graph.invoke({"question": one.question}, context=context)["result"]


def became(said: Said, result: Result) -> Iterator[str]:
    """What became of it: names of `BECAME`."""
    write_back, told = result["write_back"], _tells(result["answer"], said)
    if result["outcome"] == "abstained":
        yield "silent"
    elif not told:
        yield "replaced"
    else:
        yield "verified" if result["outcome"] in GIVEN else "flagged"
    if write_back and write_back["written"] and told:
        yield "stored"
    marks = [one["text"][start:end] for one in result["sentences"] for start, end in one.get("doubtful", ())]
    if told and said.wrong and any(mark.strip() and (mark in said.wrong or said.wrong in mark) for mark in marks):
        yield "marked"


def _tells(answer: str, said: Said) -> bool:
    """Whether an answer tells what was said: of a false one the words that are false."""
    return (said.wrong or said.text) in answer


if __name__ == "__main__":
    main()
