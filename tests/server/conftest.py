"""The program as an operator starts it: in a process of its own, over the shipped examples, without a chat model."""

import os
import sys
from pathlib import Path

import pytest

from veridic.api.documents import ingest
from veridic.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"
COMMAND = [sys.executable, "-c", "from veridic.cli import main; main()", "mcp"]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the process sees: its own knowledge base, and a setting that nobody knows, which is warned of."""
    kb = tmp_path_factory.mktemp("mcp") / "kb.sqlite"
    ingest(EXAMPLES, settings=Settings.load(kb=str(kb), model="extractive"))
    own = {name: value for name, value in os.environ.items() if not name.startswith(("VERIDIC_", "OTEL_"))}
    pytest.importorskip("veridic_judge_base")
    return {**own, "VERIDIC_KB": str(kb), "VERIDIC_MODEL": "extractive", "VERIDIC_NO_SUCH_THING": "1"}
