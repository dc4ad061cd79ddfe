"""What a run may choose, and what is said of anything else: by itself, through a graph, as a server asks for one."""

import re
from types import SimpleNamespace
from typing import Any

import pytest
from langgraph.store.memory import InMemoryStore
from langgraph_sdk.runtime import _ExecutionRuntime, _ReadRuntime

from veridic.context import Context
from veridic.errors import InvalidSetting, NotAllowed
from veridic.graph.builder import build_graph
from veridic.graph.serving import graph_in, served

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"max_retrys": 1}, "A run has no choice 'max_retrys'. Did you mean max_retries?"),
    ({"kb": "/etc/passwd"}, "A run has no choice 'kb'. docs/settings.md lists them"),
    ({"api_key": "x"}, "A run has no choice 'api_key'."),
]
MOVED: list[tuple[dict[str, Any], str]] = [
    ({"upper": 0.9}, "upper is no choice of a run: it is a number of the method. Instead a run chooses `strictness`"),
    ({"beam": 4}, "Instead in Python build_graph(method=Method(beam=…))."),
]
OUT_OF_RANGE: list[tuple[dict[str, Any], str]] = [
    ({"max_retries": 99}, "max_retries: Input should be less than or equal to 5."),
    ({"sources": ["wikpedia"]}, "sources: there is no source 'wikpedia' (Did you mean wikipedia?)."),
]


@pytest.mark.parametrize(("given", "said"), WRONG + MOVED + OUT_OF_RANGE)
def test_what_is_no_choice_is_told_in_our_words(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        Context(**given)
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        build_graph(model="extractive").invoke({"question": "Hello!"}, context=given)  # type: ignore[arg-type]


@pytest.mark.parametrize(("given", "said"), WRONG + MOVED)
def test_a_server_hears_it_before_it_leaves_the_choice_out(given: dict[str, Any], said: str) -> None:
    runtime = _ExecutionRuntime(access_context="threads.create_run", store=InMemoryStore(), context={**given, "__x": 1})
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        served("veridic")(runtime)  # type: ignore[arg-type]


def test_a_server_is_given_the_graph_for_all_else() -> None:
    graph = graph_in(None, "veridic")
    for context in ({}, {"max_retries": 1, "thread_id": "1", "__event_streaming_v2": True}, None):
        runtime = _ExecutionRuntime(access_context="threads.create_run", store=InMemoryStore(), context=context)
        assert served("veridic")(runtime) is graph  # type: ignore[arg-type]
    assert served("veridic")(_ReadRuntime(access_context="assistants.read", store=InMemoryStore())) is graph


def test_a_caller_is_given_the_graph_of_its_namespace() -> None:
    """As Aegra knows a caller: with attributes, and no entries."""

    def given(**more: str) -> Any:
        user: Any = SimpleNamespace(identity="a", is_authenticated=True, **more)
        return served("veridic")(_ReadRuntime(access_context="assistants.read", store=InMemoryStore(), user=user))

    assert given(namespace="team") is graph_in("team", "veridic")
    with pytest.raises(NotAllowed, match="a `namespace`"):
        given()


def test_a_single_name_is_a_list_of_one() -> None:
    context = Context(scope="notes", sources="arxiv")  # type: ignore[arg-type]
    assert (context.scope, context.sources) == (("notes",), ("arxiv",))
