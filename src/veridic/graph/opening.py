"""What a system runs on: the process's resources, on a copy of the knowledge base where it learns unchecked."""

from dataclasses import replace
from functools import cache
from pathlib import Path

from veridic.graph.binding import Opener
from veridic.graph.systems import System
from veridic.knowledge.opening import begun_as_copy
from veridic.protocols import Resources
from veridic.resources import asked_of, open_knowledge_base
from veridic.settings import Settings


def settings_for(system: System, settings: Settings) -> Settings:
    """The settings, with a knowledge base of the system's own where it learns what our gates would not let in.

    That one stands beside the user's and begins as a copy of it; `own_kb` false means the user's own.
    """
    if not (system.learns_unchecked and settings.own_kb):
        return settings
    kb = Path(settings.kb).expanduser()
    own = kb.with_name(f"{kb.stem}.{system.name}{kb.suffix}")
    begun_as_copy(own, of=kb)
    return settings.model_copy(update={"kb": str(own)})


def on_own_knowledge(system: System, opener: Opener) -> Opener:
    """What opens the resources as the system needs them: on a knowledge base of its own where it learns unchecked."""
    if not system.learns_unchecked:
        return opener
    return cache(lambda: _on_own_knowledge(system, opener()))


def _on_own_knowledge(system: System, resources: Resources) -> Resources:
    settings = settings_for(system, resources.settings)
    if settings is resources.settings:
        return resources
    own = open_knowledge_base(settings)
    return replace(
        resources,
        settings=settings,
        knowledge=asked_of(own.corpus, settings),
        experience=own.experience,
        decisions=own.decisions,
    )
