"""Writes the folder of a reader: graph, tokenizer, card, stored answers, and a calibration that gates nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch

from veridic.models.reader import OnnxReader, numbers_of
from veridic.models.reader_calibration import ReaderCalibration
from veridic.text.answers import tokens
from veridic_lab.training.export import reader_graph
from veridic_lab.training.network import weights_of
from veridic_lab.training.ranges import column_ranges
from veridic_lab.training.reading.batches import ReadingBatcher
from veridic_lab.training.reading.network import ReaderNetwork
from veridic_lab.training.reading.rows import Reading, shown
from veridic_lab.training.reading.trainer import read_with
from veridic_lab.training.ship import BITS, write_card, write_json, write_tokenizer

RANGE_ROWS = 400
STORED = 40
PARITY = 400
"""Rows on which the exported reader is held against torch."""


def export_reader(
    network: ReaderNetwork, base: Path, out: Path, rows: Sequence[Reading], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Write the folder and return its card; until it is calibrated its runs stay unverified."""
    network.eval()
    batcher = ReadingBatcher(write_tokenizer(base, out), budget=2048)
    sample = [batch.inputs for batch in batcher.batches(rows[:RANGE_ROWS])]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, sample).items()}
    onnx.save(reader_graph(weights_of(network), ranges, bits=BITS), str(out / "model.onnx"))
    card = write_card(out, name="veridic-reader", kind="reader", heads=["span", "null", "decision"], **about)
    ReaderCalibration.identity(card["fingerprint"]).write(out / "calibration.json")
    reader = OnnxReader(out, self_testing=False)
    card["parity"] = parity(network, batcher, reader, rows[:PARITY])
    stored = [row for row in rows if len(row.question) + len(shown(row)) < 500][:STORED]
    pairs = [(row.question, shown(row)) for row in stored]
    found = reader.read(pairs, deadline=float("inf"))
    answers = [
        {"first": first, "second": second, "expected": np.round(numbers_of(one), 4).tolist()}
        for (first, second), one in zip(pairs, found, strict=True)
    ]
    (out / "selftest.json").write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return write_json(out / "card.json", card)


def parity(
    network: ReaderNetwork, batcher: ReadingBatcher, reader: OnnxReader, rows: Sequence[Reading]
) -> dict[str, float]:
    """How often the exported reader reads the same span, and decides alike whether there is an answer, as torch."""
    with torch.inference_mode():
        exact = read_with(network, batcher, rows)
    ours = reader.read([(row.question, shown(row)) for row in rows], deadline=float("inf"))
    same = [
        bool(one.spans) and tokens(shown(row)[one.spans[0].start : one.spans[0].end]) == tokens(text)
        for row, one, (text, _, _) in zip(rows, ours, exact, strict=True)
    ]
    alike = [
        bool(one.spans) and (one.spans[0].margin > 0) == (margin > 0)
        for one, (_, margin, _) in zip(ours, exact, strict=True)
    ]
    return {"same_span": round(float(np.mean(same)), 4), "same_none": round(float(np.mean(alike)), 4)}
