"""What a system runs on: the process's resources, with the grader and the knowledge base that it needs."""

from dataclasses import replace
from pathlib import Path

from veridic.graph.systems import System
from veridic.graph.wrapping import Opener, once
from veridic.knowledge.base import begun_as_copy
from veridic.resources import graded_by, open_knowledge_base, over
from veridic.runtime.run import Resources
from veridic.settings import EXTRACTIVE, LLM, Settings, without_grader


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
    return replace(resources, grader=resources.chat, evaluator=evaluator, critic=critic)


def opener_for(system: System, opener: Opener, *, own_knowledge: bool) -> Opener:
    """What opens the resources as the system needs them; what was handed in with its knowledge base keeps that one."""
    if not (system.chat_grades or system.learns_unchecked):
        return opener

    def opened() -> Resources:
        resources = graded(system, opener())
        return _on_own_knowledge(system, resources) if own_knowledge else resources

    return once(opened)


def _on_own_knowledge(system: System, resources: Resources) -> Resources:
    settings = settings_for(system, resources.settings)
    if settings.kb == resources.settings.kb:
        return resources
    return over(resources, settings, open_knowledge_base(settings))
