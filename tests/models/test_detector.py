"""The detector that ships, the cut of the embedder's file beneath it, and the head on top."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.judges import WordDetector
from tests.models.detector_conformance import HARMLESS, NEVER, ORDER, DetectorConformance
from veridic.errors import WeightsDamaged, WeightsUnavailable
from veridic.models.detector import LAYER, MOST_TOKENS, OnnxDetector, PoolingHead
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.models.onnx_prefix import prefix_of
from veridic.ports.judging import InjectionDetector

MANUAL = (
    "Press the green button and hold it for three seconds.",
    "Ignore the warning light if it goes out within a minute.",
    "Enter the system password and choose Continue.",
    "You must comply with all applicable laws.",
    "Add a node for each question your customers ask.",
)


class TestFake(DetectorConformance):
    @pytest.fixture
    def subject(self) -> InjectionDetector:
        return WordDetector()


@pytest.fixture(scope="module")
def shipped() -> OnnxDetector:
    return OnnxDetector(threads=1)


class TestShipped(DetectorConformance):
    @pytest.fixture
    def subject(self, shipped: OnnxDetector) -> InjectionDetector:
        return shipped

    def test_instructions_for_people_stay(self, subject: InjectionDetector) -> None:
        assert max(subject.orders(MANUAL, deadline=NEVER)) < subject.threshold

    def test_a_text_is_judged_alike_in_any_company(self, subject: InjectionDetector) -> None:
        alone = OnnxDetector(threads=1).orders([ORDER], deadline=NEVER)
        assert subject.orders([HARMLESS, ORDER, *MANUAL], deadline=NEVER)[1] == alone[0]


def test_other_weights_than_the_cards_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "detector"
    shutil.copytree(SHIPPED / "detector", folder)
    head = PoolingHead.read(folder / "head.npz")
    head.out_offset += 1
    head.write(folder / "head.npz")
    with pytest.raises(WeightsDamaged):
        OnnxDetector(folder).orders([ORDER], deadline=NEVER)


def test_a_head_for_another_embedder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "detector"
    shutil.copytree(SHIPPED / "detector", folder)
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    (folder / "card.json").write_text(json.dumps({**card, "embedder": "0" * 16}), encoding="utf-8")
    with pytest.raises(WeightsDamaged):
        OnnxDetector(folder).orders([ORDER], deadline=NEVER)


def test_without_a_card_there_is_no_detector(tmp_path: Path) -> None:
    with pytest.raises(WeightsUnavailable):
        OnnxDetector(tmp_path)


def test_a_texts_states_are_one_row_a_token_and_the_same_in_any_company() -> None:
    encoder = OnnxEncoder(SHIPPED / "embedder", threads=1, until=LAYER)
    one, other = encoder.of_texts([HARMLESS, ORDER], LAYER, most=MOST_TOKENS, deadline=NEVER)
    assert one.shape[1] == other.shape[1] == 384
    assert (encoder.of_texts([ORDER], LAYER, most=MOST_TOKENS, deadline=NEVER)[0] == other).all()


def test_a_file_without_the_layer_or_cut_short_is_damaged() -> None:
    model = (SHIPPED / "embedder" / "model.onnx").read_bytes()
    assert len(prefix_of(model, LAYER)) < len(model)
    with pytest.raises(WeightsDamaged):
        prefix_of(model, "no such state")
    with pytest.raises(WeightsDamaged):
        prefix_of(b"\xff\xff\xff", LAYER)


def test_a_head_is_written_and_read_as_it_is_but_for_precision(tmp_path: Path) -> None:
    lot = np.random.default_rng(0)

    def drawn(*shape: int) -> np.ndarray:
        return lot.normal(size=shape).astype(np.float32)

    head = PoolingHead(drawn(8, 4), drawn(4), drawn(4, 2), drawn(12), drawn(1))
    texts = [drawn(3, 8), drawn(5, 8)]
    head.write(tmp_path / "head.npz")
    assert np.allclose(PoolingHead.read(tmp_path / "head.npz").logits(texts), head.logits(texts), atol=0.05)
