"""What is drawn of each system is what its file says, edge by edge."""

import ast
import inspect
from collections.abc import Iterator

import pytest

from veridic.graph.checking import CHECK
from veridic.graph.systems import SYSTEMS
from veridic.graph.systems.system import System
from veridic.graph.wrapping import Around
from veridic.resources import default_resources

ENDS = {"START": "__start__", "END": "__end__"}


def name_of(node: ast.expr) -> str:
    return ENDS[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)


def literal_edges(system: System) -> Iterator[tuple[str, str]]:
    """The edges as the builder's source has them."""
    for call in ast.walk(ast.parse(inspect.getsource(system.build))):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr == "add_edge":
            yield name_of(call.args[0]), name_of(call.args[1])
        elif call.func.attr == "add_conditional_edges":
            assert isinstance(call.args[2], ast.List)
            yield from ((name_of(call.args[0]), name_of(one)) for one in call.args[2].elts)


@pytest.mark.parametrize("system", [*SYSTEMS.values(), CHECK], ids=lambda system: system.name)
def test_the_drawn_graph_has_the_edges_of_its_file(system: System) -> None:
    drawn = system.build(Around(system, default_resources)).compile().get_graph().edges
    ours = {(edge.source, edge.target) for edge in drawn if not any("__error" in end for end in edge[:2])}
    assert ours == set(literal_edges(system))
