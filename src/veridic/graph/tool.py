"""The graph as a tool of another agent."""

from typing import Any, cast

from langchain_core.tools import BaseTool, StructuredTool, ToolException
from pydantic import BaseModel, Field

from veridic.context import Context
from veridic.errors import VeridicError
from veridic.exporting.citing import cited
from veridic.graph.builder import Graph, build_graph
from veridic.ports.shapes import Outcome, Result

DESCRIPTION = (
    "Answers a question from the documents, each sentence checked against them and cited; says so when they do not "
    "hold the answer. Ask one whole question that can be understood by itself."
)

NOTES: dict[Outcome, str] = {"abstained": "No answer", "unverified": "Not verified", "partial": "Not whole"}
"""What is said of an answer that is not simply one, before the reason."""


class Question(BaseModel):
    """What the tool takes."""

    question: str = Field(description="One whole question.")


def as_tool(
    graph: Graph | None = None, *, name: str = "veridic", description: str = DESCRIPTION, context: Context | None = None
) -> BaseTool:
    """A LangChain tool of one argument, `question`, over a graph; without one over `build_graph()`.

    It returns the text of the answer with its sources (see `told`), and as artifact the whole `Result`. An error of
    ours becomes its one line, marked as a failure of the tool. `context` holds for every call.
    """
    asked = graph if graph is not None else build_graph()

    def ask(question: str) -> tuple[str, Result]:
        try:
            return _answered(asked.invoke({"question": question}, context=context))
        except VeridicError as error:
            raise ToolException(str(error)) from error

    async def ask_later(question: str) -> tuple[str, Result]:
        try:
            return _answered(await asked.ainvoke({"question": question}, context=context))
        except VeridicError as error:
            raise ToolException(str(error)) from error

    return StructuredTool.from_function(
        func=ask,
        coroutine=ask_later,
        name=name,
        description=description,
        args_schema=Question,
        response_format="content_and_artifact",
        handle_tool_error=True,
    )


def told(result: Result) -> str:
    """In Markdown: the answer with numbered citations, why it is none or not verified, and the sources beneath."""
    note = NOTES.get(result["outcome"])
    return cited(result["answer"], result["sentences"], f"{note}: {result['reason']}" if note else "")


def _answered(state: dict[str, Any]) -> tuple[str, Result]:
    result = cast("Result", state["result"])
    return told(result), result
