"""Objects of one's own in place of ours: looked at when they are given, put in when the resources are opened."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langgraph.store.base import BaseStore

from veridic.errors import NotUsable
from veridic.graph.usable import look_at_judges, look_at_model, look_at_resources, look_at_retriever, look_at_store
from veridic.graph.wrapping import Opener, once
from veridic.knowledge.base import open_knowledge
from veridic.knowledge.langgraph_store import StoredDecisions, StoredLessons
from veridic.knowledge.retrieved import RetrievedKnowledge
from veridic.knowledge.retriever import AskedRetriever
from veridic.models.chat import open_chat
from veridic.models.chat.handed import HandedChat
from veridic.models.judges import open_judges
from veridic.models.readers import open_reader
from veridic.ports.chat import ChatModel
from veridic.resources import default_resources, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings


@dataclass(frozen=True)
class Handed:
    """What a caller puts in place of ours; None and empty: nothing. Raises `NotUsable` for what cannot be used."""

    model: object = None
    """A name as the settings take it, a LangChain chat model, or a `ChatModel`."""
    retriever: object = None
    """A LangChain retriever or vector store."""
    judges: Mapping[str, object] = field(default_factory=dict)
    """Any of `evaluator`, `critic`, `reader`: an object of that protocol, or a name as the settings take it."""
    store: object = None
    """A LangGraph store for lessons and decision log alone, or a path to another knowledge base, documents and all."""

    def __post_init__(self) -> None:
        """Look at each object."""
        look_at_model(self.model)
        look_at_retriever(self.retriever)
        look_at_judges(self.judges)
        look_at_store(self.store)

    @property
    def is_nothing(self) -> bool:
        """Whether everything stays ours."""
        return not self.judges and self.model is None and self.retriever is None and self.store is None

    @property
    def names(self) -> dict[str, str]:
        """Those that are given by name, as settings."""
        named = {"model": self.model, **self.judges}
        kb = {"kb": os.fspath(self.store)} if isinstance(self.store, str | os.PathLike) else {}
        return {name: given for name, given in named.items() if isinstance(given, str)} | kb

    def without_names(self) -> "Handed":
        """The objects alone."""
        names = self.names
        return Handed(
            model=None if "model" in names else self.model,
            retriever=self.retriever,
            judges={part: given for part, given in self.judges.items() if part not in names},
            store=None if "kb" in names else self.store,
        )


def opener(resources: Resources | None, settings: Settings | None, handed: Handed) -> Opener:
    """What opens the resources of a graph when a node first needs them, once: those given, or the settings' own.

    Names are looked up now. Raises `NotUsable`, and for a name what opening it from the settings raises.
    """
    if resources is not None:
        if settings is not None:
            raise NotUsable(
                "Both `resources` and `settings` are given.", "Give one: resources bring the settings they came from."
            )
        look_at_resources(resources)
        _look_up(_named(resources.settings, handed), handed.names)
        return once(partial(handed_in, resources, handed))
    if settings is None and handed.is_nothing:
        return default_resources
    named = _named(settings or Settings.load(), handed)
    _look_up(named, handed.names)
    return once(lambda: handed_in(open_resources(named), handed.without_names()))


def handed_in(resources: Resources, handed: Handed) -> Resources:
    """The resources with what was handed in in its place; models still load at first use.

    Raises what opening the names raises: `UnknownModel`, `CalibrationMismatch`, `StoreUnavailable`, `StoreDamaged`.
    """
    settings = _named(resources.settings, handed)
    changed: dict[str, Any] = {"settings": settings, **_judges(settings, handed), **_kept(resources, settings, handed)}
    if handed.model is not None:
        changed["chat"] = _chat(handed.model, settings)
    if handed.retriever is not None:
        own = changed.get("knowledge", resources.knowledge)
        changed["knowledge"] = RetrievedKnowledge(AskedRetriever(handed.retriever), own, resources.embedder)
    return replace(resources, **changed)


def _named(settings: Settings, handed: Handed) -> Settings:
    """The settings with what is given by name.

    Beside a retriever no folder is ingested, and what is learned waits for review: its sources cannot be watched.
    """
    beside = {"docs": None, "write_back": "off" if settings.write_back == "off" else "review"}
    return settings.model_copy(update={**handed.names, **(beside if handed.retriever is not None else {})})


def _look_up(settings: Settings, names: Mapping[str, str]) -> None:
    """Raise for a name that cannot be opened; nothing is loaded."""
    if "model" in names:
        open_chat(settings)
    if names.keys() & {"evaluator", "critic"}:
        open_judges(settings)
    if "reader" in names:
        open_reader(settings)


def _chat(given: object, settings: Settings) -> ChatModel | None:
    if isinstance(given, str):
        return open_chat(settings)
    return HandedChat(given, settings) if isinstance(given, BaseChatModel) else cast("ChatModel", given)


def _judges(settings: Settings, handed: Handed) -> dict[str, object]:
    names = {part for part, given in handed.judges.items() if isinstance(given, str)}
    opened: dict[str, object] = {part: given for part, given in handed.judges.items() if given is not None}
    if names & {"evaluator", "critic"}:
        evaluator, critic = open_judges(settings)
        opened |= {part: judge for part, judge in (("evaluator", evaluator), ("critic", critic)) if part in names}
    return opened | ({"reader": open_reader(settings)} if "reader" in names else {})


def _kept(resources: Resources, settings: Settings, handed: Handed) -> dict[str, object]:
    """Where lessons and decisions are kept, and of a path the knowledge base too."""
    if isinstance(handed.store, BaseStore):
        return {
            "experience": StoredLessons(
                handed.store,
                settings.namespace,
                resources.embedder,
                most=settings.lessons,
                half_life=settings.lesson_days,
            ),
            "decisions": StoredDecisions(handed.store, settings.namespace, settings.log_days),
        }
    if handed.store is None:
        return {}
    opened = open_knowledge(
        Path(settings.kb),
        settings.namespace,
        resources.embedder,
        log_days=settings.log_days,
        lessons=settings.lessons,
        half_life=settings.lesson_days,
    )
    return {"knowledge": opened.corpus, "experience": opened.experience, "decisions": opened.decisions}
