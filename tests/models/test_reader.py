"""The readers: the one that ships, any of transformers, and the one of the tests."""

from __future__ import annotations

import importlib.util
import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.judges import OverlapReader
from tests.models.reader_conformance import BORN, FILLER, LONG, NEVER, PASSAGE, ReaderConformance
from tests.models.tokenizers import shipped_tokenizer
from veridic.errors import CalibrationMismatch, JudgeFailed, UnknownModel
from veridic.models.by_settings import open_promised_reader, open_reader, shipped_reader_calibration
from veridic.models.hf import QuestionAnsweringReader
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import LONGEST_SPAN, SPANS, OnnxReader, best_spans, joined
from veridic.models.reader_calibration import SIGNS, ReaderCalibration
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan
from veridic.ports.judging import Reader
from veridic.settings import Settings

with_extra = pytest.mark.skipif(not importlib.util.find_spec("transformers"), reason="needs the extra hf")


class TestOverlapReader(ReaderConformance):
    @pytest.fixture
    def subject(self) -> Reader:
        return OverlapReader()


@pytest.fixture(scope="module")
def shipped() -> OnnxReader:
    return OnnxReader(threads=1)


class TestShippedReader(ReaderConformance):
    @pytest.fixture
    def subject(self, shipped: OnnxReader) -> Reader:
        return shipped

    def test_it_gates(self, shipped: OnnxReader) -> None:
        assert shipped.gates
        assert len(shipped.fingerprint) == 16

    def test_the_answer_is_read_where_it_stands_in_the_heart_of_a_long_text(self, shipped: OnnxReader) -> None:
        [found] = shipped.read([(BORN, LONG)], deadline=NEVER)
        best = found.spans[0]
        assert "Warsaw" in LONG[best.start : best.end]

    def test_where_there_is_no_answer_less_is_read(self, shipped: OnnxReader) -> None:
        [there, absent] = shipped.read([(BORN, PASSAGE), (BORN, FILLER)], deadline=NEVER)
        assert max(span.margin for span in there.spans) > max(span.margin for span in absent.spans)

    def test_the_stored_answers_agree(self, shipped: OnnxReader) -> None:
        assert len(json.loads((SHIPPED / "reader" / "selftest.json").read_text())) >= 20
        assert shipped.self_test() < 0.02


def copied(folder: Path) -> Path:
    return shutil.copytree(SHIPPED / "reader", folder / "reader")


def test_weights_that_read_differently_are_not_used(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    rows = json.loads((folder / "selftest.json").read_text())
    (folder / "selftest.json").write_text(json.dumps([{**row, "expected": [0.0, 1.0, 1.0, 1.0]} for row in rows]))
    with pytest.raises(JudgeFailed, match="differs from its stored answers"):
        OnnxReader(folder, threads=1).read([(BORN, PASSAGE)], deadline=NEVER)
    assert OnnxReader(folder, threads=1, self_testing=False).read([(BORN, PASSAGE)], deadline=NEVER)


def test_a_failure_of_its_own_is_told_as_the_readers(shipped: OnnxReader, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = OnnxReader(threads=1, self_testing=False)
    monkeypatch.setattr(reader, "_judged", lambda *_: [][1])
    with pytest.raises(JudgeFailed, match="The reader raised IndexError"):
        reader.read([("Where?", "Here.")], deadline=NEVER)


def test_another_readers_calibration_is_refused_and_an_own_one_counts(tmp_path: Path) -> None:
    own = OnnxReader().calibration
    replace(own, fingerprint="fedcba9876543210").write(tmp_path / "other.json")
    with pytest.raises(CalibrationMismatch, match="fedcba9876543210"):
        OnnxReader(calibration=tmp_path / "other.json")
    replace(own, auc=0.5).write(tmp_path / "weak.json")
    assert not OnnxReader(calibration=tmp_path / "weak.json").gates
    assert not OnnxReader(calibration=ReaderCalibration.identity(own.fingerprint)).gates


def test_the_settings_name_the_reader(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    assert open_reader(Settings()).fingerprint == OnnxReader().fingerprint
    found = open_reader(Settings(reader=str(folder)))
    assert isinstance(found, OnnxReader)
    assert found.gates
    assert not open_reader(Settings(reader=str(folder)), calibrated=False).gates
    replace(found.calibration, auc=0.5).write(tmp_path / "own.json")
    assert not open_reader(Settings(reader=str(folder), reader_calibration=tmp_path / "own.json")).gates
    for name in (str(tmp_path / "none"), "hf:some/hub-name"):
        assert isinstance(open_reader(Settings(reader=name)), QuestionAnsweringReader)


SIGNED = AnswerSigns(margin=4.0, relevance=0.9, agreeing=1.0, lead=2.0, usefulness=0.9, seconded=4.0)


def test_beside_other_judges_nothing_that_is_read_is_verified_until_p_is_fitted_to_them(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    promised = replace(OnnxReader().calibration, quoted={"loose": 0.7}, verified={"loose": {"who": 0.7}})
    promised.write(own)
    alone = open_promised_reader(Settings(judges="small"))
    assert alone.quoted("loose") < 1.0
    for others in ({"evaluator": "hf:some/name"}, {"calibration": (own,)}, {"judge": "llm"}):
        beside = open_promised_reader(Settings(judges="small", **others))
        assert min(beside.quoted("loose"), beside.verified("who", "loose")) > 1.0
        assert beside.confidence("who", SIGNED) == alone.confidence("who", SIGNED)
        assert not list(getattr(beside, "promises", ()))
        assert shipped_reader_calibration(Settings(judges="small", **others)).quoted == {}
        fitted = open_promised_reader(Settings(judges="small", reader_calibration=own, **others))
        assert (fitted.quoted("loose"), fitted.verified("who", "loose")) == (0.7, 0.7)


def tiny(folder: Path, longest: int = 512) -> str:
    """A question-answering model with random weights and places for so many tokens."""
    from transformers import BertConfig, BertForQuestionAnswering

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = BertConfig(vocab_size=30522, max_position_embeddings=longest, **sizes)
    BertForQuestionAnswering(config).save_pretrained(folder)
    shipped_tokenizer(longest).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> QuestionAnsweringReader:
    return QuestionAnsweringReader(tiny(tmp_path_factory.mktemp("tiny")))


@with_extra
class TestQuestionAnsweringReader(ReaderConformance):
    @pytest.fixture
    def subject(self, model: QuestionAnsweringReader) -> Reader:
        return model

    def test_it_knows_nothing_of_yes_and_no(self, model: QuestionAnsweringReader) -> None:
        [found] = model.read([("Was she born in Warsaw?", PASSAGE)], deadline=NEVER)
        assert (found.yes, found.no, found.undecided) == (0.0, 0.0, 1.0)

    def test_it_gates_by_its_own_calibration_alone(self, model: QuestionAnsweringReader, tmp_path: Path) -> None:
        assert not model.gates
        name = model.name
        ReaderCalibration(model.fingerprint, {}, {}, auc=0.9, ece=0.0, fitted_on={}, date="").write(
            tmp_path / "own.json"
        )
        assert QuestionAnsweringReader(name, calibration=tmp_path / "own.json").gates
        with pytest.raises(CalibrationMismatch):
            _ = QuestionAnsweringReader(name, calibration=SHIPPED / "reader" / "calibration.json").gates

    def test_a_model_with_few_places_reads_long_texts_in_more_passes(self, tmp_path: Path) -> None:
        reader = QuestionAnsweringReader(tiny(tmp_path, longest=96))
        text = " ".join(f"Marie was born in town number {number}." for number in range(60))
        [found] = reader.read([(BORN * 20, text)], deadline=NEVER)
        assert all(0 <= span.start < span.end <= len(text) for span in found.spans)
        assert found.spans

    def test_a_name_that_cannot_be_loaded_is_told(self, tmp_path: Path) -> None:
        with pytest.raises(UnknownModel, match="nowhere"):
            QuestionAnsweringReader(str(tmp_path / "nowhere")).read([("q", "t")], deadline=NEVER)


LOGITS = st.lists(st.tuples(st.floats(-9, 9, width=32), st.floats(-9, 9, width=32)), max_size=40)


@given(LOGITS, st.floats(-9, 9), st.integers(1, 60))
def test_the_best_span_is_the_likeliest_of_one_sentence_and_no_other_overlaps_it(
    logits: list[tuple[float, float]], null: float, cut: int
) -> None:
    starts, ends = ([one[side] for one in logits] for side in (0, 1))
    offsets = [(4 * at, 4 * at + 3) for at in range(len(starts))]
    start, end = (np.array(one, dtype=np.float32) for one in (starts, ends))
    words = ["elk"] * len(starts)
    words[cut - 1 : cut] = ["ox."] * len(words[cut - 1 : cut])
    found = best_spans(start, end, null, offsets, " ".join(word.capitalize() for word in words))
    allowed = {
        (4 * left, 4 * right + 3): float(start[left] + end[right])
        for left in range(len(starts))
        for right in range(left, min(len(starts), left + LONGEST_SPAN))
        if not left < cut <= right
    }
    assert len(found) == min(SPANS, len(found))
    assert bool(found) == bool(starts)
    for at, span in enumerate(found):
        others = [one for one in allowed if all(one[1] <= told.start or told.end <= one[0] for told in found[:at])]
        assert span.margin == pytest.approx(max(allowed[one] for one in others) - null, abs=1e-4)
        assert (span.start, span.end) in others
    if len(found) < SPANS:
        assert not any(all(one[1] <= told.start or told.end <= one[0] for told in found) for one in allowed)


def span_of(at: int, size: int, margin: float) -> ReadSpan:
    return ReadSpan(at, at + size, margin)


SPANS_OF_ONE = st.lists(st.builds(span_of, st.integers(0, 60), st.integers(1, 9), st.floats(-9, 9)), max_size=3)
SEEN = st.tuples(st.integers(0, 9), st.integers(10, 99))
WINDOWS = st.lists(
    st.builds(Reading, SPANS_OF_ONE, st.just(0.1), st.just(0.1), st.floats(0, 1), SEEN), min_size=1, max_size=5
)


@given(WINDOWS)
def test_windows_are_joined_by_their_best_spans_and_the_most_decided(windows: list[Reading]) -> None:
    found = joined(windows)
    told = [span for window in windows for span in window.spans]
    assert found.undecided == min(window.undecided for window in windows)
    assert found.decided_in in [window.decided_in for window in windows if window.undecided == found.undecided]
    if len(windows) > 1 and told:
        assert found.spans[0].margin == max(span.margin for span in told)
        assert [span.margin for span in found.spans] == sorted((span.margin for span in found.spans), reverse=True)
        for span in found.spans:
            rest = [other for other in found.spans if other is not span]
            assert all(span.end <= other.start or other.end <= span.start for other in rest)


def test_the_weights_of_the_shipped_reader_are_of_the_signs_there_are() -> None:
    calibration = cast(ReaderCalibration, OnnxReader().calibration)
    assert all(len(row) == len(SIGNS) + 1 for row in calibration.weights.values())
    assert min(row[1 + SIGNS.index("margin")] for row in calibration.weights.values()) > 0
