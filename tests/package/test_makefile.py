"""The targets of the Makefile that say something; nothing of them is run."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_dev_says_first_where_it_serves() -> None:
    ran = subprocess.run(["make", "-n", "dev", "PORT=2031"], cwd=ROOT, capture_output=True, text=True, check=True)
    said, served = ran.stdout.split("langgraph dev")
    assert "http://127.0.0.1:2031/veridic/" in said
    assert "studio/?baseUrl=http://127.0.0.1:2031" in said
    assert "8765" in said
    assert served.strip() == "--port 2031"
