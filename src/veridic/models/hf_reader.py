"""Any extractive question-answering model of transformers as a reader (`pip install 'veridic[hf]'`).

It knows spans and, where it was trained on SQuAD 2, "no answer" at [CLS]; of yes and no it knows nothing, so that such
questions stay undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from veridic.errors import judging
from veridic.models.hf import HubModel, brief
from veridic.models.onnx_encoder import in_time
from veridic.models.reader import best_spans, joined
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.models.windows import LONG_LIMIT, SHORT_LIMIT
from veridic.ports.judgements import Reading

LONGEST = 384
"""Tokens of one pass."""
STRIDE = 128


class QuestionAnsweringReader(Calibrated):
    """An `AutoModelForQuestionAnswering` by hub name or local folder; loaded when first used."""

    def __init__(self, name: str, *, calibration: Path | None = None) -> None:
        """Without a calibration fitted for it (`veridic fit reader`) it does not gate."""
        self._hub = HubModel(name, _question_answering)
        self._path = calibration

    @property
    def fingerprint(self) -> str:
        """Names the weights; a calibration belongs to one fingerprint."""
        return self._hub.fingerprint

    @cached_property
    def calibration(self) -> ReaderCalibration:
        """The user's own; without one the identity. Raises `CalibrationMismatch`."""
        if self._path is None:
            return ReaderCalibration.identity(self.fingerprint)
        return ReaderCalibration.read(self._path, self.fingerprint)

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs. Raises `JudgeFailed`, `DeadlineExceeded`, `MissingExtra`, `UnknownModel`."""
        if not pairs:
            return []
        tokenizer, model = self._hub.model
        found: list[Reading] = []
        for batch in in_time(pairs, deadline):
            found += _read(tokenizer, model, batch)
        return found


def _read(tokenizer: Any, model: Any, pairs: Sequence[tuple[str, str]]) -> list[Reading]:  # noqa: ANN401
    import torch

    encoded = tokenizer(
        [brief(tokenizer, question, SHORT_LIMIT) for question, _ in pairs],
        [text[:LONG_LIMIT] for _, text in pairs],
        truncation="only_second",
        max_length=LONGEST,
        stride=STRIDE,
        padding=True,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    rows = encoded.pop("overflow_to_sample_mapping").tolist()
    offsets = encoded.pop("offset_mapping").tolist()
    with judging("The reader"), torch.inference_mode():
        said = model(**encoded)
    windows: list[list[Reading]] = [[] for _ in pairs]
    for number, row in enumerate(rows):
        skip = pairs[row][1].find("\n") + 1
        kept = [
            at for at, kind in enumerate(encoded.sequence_ids(number)) if kind == 1 and offsets[number][at][1] > skip
        ]
        start, end = said.start_logits[number].numpy(), said.end_logits[number].numpy()
        places = [tuple(offsets[number][at]) for at in kept]
        spans = best_spans(start[kept], end[kept], float(start[0] + end[0]), places, pairs[row][1])
        window = (places[0][0], places[-1][1]) if places else (0, len(pairs[row][1]))
        windows[row].append(Reading(spans, 0.0, 0.0, 1.0, window))
    return [joined(group) for group in windows]


def _question_answering(name: str) -> Any:  # noqa: ANN401
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True, trust_remote_code=False)
    return tokenizer, AutoModelForQuestionAnswering.from_pretrained(name, trust_remote_code=False).eval()
