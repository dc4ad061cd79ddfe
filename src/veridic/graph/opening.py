"""What a graph runs on: resources that are opened when a node first needs them.

What was handed in takes the place of ours, and what a system needs beside is added. Models load at first use.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from langchain_core.language_models import BaseChatModel

from veridic.errors import InvalidSetting, NotUsable
from veridic.graph.systems import System
from veridic.graph.usable import look_at_judges, look_at_model, look_at_resources, look_at_retriever, look_at_store
from veridic.knowledge.base import begun_as_copy
from veridic.knowledge.retrieved import RetrievedKnowledge
from veridic.knowledge.retriever import AskedRetriever
from veridic.models.by_settings import open_deciding, open_decision, open_promised_reader
from veridic.models.calibration import Unpromised
from veridic.models.chat.by_name import open_chat
from veridic.models.chat.handed import handed_chat
from veridic.models.reader_calibration import unpromised
from veridic.ports.chat import ChatModel
from veridic.resources import (
    Opener,
    default_resources,
    graded_by,
    judged_beside,
    once,
    open_knowledge_base,
    open_resources,
    over,
)
from veridic.runtime.run import Resources
from veridic.settings import EXTRACTIVE, LLM, Settings, in_postgres, without_grader


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
    """A path to another knowledge base, documents and all."""

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


def opener(system: System, resources: Resources | None, settings: Settings | None, handed: Handed) -> Opener:
    """What opens the resources of a graph, once: those given, or the settings' own, or the process's.

    What is given by name is looked up now. Raises `NotUsable`, and for a name what opening it raises: `UnknownModel`,
    `CalibrationMismatch`.
    """
    if resources is None and settings is None and handed.is_nothing:
        return fitted(system, default_resources)
    if resources is not None and settings is not None:
        mend = "Give one: resources bring the settings they came from."
        raise NotUsable("Both `resources` and `settings` are given.", mend)
    if resources is not None:
        look_at_resources(resources)
    own = resources.settings if resources else settings or Settings.load()
    # beside a retriever no folder is ingested, and what is learned waits for review: its sources cannot be watched
    beside = {"docs": None, "write_back": "off" if own.write_back == "off" else "review"}
    named = own.model_copy(update={**handed.names, **(beside if handed.retriever is not None else {})})
    parts = _opened_by_name(handed.names, named)
    given = None if resources is None else replace(resources, settings=named, **parts)
    own_knowledge = resources is None and handed.retriever is None and handed.store is None
    return fitted(system, once(partial(_with_objects, given, named, handed)), own_knowledge=own_knowledge)


def fitted(system: System, opener: Opener, *, own_knowledge: bool = True) -> Opener:
    """What opens the resources as a system needs them; what was handed in with its knowledge base keeps that one."""
    if not (system.chat_grades or system.learns_unchecked):
        return opener

    def opened() -> Resources:
        """The resources as the system needs them."""
        resources = graded(system, opener())
        settings = settings_for(system, resources.settings) if own_knowledge else resources.settings
        if settings.kb == resources.settings.kb:
            return resources
        return over(resources, settings, open_knowledge_base(settings))

    return once(opened)


def settings_for(system: System, settings: Settings) -> Settings:
    """The settings as a system needs them. Raises `InvalidSetting` where its chat model is to grade and there is none.

    Where it learns what our gates would not let in, its knowledge base stands beside the user's and begins as a copy of
    it; `own_kb` false means the user's own.
    """
    changed: dict[str, object] = {}
    if system.chat_grades and settings.judge is None:
        if settings.model == EXTRACTIVE:
            raise without_grader()
        changed["judge"] = LLM
    if system.learns_unchecked and settings.own_kb:
        if in_postgres(settings.kb):
            raise InvalidSetting(
                f"The system {system.name} learns into a copy of the knowledge base, and of a database none is made.",
                "Set VERIDIC_OWN_KB=false to let it learn into the database, or name another with VERIDIC_KB.",
            )
        kb = Path(settings.kb).expanduser()
        own = kb.with_name(f"{kb.stem}.{system.name}{kb.suffix}")
        begun_as_copy(own, of=kb)
        changed["kb"] = str(own)
    return settings.model_copy(update=changed) if changed else settings


def graded(system: System, resources: Resources) -> Resources:
    """The resources with the chat model as judge, where the system is made so. Raises `InvalidSetting` without one."""
    if not system.chat_grades or resources.grader is not None or resources.settings.judge is not None:
        return resources
    if resources.chat is None:
        raise without_grader()
    evaluator, critic = graded_by(resources.chat, resources.evaluator, resources.critic, resources.settings)
    return replace(
        resources,
        grader=resources.chat,
        evaluator=evaluator,
        critic=critic,
        reader=unpromised(resources.reader),
        decision=Unpromised(resources.decision),
    )


def _opened_by_name(names: Mapping[str, str], settings: Settings) -> dict[str, Any]:
    """Chat model and judges of these names, as the settings have them."""
    opened: dict[str, Any] = {}
    if names.keys() & {"evaluator", "critic"}:
        judges = zip(("evaluator", "critic"), open_deciding(settings), strict=True)
        opened |= {part: judge for part, judge in judges if part in names}
    if "reader" in names:
        opened["reader"] = open_promised_reader(settings)
    if opened:
        opened["decision"] = open_decision(settings)
    if "model" in names:
        opened["chat"] = open_chat(settings)
    return opened


def chat_of(model: object, settings: Settings) -> ChatModel:
    """A LangChain chat model, or a `ChatModel`, that was handed in. Raises `NotUsable` for anything else."""
    look_at_model(model)
    return handed_chat(model, settings) if isinstance(model, BaseChatModel) else cast("ChatModel", model)


def _with_objects(given: Resources | None, settings: Settings, handed: Handed) -> Resources:
    """The resources given, or the settings' own, with the objects and the knowledge base that were handed in."""
    resources = given or open_resources(settings)
    if given and "kb" in handed.names:
        resources = over(given, settings, open_knowledge_base(settings, given.embedder))
    objects = {part: one for part, one in handed.judges.items() if one is not None and part not in handed.names}
    if handed.model is not None and "model" not in handed.names:
        objects["chat"] = chat_of(handed.model, settings)
    if handed.retriever is not None:
        asked = AskedRetriever(handed.retriever)
        objects["knowledge"] = RetrievedKnowledge(asked, resources.knowledge, resources.embedder)
    if objects.keys() & {"evaluator", "critic", "reader"}:
        objects.setdefault("decision", Unpromised(resources.decision))
    if "evaluator" in objects:
        objects.setdefault("reader", unpromised(resources.reader))
    other_chat = "chat" in objects or (given is not None and "model" in handed.names)
    if other_chat:
        resources = judged_beside(resources, cast("ChatModel | None", objects.get("chat", resources.chat)))
    return replace(resources, **cast("dict[str, Any]", objects))
