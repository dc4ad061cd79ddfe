"""OpenMP's threads sleep where they wait, in every copy of it that this process loads."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from veridic.models.opened import let_threads_sleep

LOADING = """
import sys
from veridic.models.chat.by_name import open_chat
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.resources import open_knowledge_base
from veridic.settings import Settings

corpus = open_knowledge_base(Settings.load(kb=sys.argv[1])).corpus
ingest_texts([Text(url="bridge", title="Bridge", text="It was opened in 1932.")], corpus)
corpus.search(["When was it opened?"], limit=1, deadline=float("inf"))
open_chat(Settings.load(model="embedded", threads=1)).prepare()
"""


@pytest.mark.usefixtures("embedded")
@pytest.mark.skipif(sys.platform != "linux", reason="what OpenMP displays has another form elsewhere")
def test_every_openmp_of_the_process_waits_so(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    environment |= {"OMP_DISPLAY_ENV": "TRUE"}
    done = subprocess.run(
        [sys.executable, "-c", LOADING, str(tmp_path / "kb.sqlite")],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
        check=True,
    )
    ways = re.findall(r"OMP_WAIT_POLICY = '(\w+)'", done.stderr)
    assert len(ways) == 2
    assert set(ways) == {"PASSIVE"}


def test_a_choice_of_the_user_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    let_threads_sleep()
    assert os.environ["OMP_WAIT_POLICY"] == "ACTIVE"
