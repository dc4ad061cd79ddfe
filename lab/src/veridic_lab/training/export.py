"""The embedder, the judge and the reader as ONNX graphs of one file each."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto

from veridic_lab.training.onnx_graph import (
    EncoderShape,
    GraphWriter,
    Precision,
    Weights,
    mean_pool,
    to_model,
    write_encoder,
)

POOLED_LENGTH = 4.0
"""As in `network.JudgeNetwork`; here so that a graph can be written without torch."""
NEARNESS = 6.0
"""Logits that a cosine of 1 adds: what new judges are exported with; measured in docs/decisions.md."""
MINILM = EncoderShape(layers=6, heads=12, epsilon=1e-12)


def embedder_graph(weights: Weights, ranges: Weights, precision: Precision = "int8", bits: int = 8) -> onnx.ModelProto:
    """Token ids to unit-length sentence embeddings, pooling inside."""
    g = GraphWriter(precision, weights, bits, ranges)
    pooled = mean_pool(g, write_encoder(g, MINILM))
    g.node("LpNormalization", pooled, name="embedding", axis=-1, p=2)
    width = int(weights["embeddings.LayerNorm.weight"].shape[0])
    return to_model(g, {"embedding": ("batch", width)})


def judge_graph(
    weights: Weights, ranges: Weights, precision: Precision = "int8", bits: int = 8, shape: EncoderShape = MINILM
) -> onnx.ModelProto:
    """Token ids of a pair to `relevance`, `usefulness` and `nli` logits; what nearness adds is in its metadata."""
    g = GraphWriter(precision, weights, bits, ranges)
    pooled = _pooled(g, write_encoder(g, shape))
    inner = g.linear(pooled, "relevance.dense", "nli.dense")
    g.precision = "fp32"
    relevance, useful = g.linear(g.node("Tanh", inner[0]), "relevance.out", "usefulness")
    (nli,) = g.linear(g.node("Tanh", inner[1]), "nli.out")
    g.node("Squeeze", relevance, g.scalar(1), name="relevance")
    g.node("Squeeze", useful, g.scalar(1), name="usefulness")
    g.node("Identity", nli, name="nli")
    outputs = {"relevance": ("batch",), "usefulness": ("batch",), "nli": ("batch", 3)}
    return to_model(g, outputs, {"nearness": str(NEARNESS)})


def reader_graph(
    weights: Weights, ranges: Weights, precision: Precision = "int8", bits: int = 8, shape: EncoderShape = MINILM
) -> onnx.ModelProto:
    """Token ids of a pair to `start` and `end` logits by token, a `null` logit and three `decision` logits."""
    g = GraphWriter(precision, weights, bits, ranges)
    states = write_encoder(g, shape)
    inner = g.linear(_pooled(g, states), "null.dense", "decision.dense")
    g.precision = "fp32"
    (spans,) = g.linear(states, "span")
    (null,) = g.linear(g.node("Tanh", inner[0]), "null.out")
    (decision,) = g.linear(g.node("Tanh", inner[1]), "decision.out")
    for place, name in enumerate(("start", "end")):
        g.node("Squeeze", g.node("Gather", spans, g.scalar(place), axis=2), g.scalar(2), name=name)
    g.node("Squeeze", null, g.scalar(1), name="null")
    g.node("Identity", decision, name="decision")
    outputs = {"start": ("batch", "tokens"), "end": ("batch", "tokens"), "null": ("batch",), "decision": ("batch", 3)}
    return to_model(g, outputs)


def _pooled(g: GraphWriter, states: str) -> str:
    """Both texts' directions, their distance and their product, as in `network.PairEncoder`."""
    second_mask = g.node("Cast", "token_type_ids", to=TensorProto.FLOAT)
    both_masks = g.node("Cast", "attention_mask", to=TensorProto.FLOAT)
    first = _direction(g, states, g.node("Sub", both_masks, second_mask))
    second = _direction(g, states, second_mask)
    distance = g.node("Abs", g.node("Sub", first, second))
    return g.node("Concat", first, second, distance, g.node("Mul", first, second), axis=-1)


def _direction(g: GraphWriter, states: str, mask: str) -> str:
    """The sum of the masked states, brought to one length."""
    kept = g.node("Mul", states, g.node("Unsqueeze", mask, g.scalar(2)))
    unit = g.node("LpNormalization", g.node("ReduceSum", kept, g.scalar(1), keepdims=0), axis=-1, p=2)
    return g.node("Mul", unit, g.const(np.array(POOLED_LENGTH, dtype=np.float32)))
