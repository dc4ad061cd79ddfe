"""What is wrong with an object that was handed in, said when it is given; each function raises `NotUsable`."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langgraph.graph import StateGraph
from langgraph.store.base import BaseStore

from veridic import ports
from veridic.errors import NotUsable, nearest_of
from veridic.graph.conformance import lacking
from veridic.ports.chat import ChatModel
from veridic.runtime.run import Clock, Resources

JUDGES: Mapping[str, type] = {
    "evaluator": ports.RetrievalEvaluator,
    "critic": ports.Critic,
    "reader": ports.Reader,
}
"""The judges that may be handed in, by name."""

PARTS: Mapping[str, type] = {
    **JUDGES,
    "sifter": ports.RetrievalEvaluator,
    "knowledge": ports.KnowledgeBase,
    "detector": ports.InjectionDetector,
    "embedder": ports.Embedder,
    "chat": ChatModel,
    "experience": ports.ExperienceStore,
    "decisions": ports.DecisionLog,
    "clock": Clock,
}
"""What `Resources` holds, by field."""


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


def look_at_model(given: object) -> None:
    """A name, a LangChain chat model, or an object of our protocol."""
    if given is None or isinstance(given, BaseChatModel) or _is_name(given):
        return
    expected = "a model's name, a LangChain chat model, or an object with what `veridic.ports.ChatModel` has"
    _conforming("model", given, ChatModel, expected)


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
            look_at_judge_named(part, judge)
        elif judge is not None:
            expected = f"a name, or an object with what `veridic.ports.{JUDGES[part].__name__}` has"
            _conforming(f"judges[{part!r}]", judge, JUDGES[part], expected)


def look_at_judge_named(part: str, name: str) -> None:
    """A judge's folder, or what may be the name of a model that sentence-transformers can load."""
    if (Path(name) / "card.json").is_file():
        return
    extra = all(find_spec(package) for package in ("transformers", "sentence_transformers"))
    if extra and (Path(name).is_dir() or _HUB_NAME.fullmatch(name)):
        return
    there = "a folder without a judge's card.json" if Path(name).is_dir() else "no folder that is there"
    hub = "" if extra else ", or a model's name after `pip install 'veridic[hf]'`"
    raise NotUsable(f"`judges[{part!r}]` is {name!r}, {there}.", f"Give the folder of an exported {part}{hub}.")


def look_at_options(given: Iterable[str]) -> None:
    """Names that LangGraph's `compile` takes; ours are told with them."""
    taken = [*list(signature(StateGraph.compile).parameters)[1:], *OURS]
    for name in given:
        if name not in taken:
            meant = nearest_of(MEANT.get(name, name), taken, f"There are {', '.join(sorted(taken))}.")
            raise NotUsable(f"A graph is built with no `{name}`.", meant)


def look_at_store(given: object) -> None:
    """A path to a file, there or not, or a LangGraph store."""
    if given is None or isinstance(given, BaseStore):
        return
    expected = "a path to a knowledge base's file, or a LangGraph store (`langgraph.store.base.BaseStore`)"
    if not isinstance(given, str | os.PathLike) or not str(given).strip():
        raise _unusable("store", given, [], expected)
    if Path(given).expanduser().is_dir():
        raise NotUsable(f"`store` is a folder: {given}.", f"Give {expected}.")


def look_at_resources(given: object) -> None:
    """Resources whose every part has what is asked of it."""
    if not isinstance(given, Resources):
        raise _unusable("resources", given, [], "Resources; your own objects go in by name: model=…, retriever=…")
    held = {one.name: getattr(given, one.name) for one in fields(given)}
    for part, protocol in PARTS.items():
        if part != "chat" or held[part] is not None:
            expected = f"an object with what `veridic.ports.{protocol.__name__}` has, or hand it in by name"
            _conforming(f"resources.{part}", held[part], protocol, expected)
    for name, source in given.sources.items():
        expected = "an object with what `veridic.ports.EvidenceSource` has"
        _conforming(f"resources.sources[{name!r}]", source, ports.EvidenceSource, expected)


def _is_name(given: object) -> bool:
    return isinstance(given, str) and bool(given.strip())


def _conforming(argument: str, given: object, protocol: type, expected: str) -> None:
    missing = [] if isinstance(given, type | str) else lacking(given, protocol)
    if missing or isinstance(given, type | str):
        raise _unusable(argument, given, missing, expected)


def _unusable(argument: str, given: object, missing: list[str], expected: str) -> NotUsable:
    lack = f": it has {', '.join(missing)}" if missing else ""
    return NotUsable(f"`{argument}` is {_kind(given)}{lack}.", f"Give {expected}.")


def _kind(given: object) -> str:
    if isinstance(given, type):
        return f"the class {given.__name__}, not an object of it"
    name = "blank text" if isinstance(given, str) and not given.strip() else type(given).__name__
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"
