"""Veridic: a question-answering agent that checks itself.

Nothing heavy is imported until it is used, and no library that is reports to its makers.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.api import remembered as remembered
    from veridic.api.conversations import add_to_thread as add_to_thread
    from veridic.api.conversations import forget_thread as forget_thread
    from veridic.api.conversations import list_threads as list_threads
    from veridic.api.conversations import messages_of as messages_of
    from veridic.api.conversations import thread_runs as thread_runs
    from veridic.api.documents import RemovalReport as RemovalReport
    from veridic.api.documents import ingest as ingest
    from veridic.api.documents import list_documents as list_documents
    from veridic.api.documents import remove as remove
    from veridic.api.history import ForgetReport as ForgetReport
    from veridic.api.history import KeptOpinion as KeptOpinion
    from veridic.api.history import RunSummary as RunSummary
    from veridic.api.history import feedback as feedback
    from veridic.api.history import forget_runs as forget_runs
    from veridic.api.history import list_runs as list_runs
    from veridic.api.history import logged_run as logged_run
    from veridic.api.trial import TriedJudge as TriedJudge
    from veridic.api.trial import try_judge as try_judge
    from veridic.context import Context as Context
    from veridic.errors import VeridicError as VeridicError
    from veridic.exporting.files import export_result as export_result
    from veridic.graph.builder import build_graph as build_graph
    from veridic.graph.checking import check_graph as check_graph
    from veridic.graph.tool import as_tool as as_tool
    from veridic.knowledge.document_rows import DocumentSummary as DocumentSummary
    from veridic.knowledge.intake import IngestReport as IngestReport
    from veridic.learning.opinions import Opinion as Opinion
    from veridic.ports.method import Method as Method
    from veridic.ports.shapes import Citation as Citation
    from veridic.ports.shapes import Result as Result
    from veridic.ports.shapes import Sentence as Sentence
    from veridic.ports.shapes.checking import CheckedClaim as CheckedClaim
    from veridic.ports.shapes.checking import CheckResult as CheckResult
    from veridic.resources import open_resources as open_resources
    from veridic.runtime.run import Resources as Resources
    from veridic.settings import Settings as Settings

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

_NAMES = {
    "veridic.api.conversations": "add_to_thread forget_thread list_threads messages_of thread_runs",
    "veridic.api.documents": "RemovalReport ingest list_documents remove",
    "veridic.api.history": "ForgetReport KeptOpinion RunSummary feedback forget_runs list_runs logged_run",
    "veridic.api.remembered": "remembered",
    "veridic.api.trial": "TriedJudge try_judge",
    "veridic.context": "Context",
    "veridic.errors": "VeridicError",
    "veridic.exporting.files": "export_result",
    "veridic.graph.builder": "build_graph",
    "veridic.graph.checking": "check_graph",
    "veridic.graph.tool": "as_tool",
    "veridic.knowledge.document_rows": "DocumentSummary",
    "veridic.knowledge.intake": "IngestReport",
    "veridic.learning.opinions": "Opinion",
    "veridic.ports.method": "Method",
    "veridic.ports.shapes": "Citation Result Sentence",
    "veridic.ports.shapes.checking": "CheckResult CheckedClaim",
    "veridic.resources": "open_resources",
    "veridic.runtime.run": "Resources",
    "veridic.settings": "Settings",
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}

GONE = {
    "export_log": "The laboratory has it: `veridic_lab.training.labels.export`.",
    "judge_mistakes": "`list_runs` and `logged_run` tell the runs, `veridic trial` tries the judges.",
    "watch": "Call `ingest` again, with `prune`, when something changed.",
}
"""Names that were, each with what took its place."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used (PEP 562)."""
    if name not in _HOMES:
        instead = f"; it is gone. {GONE[name]}" if name in GONE else ""
        raise AttributeError(f"module 'veridic' has no attribute {name!r}{instead}")
    home = import_module(_HOMES[name])
    return home if home.__name__.endswith(f".{name}") else getattr(home, name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
