"""A question asked on a fresh account writes where it was told to, and looks up no name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
LOGS_LOOK_UPS = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **res) {
    FILE *log = fopen(getenv("LOOKED_UP"), "a");
    if (log) { fprintf(log, "%s\\n", node ? node : "-"); fclose(log); }
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    real = dlsym(RTLD_NEXT, "getaddrinfo");
    return real(node, service, hints, res);
}
"""
ASKS = """
import sys
from veridic.cli import main
sys.argv = ["veridic", "ask", "--docs", "examples", "--", "When was the Halden Ridge Observatory founded?"]
main()
"""
LOOKS_UP = "import socket; socket.getaddrinfo('localhost', 80)"


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that writes down each name that any library of the process looks up."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler on Linux")
    folder = tmp_path_factory.mktemp("shim")
    (folder / "shim.c").write_text(LOGS_LOOK_UPS)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.c", "-ldl"], check=True)
    return folder / "shim.so"


def run(code: str, folder: Path, shim: Path) -> str:
    """Run it with a home of its own and `CI` unset; the names that were looked up."""
    home, chosen = folder / "home", folder / "chosen"
    home.mkdir()
    chosen.mkdir()
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(REPOSITORY / "src"),
        "HOME": str(home),
        "LD_PRELOAD": str(shim),
        "LOOKED_UP": str(folder / "looked_up"),
        "VERIDIC_KB": str(chosen / "knowledge.sqlite"),
        "VERIDIC_CACHE": str(chosen / "cache"),
        "VERIDIC_MODEL": "extractive",
    }
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, env=environment, check=True, capture_output=True)
    log = folder / "looked_up"
    return log.read_text() if log.exists() else ""


def test_a_question_writes_where_it_was_told_to_and_looks_up_no_name(tmp_path: Path, shim: Path) -> None:
    assert run(ASKS, tmp_path, shim) == ""
    assert list((tmp_path / "home").rglob("*")) == []
    assert (tmp_path / "chosen" / "knowledge.sqlite").exists()


def test_the_shim_sees_a_look_up(tmp_path: Path, shim: Path) -> None:
    assert run(LOOKS_UP, tmp_path, shim) == "localhost\n"


def test_switches_are_set_before_any_library_is_loaded() -> None:
    """Also for child processes, which inherit them; who wants reports says so in the environment."""
    told = "import veridic, os, sys; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in sys.modules)"
    for given, expected in (({}, "1 False\n"), ({"ORT_DISABLE_TELEMETRY": "0"}, "0 False\n")):
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(REPOSITORY / "src"), **given}
        done = subprocess.run([sys.executable, "-c", told], env=environment, check=True, capture_output=True, text=True)
        assert done.stdout == expected
