"""A run with its world outside: served while the questions are asked, and nothing else can be reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pydantic import SecretStr

from veridic.errors import UsageError
from veridic.runtime.run import Resources
from veridic.sources.registry import open_sources
from veridic_lab.evaluation.corpus import digest_of
from veridic_lab.evaluation.presets import preset_of
from veridic_lab.evaluation.suite import Outside, Suite
from veridic_lab.evaluation.world import World
from veridic_lab.evaluation.world.server import PLACES


@contextmanager
def connected(resources: Resources, outside: Outside | None) -> Iterator[Resources]:
    """The resources with the real sources over the recorded world, while the block lasts; unchanged without one."""
    if outside is None:
        yield resources
        return
    with World(rows_of(outside)).serve() as served:
        there = {
            **served.settings(),
            "allow_hosts": (served.host_port,),
            "tavily_api_key": SecretStr("recorded"),
            "sources": PLACES,
            "cache_hours": 0,  # another world may stand at the same port tomorrow, and no system may warm another's
        }
        settings = resources.settings.model_copy(update=there)
        sources, unusable = open_sources(settings)
        yield replace(resources, settings=settings, sources=sources, unusable=unusable)


def rows_of(outside: Outside) -> list[dict[str, Any]]:
    """The pages as the world reads them; a paper is known by its address without host and version."""
    placed = ((outside.articles, ["wikipedia", "web"]), (outside.papers, ["arxiv", "web"]))
    return [
        {"id": key.removesuffix("v1"), "title": page.title, "text": page.text, "url": page.url, "places": places}
        for pages, places in placed
        for page in pages
        for key in (page.url.rpartition("/")[2],)
    ]


def world_of(outside: Outside | None) -> str:
    """What stands outside, as it stands in a plan's identity; empty for nothing."""
    return digest_of(outside.pages) if outside else ""


def check_outside(suite: Suite, systems: Sequence[str]) -> None:
    """Raises `UsageError` when something is asked of the outside that a suite does not have."""
    asking = [name for name in systems if preset_of(name).choices.get("sources")]
    if suite.outside is None and asking:
        raise UsageError(f"{asking[0]} names sources, and {suite.name} has no world outside.", "Run `outside`.")
