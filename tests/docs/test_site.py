"""The documents build as a site without a broken reference, and the site asks nobody else for anything."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOADED = re.compile(
    r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["'](?:https?:)?//|url\(["']?https?://|@import"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sphinx")
    out = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet", "docs", str(out)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return out


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    files = [path for kind in ("*.html", "*.css") for path in site.rglob(kind)]
    assert len(files) > 30
    assert [path.name for path in files if LOADED.search(path.read_text(encoding="utf-8"))] == []


def test_graphs_are_pictures_and_names_have_their_docstrings(site: Path) -> None:
    drawn = (site / "how-it-works.html").read_text(encoding="utf-8")
    assert drawn.count("<svg role") == 2
    assert ">retrieve</text>" in drawn
    assert "graph TD" not in drawn
    assert "The compiled graph of a system, by its name" in (site / "reference" / "api.html").read_text(
        encoding="utf-8"
    )
