"""Veridic: a question-answering agent that checks itself.

Nothing heavy is imported until it is used, and no library that is reports to its makers.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.api import remembered
    from veridic.api.conversations import add_to_thread, forget_thread, list_threads, messages_of, thread_runs
    from veridic.api.documents import RemovalReport, ingest, list_documents, remove, watch
    from veridic.api.history import (
        ForgetReport,
        KeptOpinion,
        RunSummary,
        export_log,
        feedback,
        forget_runs,
        judge_mistakes,
        list_runs,
        logged_run,
    )
    from veridic.context import Context
    from veridic.errors import VeridicError
    from veridic.exporting.files import export_result
    from veridic.graph.builder import build_graph
    from veridic.graph.checking import check_graph
    from veridic.graph.tool import as_tool
    from veridic.knowledge.document_rows import DocumentSummary
    from veridic.knowledge.intake import IngestReport
    from veridic.learning.opinions import Opinion
    from veridic.ports.method import Method
    from veridic.ports.shapes import Citation, Result, Sentence
    from veridic.ports.shapes.checking import CheckedClaim, CheckResult
    from veridic.resources import open_resources
    from veridic.runtime.run import Resources
    from veridic.settings import Settings

__version__ = "0.3.0"

_REPORTS_OFF = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime: an identifier and a database under ~/.cache, and uploads
    "HF_HUB_DISABLE_TELEMETRY": "1",  # huggingface_hub, transformers, sentence-transformers
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",  # the command `langgraph`, where we start it
    "DO_NOT_TRACK": "1",
}
# Libraries read these when they are loaded, and child processes inherit them.
for _name, _value in _REPORTS_OFF.items():
    os.environ.setdefault(_name, _value)

_HOMES = {
    "CheckResult": "veridic.ports.shapes.checking",
    "CheckedClaim": "veridic.ports.shapes.checking",
    "Citation": "veridic.ports.shapes",
    "Context": "veridic.context",
    "DocumentSummary": "veridic.knowledge.document_rows",
    "ForgetReport": "veridic.api.history",
    "IngestReport": "veridic.knowledge.intake",
    "KeptOpinion": "veridic.api.history",
    "Method": "veridic.ports.method",
    "Opinion": "veridic.learning.opinions",
    "RemovalReport": "veridic.api.documents",
    "Resources": "veridic.runtime.run",
    "Result": "veridic.ports.shapes",
    "RunSummary": "veridic.api.history",
    "Sentence": "veridic.ports.shapes",
    "Settings": "veridic.settings",
    "VeridicError": "veridic.errors",
    "add_to_thread": "veridic.api.conversations",
    "as_tool": "veridic.graph.tool",
    "build_graph": "veridic.graph.builder",
    "check_graph": "veridic.graph.checking",
    "export_log": "veridic.api.history",
    "export_result": "veridic.exporting.files",
    "feedback": "veridic.api.history",
    "forget_runs": "veridic.api.history",
    "forget_thread": "veridic.api.conversations",
    "ingest": "veridic.api.documents",
    "judge_mistakes": "veridic.api.history",
    "list_documents": "veridic.api.documents",
    "list_runs": "veridic.api.history",
    "list_threads": "veridic.api.conversations",
    "logged_run": "veridic.api.history",
    "messages_of": "veridic.api.conversations",
    "open_resources": "veridic.resources",
    "remembered": "veridic.api.remembered",
    "remove": "veridic.api.documents",
    "thread_runs": "veridic.api.conversations",
    "watch": "veridic.api.documents",
}

__all__ = [
    "CheckResult",
    "CheckedClaim",
    "Citation",
    "Context",
    "DocumentSummary",
    "ForgetReport",
    "IngestReport",
    "KeptOpinion",
    "Method",
    "Opinion",
    "RemovalReport",
    "Resources",
    "Result",
    "RunSummary",
    "Sentence",
    "Settings",
    "VeridicError",
    "add_to_thread",
    "as_tool",
    "build_graph",
    "check_graph",
    "export_log",
    "export_result",
    "feedback",
    "forget_runs",
    "forget_thread",
    "ingest",
    "judge_mistakes",
    "list_documents",
    "list_runs",
    "list_threads",
    "logged_run",
    "messages_of",
    "open_resources",
    "remembered",
    "remove",
    "thread_runs",
    "watch",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'veridic' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
