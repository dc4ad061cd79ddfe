"""The compiled graph as one node of another graph; the channels they share are `question`, `answer` and `result`."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from veridic import Result, Settings, build_graph

DOCUMENTS = Path(__file__).parents[2] / "examples"


class Letter(TypedDict, total=False):
    """What the outer graph knows."""

    mail: str
    question: str
    answer: str
    result: Result
    reply: str


def read(letter: Letter) -> Letter:
    """Take the question out of the mail."""
    return {"question": letter["mail"].splitlines()[-1]}


def write(letter: Letter) -> Letter:
    """Answer it, or hand it on."""
    known = letter["result"]["outcome"] in ("accepted", "corrected")
    return {"reply": f"Dear guest, {letter['answer']}" if known else "Dear guest, a colleague will answer you."}


with TemporaryDirectory() as folder:
    settings = Settings.load(kb=f"{folder}/knowledge.sqlite", docs=str(DOCUMENTS), model="extractive")
    desk = StateGraph(Letter)
    desk.add_node("read", read)
    desk.add_node("veridic", build_graph(settings=settings))
    desk.add_node("write", write)
    desk.add_edge(START, "read")
    desk.add_edge("read", "veridic")
    desk.add_edge("veridic", "write")
    desk.add_edge("write", END)

    graph = desk.compile()
    for asked in ("Who founded the Halden Ridge Observatory?", "What does the planetarium's projector weigh?"):
        print(graph.invoke({"mail": f"Good morning!\n{asked}"})["reply"])
