from __future__ import annotations

import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from veridic.errors import DeadlineExceeded, WeightsDamaged, WeightsUnavailable
from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, Tokens, fingerprint_of


@pytest.fixture(scope="module")
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(threads=1)


def test_vectors_have_unit_length_and_follow_the_order_of_the_texts(embedder: OnnxEmbedder) -> None:
    texts = ["A cat sat on the mat.", "x", "A long text about rivers. " * 60, "The stock market fell."]
    vectors = embedder.embed(texts)
    assert vectors.shape == (4, embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    assert (vectors @ embedder.embed(["A kitten was sitting on a rug."])[0]).argmax() == 0


def test_nothing_embeds_to_nothing(embedder: OnnxEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimension)


def test_threads_get_the_same_vectors(embedder: OnnxEmbedder) -> None:
    texts = [f"Sentence number {n}." for n in range(8)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embedder.embed(texts), range(4)))
    assert all((results[0] == other).all() for other in results)


def test_a_text_has_the_same_vector_in_any_company(embedder: OnnxEmbedder) -> None:
    texts = ["A cat sat on the mat.", "x", "A long text about rivers. " * 60, "The stock market fell."]
    fresh = OnnxEmbedder(threads=3)
    alone = np.concatenate([fresh.embed([text]) for text in reversed(texts)])
    assert (embedder.embed(texts) == alone[::-1]).all()
    assert (fresh.embed(texts) == alone[::-1]).all()


def test_what_is_known_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = OnnxEmbedder(threads=1)
    first = embedder.embed(["a cat", "a dog"])
    told = np.ones((1, embedder.dimension), dtype=np.float32)
    embedder.know(["a fish"], told)
    monkeypatch.setattr(embedder, "_computed", lambda texts: pytest.fail("computed again") if texts else [])
    assert (embedder.embed(["a dog", "a fish", "a cat"]) == np.stack([first[1], told[0], first[0]])).all()


def test_the_fingerprint_is_that_of_the_files(embedder: OnnxEmbedder) -> None:
    assert embedder.fingerprint == fingerprint_of(SHIPPED / "embedder")


def test_each_file_is_small_enough_to_ship() -> None:
    for name in ("embedder", "judge"):
        assert (SHIPPED / name / "model.onnx").stat().st_size <= 24 * 1024 * 1024


def test_changed_files_are_refused(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED / "embedder", tmp_path / "embedder")
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps({**card, "fingerprint": "0" * 16}))
    with pytest.raises(WeightsDamaged):
        OnnxEmbedder(folder).embed(["x"])


def test_a_folder_without_weights_is_named(tmp_path: Path) -> None:
    with pytest.raises(WeightsUnavailable, match="card"):
        OnnxEmbedder(tmp_path)
    shutil.copy(SHIPPED / "embedder" / "card.json", tmp_path)
    with pytest.raises(WeightsUnavailable, match=r"model\.onnx"):
        OnnxEmbedder(tmp_path).embed(["x"])


def test_a_deadline_in_the_past_stops_before_work() -> None:
    encoder = OnnxEncoder(SHIPPED / "embedder", threads=1)
    with pytest.raises(DeadlineExceeded):
        encoder.columns([Tokens((101, 102), (0, 0))], ["embedding"], deadline=time.time() - 1)
