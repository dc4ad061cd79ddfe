"""What an import costs: nothing heavy until it is used."""

import subprocess
import sys

import veridic

HEAVY = {
    "onnxruntime",
    "faiss",
    "torch",
    "openai",
    "langgraph",
    "langchain_core",
    "transformers",
    "xllamacpp",
    "mcp",
    "opentelemetry",
}

RUN = """
import contextlib, io, sys
from veridic.cli import main
sys.argv = ['veridic', *{words}]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
"""
HELP = RUN.format(words=["chat", "--help"])
COMPLETED = """
import os
os.environ |= {'_VERIDIC_COMPLETE': 'complete_bash', 'COMP_WORDS': 'veridic ask --system ', 'COMP_CWORD': '3'}
""" + RUN.format(words=[])


def loaded_by(code: str) -> set[str]:
    shown = f"import sys\n{code}\nprint(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_the_package_and_the_command_line_load_nothing_heavy() -> None:
    named = "import veridic; veridic.Context(), veridic.Settings, veridic.VeridicError"
    assert not HEAVY & loaded_by(f"{named}{HELP}{COMPLETED}")


def test_the_list_of_commands_loads_neither_a_command_nor_what_its_options_are_made_of() -> None:
    assert "pydantic" not in loaded_by(RUN.format(words=["--help"]))


def test_the_served_graph_loads_no_model_library() -> None:
    loaded = loaded_by("import veridic.graph.entrypoint")
    assert "langgraph" in loaded
    assert not {"torch", "onnxruntime", "faiss", "openai", "xllamacpp", "transformers"} & loaded


def test_the_judges_load_no_graph() -> None:
    assert not {"langgraph", "langchain_core", "faiss", "torch"} & loaded_by("import veridic.models.cross_encoder")


def test_every_public_name_can_be_had() -> None:
    assert [name for name in veridic.__all__ if not hasattr(veridic, name)] == []
