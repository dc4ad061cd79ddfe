"""What the shell completes on Tab: names of ours, and ids of what is held. No text goes to the shell."""

import re
from collections.abc import Callable, Iterable
from contextlib import suppress

import typer

import veridic
from veridic.errors import VeridicError
from veridic.settings import Settings

SYSTEMS = (
    "veridic", "standard_rag", "naive_write_back", "crag", "self_rag", "hybrid_self_rag", "bidirectional_rag",
    "adaptive", "llm_judge_crag",
)  # fmt: skip
"""The names of `veridic.graph.systems`, which takes a second to load."""
MODELS = ("embedded", "extractive", "ollama:", "openai:", "anthropic:")
NEWEST = 50
"""Ids that are completed, at most."""
_SAFE = re.compile(r"[\w.:-]+")
"""Some shells evaluate what they are given."""


def systems(incomplete: str) -> list[str]:
    """The systems."""
    return _fitting(SYSTEMS, incomplete)


def models(incomplete: str) -> list[str]:
    """The chat models of our own, and the providers of others."""
    return _fitting(MODELS, incomplete)


def _held(listed: Callable[[Settings], Iterable[str]]) -> Callable[[typer.Context, str], list[str]]:
    """What completes names that the knowledge base of the command line holds; none where it cannot be read."""

    def completed(ctx: typer.Context, incomplete: str) -> list[str]:
        with suppress(VeridicError):
            own = Settings.load(kb=ctx.params.get("kb"), namespace=ctx.params.get("namespace"))
            return _fitting(listed(own), incomplete)
        return []

    return completed


runs = _held(lambda own: [one.run_id for one in veridic.list_runs(limit=NEWEST, settings=own)])
records = _held(lambda own: [one.id for one in veridic.remembered.list_records(settings=own)[:NEWEST]])
threads = _held(lambda own: [one.name for one in veridic.list_threads(settings=own)])


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and _SAFE.fullmatch(name)]
