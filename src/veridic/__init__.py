"""Veridic: a question-answering agent that checks itself.

Nothing heavy is imported until it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.context import Context
    from veridic.documents import RemovalReport, ingest, list_documents, remove
    from veridic.errors import VeridicError
    from veridic.graph.builder import build_graph
    from veridic.graph.checking import check_graph
    from veridic.graph.tool import as_tool
    from veridic.knowledge.documents import DocumentSummary
    from veridic.knowledge.intake import IngestReport
    from veridic.protocols import Resources
    from veridic.resources import open_resources
    from veridic.settings import Settings
    from veridic.shapes import Citation, Result, Sentence
    from veridic.shapes.checking import CheckedClaim, CheckResult

__version__ = "0.1.0"

_HOMES = {
    "CheckResult": "veridic.shapes.checking",
    "CheckedClaim": "veridic.shapes.checking",
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
    "check_graph": "veridic.graph.checking",
    "ingest": "veridic.documents",
    "list_documents": "veridic.documents",
    "open_resources": "veridic.resources",
    "remove": "veridic.documents",
}

__all__ = [
    "CheckResult",
    "CheckedClaim",
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
    "check_graph",
    "ingest",
    "list_documents",
    "open_resources",
    "remove",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'veridic' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
