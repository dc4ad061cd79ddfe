"""Writes the base judge's folder: graph, tokenizer, card, stored answers; it gates nothing until it is calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch

from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.fitting import fit_binary
from veridic.models.reader import OnnxReader, numbers_of
from veridic.models.reader_calibration import ReaderCalibration
from veridic_lab.drafts.batches import Batcher
from veridic_lab.drafts.entailing import entailed
from veridic_lab.drafts.examples import Example, of_drafts
from veridic_lab.drafts.facts import of_sheets, sheets
from veridic_lab.drafts.graph import base_graph, named_like_bert
from veridic_lab.drafts.hands import documents
from veridic_lab.drafts.network import BaseJudge, encoder_of
from veridic_lab.drafts.passages import of_documents
from veridic_lab.training.onnx_graph import Array, EncoderShape
from veridic_lab.training.ranges import column_ranges
from veridic_lab.training.ship import BITS, write_card, write_json, write_tokenizer

RANGED = 400
"""Examples whose inputs give the ranges."""
HELD = 300
"""Examples on which the exported judge is held against torch."""
STORED = 17
SHARES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0)
"""Of the margin that are tried."""
TRIED = 1_200
"""Examples by which the share is chosen, about."""
SHORT = 600
"""Characters of a stored pair, at most."""


def export_base(judge: BaseJudge, encoder: Path, out: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write the folder and return its card."""
    judge.eval()
    batcher = Batcher(write_tokenizer(encoder, out))
    learned = documents("train")
    sample = [*list(of_drafts(learned[::10]))[:RANGED], *list(of_documents(learned[::20]))[: RANGED // 2]]
    ranges = named_like_bert(column_ranges(judge, [one.inputs for one in batcher.batches(sample)]))
    weights = named_like_bert(weights_of(judge))
    passages = [*of_documents(documents("fit")), *of_sheets(sheets("fit"))]
    read = share_of_margin(judge, batcher, passages[:: 1 + len(passages) // TRIED])
    shape = shape_of(judge)
    onnx.save(base_graph(weights, ranges, shape, bits=BITS, read=read), str(out / "model.onnx"))
    card = write_card(
        out,
        name="veridic-judge-base",
        kind="base judge",
        heads=["relevance", "nli", "words", "span", "null", "decision"],
        nli_labels=["entailment", "neutral", "contradiction"],
        relevance_hears_reading=read,
        base=f"{encoder.name}, its lowest {shape.layers} layers",
        **about,
    )
    Calibration.identity(card["fingerprint"]).write(out / "calibration.json")
    ReaderCalibration.identity(card["fingerprint"]).write(out / "reader_calibration.json")
    held = [one for one in of_drafts(documents("develop")) if not one.question][:HELD]
    exported = OnnxJudge(out, self_testing=False)
    card["parity"] = _parity(entailed(judge, batcher, held), _probabilities(exported, held))
    asked = [one for one in of_documents(documents("develop")) if len(one.own) < SHORT][:STORED]
    write_json(out / "selftest.json", {"nli": _stored(exported, held), "reading": _stored_readings(out, asked)})
    return write_json(out / "card.json", card)


def weights_of(judge: BaseJudge) -> dict[str, Array]:
    """The weights as numpy arrays, by their names in torch."""
    return {name: value.numpy() for name, value in judge.state_dict().items()}


def shape_of(judge: BaseJudge) -> EncoderShape:
    """What the graph must know of the encoder beside its weights."""
    config = judge.encoder.config
    return EncoderShape(len(judge.encoder.encoder.layer), config.num_attention_heads, config.layer_norm_eps)


def share_of_margin(judge: BaseJudge, batcher: Batcher, found: Sequence[Example]) -> float:
    """How much of the reader's margin relevance hears: what tells best what answers from what does not."""
    examples = [one for one in found if one.relevant >= 0]
    truth = np.array([one.relevant for one in examples])
    helps, margin = np.zeros(len(examples)), np.zeros(len(examples))
    with torch.inference_mode():
        for batch in batcher.batches(examples):
            said = judge(**batch.inputs)
            best = said["start"].max(-1).values + said["end"].max(-1).values
            helps[batch.at], margin[batch.at] = said["relevance"].numpy(), (best - 2 * said["null"]).numpy()
    return min(SHARES, key=lambda share: _cost(helps + share * margin, truth))


def _cost(logits: np.ndarray, truth: np.ndarray) -> float:
    """The mean cross entropy of logits on their best scale."""
    scale, offset = fit_binary(logits, truth)
    told = scale * logits + offset
    return float(np.mean(np.logaddexp(0, told) - truth * told))


def _probabilities(judge: OnnxJudge, held: Sequence[Example]) -> np.ndarray:
    rows = [{"first": one.premise, "second": one.own} for one in held]
    return judge.raw_probabilities("nli", rows)


def _parity(torchs: np.ndarray, ours: np.ndarray) -> dict[str, float]:
    """How far the exported judge is from torch, in P(entailment)."""
    gap = np.abs(ours[:, 0] - torchs)
    return {"mean_difference": round(float(gap.mean()), 4), "largest": round(float(gap.max()), 4)}


def _stored(judge: OnnxJudge, held: Sequence[Example]) -> list[dict[str, Any]]:
    short = [one for one in held if len(one.premise) + len(one.own) < SHORT][:STORED]
    expected = np.round(_probabilities(judge, short), 4).tolist()
    return [
        {"first": one.premise, "second": one.own, "expected": row} for one, row in zip(short, expected, strict=True)
    ]


def _stored_readings(out: Path, asked: Sequence[Example]) -> list[dict[str, Any]]:
    reader = OnnxReader(out, calibration=out / "reader_calibration.json", self_testing=False)
    pairs = [(one.question, one.own) for one in asked]
    found = reader.read(pairs, deadline=float("inf"))
    return [
        {"first": first, "second": second, "expected": [round(number, 4) for number in numbers_of(one)]}
        for (first, second), one in zip(pairs, found, strict=True)
    ]


def export_base_from(learned: Path, encoder: Path, out: Path) -> dict[str, Any]:
    """Export what was learned: `last.pt` or `best.pt` of a run."""
    kept = torch.load(learned, weights_only=True)
    weights = kept.get("judge", kept)
    layers = 1 + max(int(name.split(".")[3]) for name in weights if name.startswith("encoder.encoder.layer."))
    judge = BaseJudge(encoder_of(encoder, layers))
    judge.load_state_dict(weights)
    seen = {name: kept[name] for name in ("pairs", "passes") if name in kept}
    return export_base(judge, encoder, out, {"learned": seen})
