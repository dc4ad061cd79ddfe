"""Veridic: a question-answering agent that checks itself.

Nothing heavy is imported until it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic import remembered
    from veridic.context import Context
    from veridic.documents import RemovalReport, ingest, list_documents, remove
    from veridic.errors import VeridicError
    from veridic.graph.builder import build_graph
    from veridic.graph.tool import as_tool
    from veridic.knowledge.documents import DocumentSummary
    from veridic.knowledge.intake import IngestReport
    from veridic.protocols import Resources
    from veridic.resources import open_resources
    from veridic.settings import Settings
    from veridic.shapes import Citation, Result, Sentence

__version__ = "0.1.0"

_HOMES = {
    "Citation": "veridic.shapes",
    "Context": "veridic.context",
    "DocumentSummary": "veridic.knowledge.documents",
    "IngestReport": "veridic.knowledge.intake",
    "RemovalReport": "veridic.documents",
    "Resources": "veridic.protocols",
    "Result": "veridic.shapes",
    "Sentence": "veridic.shapes",
    "Settings": "veridic.settings",
    "VeridicError": "veridic.errors",
    "as_tool": "veridic.graph.tool",
    "build_graph": "veridic.graph.builder",
    "ingest": "veridic.documents",
    "list_documents": "veridic.documents",
    "open_resources": "veridic.resources",
    "remembered": "veridic.remembered",
    "remove": "veridic.documents",
}

__all__ = [
    "Citation",
    "Context",
    "DocumentSummary",
    "IngestReport",
    "RemovalReport",
    "Resources",
    "Result",
    "Sentence",
    "Settings",
    "VeridicError",
    "as_tool",
    "build_graph",
    "ingest",
    "list_documents",
    "open_resources",
    "remembered",
    "remove",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'veridic' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if home.__name__ == f"{__name__}.{name}" else getattr(home, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
