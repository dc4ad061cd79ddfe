"""Fitting what tells code from prose, and questions that ask for it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.text.code_lines import features
from veridic_lab.training import need
from veridic_lab.training.code import asked, fit
from veridic_lab.training.code.fit import Line, fitted, is_measured, of_pages, own, written
from veridic_lab.training.need import WRITTEN, Message

PAGE = "One may write it so.\n\n```\nx = f(1);\n# add one\ny = g(x);\n```\n\nIt was made in 1932. It is long."


def test_what_is_fitted_tells_unseen_lines_apart() -> None:
    model = fitted([*written(), *own()])
    weights, offset = np.array(model["weights"]), cast("float", model["offset"])
    assert features("shop.close(order_id=3);") @ weights + offset > 0
    assert features("The shop was closed on the third of May.") @ weights + offset < 0
    assert cast("dict[str, int]", model["fitted_on"])["written"] > 80


def test_the_lines_of_a_page_are_code_within_fences_and_prose_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit, "SENTENCES", 1.0)
    monkeypatch.setattr(fit, "OTHERS", ())
    monkeypatch.setattr(fit, "find", lambda _folder, _name: tmp_path)
    rows = [{"id": f"page {number}", "text": PAGE} for number in range(40)]
    monkeypatch.setattr(fit, "read_rows", lambda _path: rows)
    found = {half: list(of_pages(tmp_path, measured=half)) for half in (False, True)}
    assert {one.text for one in found[False] if one.code} == {"x = f(1);", "y = g(x);"}
    assert "It is long." in {one.text for one in found[False] if not one.code}
    assert all(is_measured(one.key) == half for half, lines in found.items() for one in lines)
    assert not {one.key for one in found[False]} & {one.key for one in found[True]}


def test_hardly_any_unseen_prose_is_called_code() -> None:
    lines = [Line(f"The {n} ships (all of them) left at {n}.", code=False, source="x", key=str(n)) for n in range(400)]
    model = fitted([*lines, *written()])
    weights, offset = np.array(model["weights"]), cast("float", model["offset"])
    assert np.mean([features(one.text) @ weights + offset > 0 for one in lines]) <= 0.01


def test_questions_of_fact_ask_for_no_code(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(need, "SETS", {"nq_gold.qa": 10, "2wiki.qa": 10})
    found = asked.messages(data)
    assert not any(one.needs for one in found if one.source != WRITTEN)
    assert sum(one.needs for one in found) > 50


def test_the_direction_is_the_embedders() -> None:
    embedder = HashingEmbedder()
    code = [Message(f"which command installs package {n}", needs=True, source=WRITTEN) for n in range(30)]
    fact = [Message(f"who painted picture {n}", needs=False, source=WRITTEN) for n in range(30)]
    model = asked.fitted([*code, *fact], embedder)
    assert model.of("which command installs the lamp", embedder, unknown=0.0) > 0.5
    assert model.of("who painted the lamp", embedder, unknown=1.0) < 0.5
