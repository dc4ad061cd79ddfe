"""Writes what every exported folder has: tokenizer and card; and the embedder's folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto
from tokenizers import Tokenizer

from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import MAX_TOKENS, fingerprint_of
from veridic_lab.training.onnx_graph import EncoderShape, GraphWriter, Weights, to_model, write_encoder
from veridic_lab.training.ranges import column_ranges

BITS = 7
"""Weights use 7 of 8 bits: processors without VNNI would otherwise overflow and score differently."""
MINILM = EncoderShape(layers=6, heads=12, epsilon=1e-12)


def embedder_graph(weights: Weights, ranges: Weights) -> onnx.ModelProto:
    """Token ids to unit-length sentence embeddings, pooling inside."""
    g = GraphWriter("int8", weights, BITS, ranges)
    states = write_encoder(g, MINILM)
    keep = g.node("Unsqueeze", g.node("Cast", "attention_mask", to=TensorProto.FLOAT), g.scalar(2))
    total = g.node("ReduceSum", g.node("Mul", states, keep), g.scalar(1), keepdims=0)
    pooled = g.node("Div", total, g.node("ReduceSum", keep, g.scalar(1), keepdims=0))
    g.node("LpNormalization", pooled, name="embedding", axis=-1, p=2)
    return to_model(g, {"embedding": ("batch", int(weights["embeddings.LayerNorm.weight"].shape[0]))})


def export_embedder(base: Path, out: Path, texts: Sequence[str]) -> dict[str, Any]:
    """Write the embedder's folder and return its card; `texts` give the ranges and the parity."""
    from transformers import AutoModel

    network = AutoModel.from_pretrained(str(base)).eval()
    tokenizer = write_tokenizer(base, out)
    weights = {name: value.numpy() for name, value in network.state_dict().items()}
    batches = list(_batches(tokenizer, texts))
    onnx.save(embedder_graph(weights, column_ranges(network, batches)), str(out / "model.onnx"))
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


def _batches(tokenizer: Tokenizer, texts: Sequence[str]) -> Iterator[dict[str, torch.Tensor]]:
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()
    for start in range(0, len(texts), 16):
        found = tokenizer.encode_batch(list(texts[start : start + 16]))
        columns = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
        yield {name: torch.tensor([getattr(one, own) for one in found]) for name, own in columns.items()}


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
