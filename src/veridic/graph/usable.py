"""What is wrong with an object that was handed in, said when it is given; each function raises `NotUsable`."""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langgraph.graph import StateGraph
from typing_extensions import get_protocol_members

from veridic import ports
from veridic.errors import NotUsable, nearest_of
from veridic.runtime.run import Resources
from veridic.settings import HUB_PREFIX, TEI_PREFIX

JUDGES: Mapping[str, type] = {
    "evaluator": ports.RetrievalEvaluator,
    "critic": ports.Critic,
    "reader": ports.Reader,
    "decision": ports.DraftDecision,
}
"""The judges that may be handed in, by name."""

OURS = ("resources", "system", "method", "settings", "model", "retriever", "judges")
"""What a graph is built with, beside the options of LangGraph's `compile`."""

MEANT: Mapping[str, str] = {
    **dict.fromkeys(("llm", "chat", "chat_model"), "model"),
    **dict.fromkeys(("vectorstore", "vector_store", "knowledge"), "retriever"),
    **dict.fromkeys(("evaluator", "critic", "reader", "judge"), "judges"),
    **dict.fromkeys(("kb", "path"), "store"),
    "memory": "checkpointer",
}
"""What is meant by names that others give to the same."""

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_ABSENT = object()


def look_at_options(given: Iterable[str]) -> None:
    """Names that LangGraph's `compile` takes; ours are told with them."""
    taken = [*list(inspect.signature(StateGraph.compile).parameters)[1:], *OURS]
    for name in given:
        if name not in taken:
            meant = nearest_of(MEANT.get(name, name), taken, f"There are {', '.join(sorted(taken))}.")
            raise NotUsable(f"A graph is built with no `{name}`.", meant)


def look_at_model(given: object) -> None:
    """A name, a LangChain chat model, or an object of our protocol."""
    if given is None or isinstance(given, BaseChatModel) or (isinstance(given, str) and given.strip()):
        return
    expected = "a model's name, a LangChain chat model, or an object with what `veridic.ports.ChatModel` has"
    _look_at("model", given, ports.ChatModel, expected)


def look_at_retriever(given: object) -> None:
    """A LangChain retriever, or anything that can be made one."""
    if given is None or isinstance(given, BaseRetriever):
        return
    if isinstance(given, type) or not callable(getattr(given, "as_retriever", None)):
        raise _unusable("retriever", given, ["no method `as_retriever`"], "a LangChain retriever or vector store")


def look_at_judges(given: object) -> None:
    """A mapping from the names of judges to names or objects of our ports."""
    if not isinstance(given, Mapping):
        raise _unusable("judges", given, [], 'a mapping, such as judges={"reader": …}')
    for part, judge in given.items():
        if part not in JUDGES:
            meant = nearest_of(str(part), JUDGES, f"There are {', '.join(JUDGES)}.")
            raise NotUsable(f"`judges` names {part!r}, and there is no such judge.", meant)
        if isinstance(judge, str) and judge.strip():
            _look_at_name(part, judge)
        elif judge is not None:
            expected = f"a name, or an object with what `veridic.ports.{JUDGES[part].__name__}` has"
            _look_at(f"judges[{part!r}]", judge, JUDGES[part], expected)


def look_at_store(given: object) -> None:
    """A path to a file, there or not."""
    if given is None:
        return
    expected = "a path to a knowledge base's file, or a LangGraph store (`langgraph.store.base.BaseStore`)"
    if not isinstance(given, str | os.PathLike) or not str(given).strip():
        raise _unusable("store", given, [], expected)
    if Path(given).expanduser().is_dir():
        raise NotUsable(f"`store` is a folder: {given}.", f"Give {expected}.")


def look_at_resources(given: object) -> None:
    """Resources; their parts were opened by us, or replaced by who knows the ports."""
    if not isinstance(given, Resources):
        raise _unusable("resources", given, [], "Resources; your own objects go in by name: model=…, retriever=…")


def _look_at_name(part: str, name: str) -> None:
    """A judge's folder, what may be the name of a model of the hub, or the address of one that is served."""
    if (Path(name) / "card.json").is_file() or name.startswith(TEI_PREFIX):
        return
    name = name.removeprefix(HUB_PREFIX)
    extra = all(find_spec(package) for package in ("transformers", "sentence_transformers"))
    if extra and (Path(name).is_dir() or _HUB_NAME.fullmatch(name)):
        return
    there = "a folder without a judge's card.json" if Path(name).is_dir() else "no folder that is there"
    hub = "" if extra else ", or a model's name after `pip install 'veridic[hf]'`"
    raise NotUsable(f"`judges[{part!r}]` is {name!r}, {there}.", f"Give the folder of an exported {part}{hub}.")


def _look_at(argument: str, given: object, protocol: type, expected: str) -> None:
    """Whether an object has what a protocol asks for. No attribute is evaluated: some load a model."""
    is_none = isinstance(given, type | str)
    members = () if is_none else sorted(get_protocol_members(protocol))
    lacking = [fault for name in members for fault in _faults(given, name, inspect.getattr_static(protocol, name))]
    if lacking or is_none:
        raise _unusable(argument, given, lacking, expected)


def _faults(given: object, name: str, asked: object) -> Iterator[str]:
    there = inspect.getattr_static(given, name, _ABSENT) is not _ABSENT
    if not there and not hasattr(type(given), "__getattr__"):  # one that makes attributes up may have it
        yield f"no {'method' if callable(asked) else 'attribute'} `{name}`"
    elif there and callable(asked):
        yield from _method_faults(getattr(given, name), asked, name)


def _method_faults(method: object, asked: Callable[..., Any], name: str) -> Iterator[str]:
    """A method that is none, that must be awaited, or that cannot be given by name what it will be given."""
    if not callable(method) or inspect.iscoroutinefunction(method):
        other = "one that must be awaited" if callable(method) else f"a {type(method).__name__} of this name"
        yield f"no method `{name}` (there is {other})"
        return
    try:
        taken = inspect.signature(method).parameters.values()
    except ValueError:  # built in C, without a signature
        return
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return
    by_name = {one.name for one in taken if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)}
    wanted = (one.name for one in inspect.signature(asked).parameters.values() if one.kind is one.KEYWORD_ONLY)
    yield from (f"no `{one}` among what its method `{name}` takes" for one in wanted if one not in by_name)


def _unusable(argument: str, given: object, lacking: list[str], expected: str) -> NotUsable:
    name = "blank text" if isinstance(given, str) and not given.strip() else type(given).__name__
    kind = f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"
    if isinstance(given, type):
        kind = f"the class {given.__name__}, not an object of it"
    lack = f": it has {', '.join(lacking)}" if lacking else ""
    return NotUsable(f"`{argument}` is {kind}{lack}.", f"Give {expected}.")
