"""What is told in conversations: chains of questions, some of which lean on those before.

Run from a checkout: `python -m veridic_lab.benchmarks.chains [--file FILE] [--model NAME | --scripted] [--show]`. A row
of the file is a conversation: its documents, and its turns with the answers that are accepted, and what belongs to
another row or person. `chains.jsonl` holds sixteen, which two hands wrote before anything was asked, and
`chains_worded.jsonl` sixteen by one more hand in two voices. Its turns also say how a capable model words the whole
question and the answer, which `--scripted` does. Each conversation has a knowledge base and a thread of its own. The
table is Markdown.
"""

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from veridic import Context
from veridic.graph.builder import build_graph
from veridic.ports.shapes import Result
from veridic.text.answers import tokens
from veridic_lab.benchmarks.asking import GIVEN, Row, holding, say
from veridic_lab.training.pairs import read_rows

ROWS = Path(__file__).with_name("chains.jsonl")
MARKS = (
    "right, verified",
    "right, flagged",
    "with others, verified",
    "with others, flagged",
    "asked back",
    "silent, rightly",
    "silent",
    "wrong, flagged",
    "wrong, verified",
)


def main() -> None:
    """Ask every turn, and count what is told to those that lean on earlier ones and to the others."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--file", type=Path, default=ROWS)
    options.add_argument("--model", default="extractive", help="As VERIDIC_MODEL takes it")
    options.add_argument("--scripted", action="store_true", help="A capable model that says what the rows word")
    options.add_argument("--show", action="store_true", help="Print what is told to every turn")
    chosen = options.parse_args()
    counted: Counter[tuple[str, str]] = Counter()
    for chain in read_rows(chosen.file):
        for turn, result in zip(chain["turns"], answers(chain, chosen.model, chosen.scripted), strict=True):
            said, kind = mark(turn, result), "follow-ups" if turn["follows"] else "others"
            counted[kind, said] += 1
            if chosen.show:
                told = " ".join(result["answer"].split())
                say(f"{said} | {chain['id']}: {turn['q']} | {result['standalone']} | {told[:200]}")
    say(f"| turns | number | {' | '.join(MARKS)} |", f"|{'---|' * (len(MARKS) + 2)}")
    for kind in ("others", "follow-ups"):
        counts = [counted[kind, one] for one in MARKS]
        say(f"| {kind} | {sum(counts)} | {' | '.join(map(str, counts))} |")


def answers(chain: Row, model: str, scripted: bool = False) -> list[Result]:
    """What is told to the turns of a conversation, one after another on one thread."""
    files = {document["name"]: document["text"] for document in chain["documents"]}
    with holding(files=files, model=model, says=capable(chain["turns"]) if scripted else None) as held:
        graph = build_graph(held.resources, checkpointer=InMemorySaver())
        thread: RunnableConfig = {"configurable": {"thread_id": chain["id"]}}
        return [graph.invoke({"question": turn["q"]}, thread, context=Context())["result"] for turn in chain["turns"]]


def capable(turns: list[Row]) -> Callable[[str], str]:
    """A writer that words a whole question as its row does, and its answer where the passages hold it."""
    whole: dict[str, str] = {turn["q"]: turn["standalone"] for turn in turns}
    asked = {turn["standalone"]: turn for turn in turns} | {turn["q"]: turn for turn in turns if not turn["follows"]}

    def says(prompt: str) -> str:
        shown, _, rest = prompt.rpartition("<question>")
        question = rest.partition("</question>")[0]
        if "</conversation>" in shown:
            return whole[question]
        if "<passage" not in shown:
            return ""
        holds = question in asked and says_any(asked[question]["gold"], shown)
        return str(asked[question]["draft"]) if holds else "I don't know."

    return says


def mark(turn: Row, result: Result) -> str:
    """What a result is worth: right is what gives an accepted answer; `with others` also what is another's."""
    short, told = result["short_answer"], f"{result['short_answer']} {result['answer']}"
    if result["outcome"] == "abstained":
        if result["answer"].endswith("?"):
            return "asked back"
        return "silent" if turn["gold"] else "silent, rightly"
    how = "verified" if result["outcome"] in GIVEN else "flagged"
    if not says_any(turn["gold"], told) or (short and says_any(turn["wrong"], short)):
        return f"wrong, {how}"
    alone = says_any(turn["gold"], short) if short else not says_any(turn["wrong"], told)
    return f"{'right' if alone else 'with others'}, {how}"


def says_any(these: list[str], told: str) -> bool:
    """Whether the words of any of these stand in what is told, case aside."""
    said = f" {' '.join(tokens(told))} "
    return any(f" {' '.join(tokens(one))} " in said for one in these)


if __name__ == "__main__":
    main()
