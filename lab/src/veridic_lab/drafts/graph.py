"""A judge as an ONNX graph: its encoder and all heads.

The attention of an MPNet encoder hears how far tokens are apart; BERT's adds their places and kinds to the words.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
import torch
from onnx import TensorProto
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from veridic.models.onnx_encoder import MAX_TOKENS
from veridic_lab.drafts.network import BUCKETS, FAR, FIRST_PLACE
from veridic_lab.training.onnx_graph import (
    Array,
    EncoderShape,
    GraphWriter,
    Precision,
    Weights,
    to_model,
    write_encoder,
    write_layers,
    write_norm,
)

RENAMED = (
    ("attention.attn.q", "attention.self.query"),
    ("attention.attn.k", "attention.self.key"),
    ("attention.attn.v", "attention.self.value"),
    ("attention.attn.o", "attention.output.dense"),
    ("attention.LayerNorm", "attention.output.LayerNorm"),
)
"""MPNet's names for what BERT calls otherwise."""
OUTPUTS: Mapping[str, tuple[int | str, ...]] = {
    "nli": ("batch", 3),
    "words": ("batch", "tokens"),
    "start": ("batch", "tokens"),
    "end": ("batch", "tokens"),
    "null": ("batch",),
    "relevance": ("batch",),
    "decision": ("batch", 3),
}


def named_like_bert(weights: Mapping[str, Array]) -> dict[str, Array]:
    """Weights, or ranges, under the names that the graph's layers have."""
    return {_renamed(name): value for name, value in weights.items()}


def _renamed(name: str) -> str:
    name = name.removeprefix("encoder.") if name.startswith(("encoder.encoder.", "encoder.embeddings.")) else name
    for own, other in RENAMED:
        name = name.replace(own, other)
    return name


def base_graph(
    weights: Weights,
    ranges: Weights,
    shape: EncoderShape,
    *,
    precision: Precision = "int8",
    bits: int = 8,
    read: float = 0.0,
) -> onnx.ModelProto:
    """Token ids of a pair, its second text marked by `token_type_ids`, to the logits of every head.

    `read`: how much of the margin by which an answer was read is added to the logit of relevance.
    """
    measures = "encoder.relative_attention_bias.weight" in weights
    g = GraphWriter(precision, _with_places(weights) if measures else weights, bits, ranges)
    states = _mpnet(g, shape) if measures else write_encoder(g, shape, _unseen(g))
    own = g.node("Cast", "token_type_ids", to=TensorProto.FLOAT)
    far = g.node("Mul", g.node("Sub", _number(g, 1.0), own), _number(g, FAR))
    (inner,) = g.linear(states, "words.0")
    precision, g.precision = g.precision, "fp32"
    (word,) = g.linear(g.node("Gelu", inner, domain="com.microsoft"), "words.2")
    words = _outside_far(g, g.node("Squeeze", word, g.scalar(2)), own, far, "words")
    _statement(g, states, own, words, precision)
    _passage(g, states, own, far, precision, read)
    return to_model(g, OUTPUTS)


def _statement(g: GraphWriter, states: str, own: str, words: str, precision: Precision) -> None:
    """The three entailment logits."""
    wide = g.node("Unsqueeze", own, g.scalar(2))
    total = g.node("ReduceSum", g.node("Mul", states, wide), g.scalar(1), keepdims=0)
    mean = g.node("Div", total, g.node("Max", g.node("ReduceSum", wide, g.scalar(1), keepdims=0), _number(g, 1.0)))
    share = g.node("Unsqueeze", g.node("Softmax", words, axis=-1), g.scalar(2))
    worst = g.node("ReduceSum", g.node("Mul", states, share), g.scalar(1), keepdims=0)
    g.precision = precision
    (read,) = g.linear(g.node("Concat", _last(g, states), mean, worst, axis=-1), "inner.0")
    g.precision = "fp32"
    most = g.node("Clip", g.node("ReduceMax", words, axes=[-1], keepdims=1), _number(g, -20.0), _number(g, 20.0))
    (nli,) = g.linear(g.node("Concat", g.node("Tanh", read), most, axis=-1), "nli")
    g.node("Identity", nli, name="nli")


def _passage(g: GraphWriter, states: str, own: str, far: str, precision: Precision, read: float) -> None:
    """Where the answer starts and ends, that there is none, yes or no, and relevance."""
    (spans,) = g.linear(states, "span")
    best = list[str]()
    for place, name in enumerate(("start", "end")):
        column = g.node("Squeeze", g.node("Gather", spans, g.scalar(place), axis=2), g.scalar(2))
        told = _outside_far(g, column, own, far, name)
        best.append(g.node("ReduceMax", told, axes=[-1], keepdims=0))
    g.precision = precision
    (first,) = g.linear(_last(g, states), "last.0")
    g.precision = "fp32"
    (passage,) = g.linear(g.node("Tanh", first), "passage")
    null = g.node("Squeeze", g.node("Gather", passage, g.scalar(0), axis=1), g.scalar(1), name="null")
    helps = g.node("Squeeze", g.node("Gather", passage, g.scalar(1), axis=1), g.scalar(1))
    margin = g.node("Sub", g.node("Add", *best), g.node("Mul", null, _number(g, 2.0)))
    g.node("Add", helps, g.node("Mul", margin, _number(g, read)), name="relevance")
    g.node("Slice", passage, g.scalar(2), g.scalar(5), g.scalar(1), name="decision")


def _outside_far(g: GraphWriter, logits: str, own: str, far: str, name: str) -> str:
    return g.node("Add", g.node("Mul", logits, own), far, name=name)


def _last(g: GraphWriter, states: str) -> str:
    """The state of the last token of the pass."""
    return g.node("Squeeze", g.node("Slice", states, g.scalar(-1), g.scalar(MAX_TOKENS), g.scalar(1)), g.scalar(1))


def _number(g: GraphWriter, value: float) -> str:
    return g.const(np.array(value, dtype=np.float32))


def _mpnet(g: GraphWriter, shape: EncoderShape) -> str:
    length = g.node("Shape", "input_ids", start=1, end=2)
    order = g.node("Slice", g.const(np.arange(MAX_TOKENS, dtype=np.int64)), g.scalar(0), length)
    words = g.lookup("embeddings.word_embeddings", "input_ids")
    x = g.node("Add", words, g.lookup("embeddings.position_embeddings", order))
    x = write_norm(g, "embeddings.LayerNorm", x, shape)
    both = g.node("Concat", length, length, axis=0)
    near = g.node("Slice", g.const(_bias(g.weights), "relative.bias"), g.scalar(0, 0), both, g.scalar(2, 3))
    bias = g.node("Add", g.node("Cast", near, to=TensorProto.FLOAT), _unseen(g))
    return write_layers(g, shape, x, bias)


def _unseen(g: GraphWriter) -> str:
    """What keeps the first text from seeing the second, [batch, 1, tokens, tokens]."""
    own = g.node("Cast", "token_type_ids", to=TensorProto.FLOAT)
    first = g.node("Unsqueeze", g.node("Sub", _number(g, 1.0), own), g.scalar(1, 3))
    second = g.node("Unsqueeze", g.node("Mul", own, _number(g, FAR)), g.scalar(1, 2))
    return g.node("Mul", first, second)


def _bias(weights: Weights) -> Array:
    """What is added to the attention of each head between every two places, [1, heads, tokens, tokens]."""
    place = torch.arange(MAX_TOKENS)
    bucket = MPNetEncoder.relative_position_bucket(place[None, :] - place[:, None], num_buckets=BUCKETS).numpy()
    table = weights["encoder.relative_attention_bias.weight"]
    return np.asarray(table[bucket].transpose(2, 0, 1)[None], dtype=np.float16)


def _with_places(weights: Weights) -> dict[str, Array]:
    name = "embeddings.position_embeddings.weight"
    return {**weights, name: weights[name][FIRST_PLACE : FIRST_PLACE + MAX_TOKENS]}
