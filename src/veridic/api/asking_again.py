"""What asks questions of the log again, of the documents as they are: nothing is recalled, and nothing is kept."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from veridic.ports.method import Method
from veridic.ports.shapes import Lesson, Result
from veridic.resources import open_resources
from veridic.runtime.run import Resources
from veridic.settings import EXTRACTIVE, LLM, Settings

WITHOUT_MEMORY = Method(recollect=False)


class _Unkept:
    """Lessons and log of questions that are asked again: none is recalled, nothing is kept."""

    def within(self, places: Sequence[str]) -> Self:  # noqa: ARG002 - see `ExperienceStore`, here and below
        """The same."""
        return self

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:  # noqa: ARG002
        """None."""
        return []

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Nothing."""

    def write(self, result: Result, *, deadline: float) -> None:
        """Nothing."""


def resources_for(settings: Settings) -> Resources:
    """The settings' judges over the whole knowledge base, whatever a run may ask of it; nothing is ingested."""
    writer = settings.model if settings.judge == LLM else EXTRACTIVE
    apart = {"docs": None, "begin_with": None, "sources": (), "model": writer}
    return open_resources(settings.model_copy(update=apart))


def apart_from_runs(resources: Resources) -> Resources:
    """The resources without a chat model, without what is outside, and without lessons and log."""
    return replace(resources, chat=None, sources={}, experience=_Unkept(), decisions=_Unkept())
