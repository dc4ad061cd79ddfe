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


def runs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Ids of the newest runs in the log."""
    return _held(lambda own: (run.run_id for run in veridic.list_runs(limit=NEWEST, settings=own)), ctx, incomplete)


def records(ctx: typer.Context, incomplete: str) -> list[str]:
    """Ids of the newest records."""
    return _held(
        lambda own: (record.id for record in veridic.remembered.list_records(settings=own)[:NEWEST]), ctx, incomplete
    )


def threads(ctx: typer.Context, incomplete: str) -> list[str]:
    """Names of the threads."""
    return _held(lambda own: (thread.name for thread in veridic.list_threads(settings=own)), ctx, incomplete)


def _held(found: Callable[[Settings], Iterable[str]], ctx: typer.Context, incomplete: str) -> list[str]:
    """What the knowledge base of the command line holds; nothing where it cannot be read."""
    with suppress(VeridicError):
        own = Settings.load(kb=ctx.params.get("kb"), namespace=ctx.params.get("namespace"))
        return _fitting(found(own), incomplete)
    return []


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete) and _SAFE.fullmatch(name)]
