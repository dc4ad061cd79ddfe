from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from veridic.errors import UsageError
from veridic_lab.evaluation.lock import alone_in

HOLD = "import sys; from pathlib import Path; from veridic_lab.evaluation.lock import alone_in\n"
HOLD += "with alone_in(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"


def test_a_folder_is_one_processs_until_it_ends_or_is_killed(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path / "run")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        with pytest.raises(UsageError, match="Another run"), alone_in(tmp_path / "run"):
            pytest.fail("held twice")
        other.kill()
    with alone_in(tmp_path / "run"):
        pass
    with alone_in(tmp_path / "run"):
        pass
