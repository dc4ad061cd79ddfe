"""The graph that checks a text claim by claim, and how it is compiled."""

from typing import Any, Literal, cast

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Send

from veridic.context import Context
from veridic.graph import policies
from veridic.graph.builder import build_graph
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import System
from veridic.graph.wrapping import Around
from veridic.nodes.judge_claims import judge_claims
from veridic.nodes.look_up import look_up
from veridic.nodes.open_text import open_text
from veridic.nodes.report import report
from veridic.nodes.search_claims import BATCH, search_claims
from veridic.nodes.split_text import split_text
from veridic.ports.file_limits import CHECK_SECONDS, LONGEST_TEXT
from veridic.runtime.run import Resources
from veridic.state import CheckInput, CheckOutput, GraphState, LookUpTask

CheckGraph = CompiledStateGraph[GraphState, Context, CheckInput, CheckOutput]

SHORTEST_SENTENCE = 2
"""Characters of a sentence and of what parts it from the next, at least."""

STEPS_PER_BATCH = 6
"""search_claims, judge_claims, look_up, judge_claims, and failure handlers."""

STEPS_LIMIT = 16 + STEPS_PER_BATCH * (LONGEST_TEXT // (SHORTEST_SENTENCE * BATCH) + 1)
"""LangGraph's step limit: what the longest text takes, so that it never ends a run in silence."""


def route_after_search(state: GraphState, _context: Context) -> Literal["judge_claims", "finish"]:
    """A batch is judged; without one all is said, or the time is over."""
    return "judge_claims" if state["batch"] else "finish"


def route_after_verdicts(state: GraphState, _context: Context) -> list[Send] | Literal["search_claims"]:
    """A task for each claim and outside source that is to be asked; else the next batch."""
    return [Send("look_up", task) for task in state["look_ups"]] or "search_claims"


def check(around: Around) -> StateGraph[GraphState, Context, CheckInput, CheckOutput]:
    """Split a text into claims; search for a batch of them, judge it, look outside for what is open; report."""
    graph = StateGraph(GraphState, around.schema, input_schema=CheckInput, output_schema=CheckOutput)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("open_text", node(open_text))
    graph.add_node("split_text", node(split_text), error_handler=handler(policies.splitting_failed))
    graph.add_node("search_claims", node(search_claims), error_handler=handler(policies.knowledge_failed))
    graph.add_node("judge_claims", node(judge_claims), error_handler=handler(policies.critic_failed))
    graph.add_node(
        "look_up", node(look_up, LookUpTask), error_handler=handler(policies.look_up_failed("judge_claims"), LookUpTask)
    )
    graph.add_node("finish", node(report))

    graph.add_edge(START, "open_text")
    graph.add_edge("open_text", "split_text")
    graph.add_edge("split_text", "search_claims")
    graph.add_conditional_edges("search_claims", route(route_after_search), ["judge_claims", "finish"])
    graph.add_conditional_edges("judge_claims", route(route_after_verdicts), ["look_up", "search_claims"])
    graph.add_edge("look_up", "judge_claims")
    graph.add_edge("finish", END)
    return graph


CHECK = System(
    name="check",
    title="A text that someone else wrote, checked claim by claim",
    source="docs/decisions.md",
    build=check,
    choices={"time_budget": CHECK_SECONDS},
    steps=STEPS_LIMIT,
)


def check_graph(resources: Resources | None = None, **handed: Any) -> CheckGraph:  # noqa: ANN401 - passed on
    """The compiled graph that takes `{"text": …}` and gives `{"report": CheckResult}`.

    What is handed in by name, and what is raised, is as `build_graph` has it. Outside sources are asked only where the
    run's `Context.sources` names them.
    """
    graph: Any = build_graph(resources, system=CHECK, **handed)
    return cast("CheckGraph", graph)
