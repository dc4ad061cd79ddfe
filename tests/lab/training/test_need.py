"""Fitting what tells messages that need evidence."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.evidence.direction import Direction
from veridic_lab.training import need
from veridic_lab.training.need import DECIDES, WRITTEN, Message, fit, messages, questions, written
from veridic_lab.training.pairs import held_out, normalised

ASKED = [Message(f"when was tower {n} built", needs=True, source="nq_gold.qa") for n in range(300)]
NEEDLESS = [Message(f"write a poem on tower {n}", needs=False, source=WRITTEN) for n in range(30)]
FACTS = [Message(f"list the builders of tower {n}", needs=True, source=WRITTEN) for n in range(30)]


def test_a_line_says_whether_it_needs_evidence() -> None:
    found = written("# verse\n- Write a poem: + or -\n\n+ List the rivers.\n")
    assert [(one.text, one.needs) for one in found] == [("Write a poem: + or -", False), ("List the rivers.", True)]


def test_what_is_fitted_tells_them_apart_and_is_written(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    model = fit([*ASKED, *NEEDLESS, *FACTS], embedder, tmp_path / "need.json")
    poem, asked = embedder.embed(["write a poem on a bridge", "when was a bridge built"])
    assert model.probability(poem) < 0.5 < model.probability(asked)
    assert model == Direction(**json.loads((tmp_path / "need.json").read_text(encoding="utf-8")))
    assert model.embedder == embedder.fingerprint
    assert model.fitted_on == {"nq_gold.qa": 300, WRITTEN: 60}


def test_hardly_a_question_is_called_needless_even_where_it_looks_so() -> None:
    odd = [Message(f"write on tower {n}", needs=True, source="nq_gold.qa") for n in range(60)]
    found = [*ASKED, *odd, *NEEDLESS, *FACTS]
    embedder = HashingEmbedder()
    model = need.fitted(found, need.embedded(found, embedder), embedder.fingerprint)
    sure = [model.probability(vector) for vector in embedder.embed([one.text for one in odd])]
    assert np.mean(np.array(sure) < DECIDES) <= 0.05


def test_nothing_that_is_measured_is_learned_from(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(need, "SETS", {"nq_gold.qa": 10, "2wiki.qa": 100})
    found = list(questions(data))
    assert 0 < sum(one.source == "nq_gold.qa" for one in found) <= 10
    assert not any(held_out(normalised(one.text), need.MEASURED) for one in found)
    assert len(messages(data)) > len(found)
