"""Veridic: a question-answering agent that checks itself.

Nothing heavy is imported until it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.context import Context
    from veridic.errors import VeridicError
    from veridic.graph.builder import build_graph
    from veridic.graph.tool import as_tool
    from veridic.protocols import Resources
    from veridic.resources import open_resources
    from veridic.settings import Settings
    from veridic.shapes import Result

__version__ = "0.1.0"

_HOMES = {
    "Context": "veridic.context",
    "Resources": "veridic.protocols",
    "Result": "veridic.shapes",
    "Settings": "veridic.settings",
    "VeridicError": "veridic.errors",
    "as_tool": "veridic.graph.tool",
    "build_graph": "veridic.graph.builder",
    "open_resources": "veridic.resources",
}

__all__ = ["Context", "Resources", "Result", "Settings", "VeridicError", "as_tool", "build_graph", "open_resources"]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'veridic' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
