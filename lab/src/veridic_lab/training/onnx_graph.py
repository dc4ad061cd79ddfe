"""A BERT-like encoder written node by node as an ONNX graph of fused operators.

Writing the graph, instead of tracing the torch module, makes the file small and the
operators exactly those that onnxruntime runs fastest: fused attention, 8-bit matrix products
whose weights stay in 8 bits, and sums and norms apart, since fused they take four times as long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from veridic.models.onnx_encoder import MAX_TOKENS

Precision = Literal["fp32", "int8"]
Array = NDArray[Any]
Attribute = int | float | str | list[int]
Weights = Mapping[str, Array]

CONTRIB = "com.microsoft"
BALANCE = 0.85
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


@dataclass(frozen=True)
class EncoderShape:
    """What the graph must know of the encoder beside its weights."""

    layers: int
    heads: int
    epsilon: float


def quantise_columns(weight: Array, bits: int = 8) -> tuple[Array, Array]:
    """Symmetric per-column int8 codes and scales of a [in, out] matrix."""
    top = 2 ** (bits - 1) - 1
    scale = np.maximum(np.abs(weight).max(axis=0), 1e-8) / top
    codes = np.clip(np.rint(weight / scale), -top, top).astype(np.int8)
    return codes, scale.astype(np.float32)


def quantise_rows(table: Array) -> tuple[Array, Array]:
    """Symmetric per-row int8 codes and scales of an embedding table."""
    scale = np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-8) / 127
    return np.rint(table / scale).astype(np.int8), scale.astype(np.float16)


def balance(spread: Array, matrices: Sequence[Array]) -> Array:
    """Per-column factors that move the spread of a layer's input into its weights.

    One input column far larger than the rest costs all others their precision, since the
    input is quantised with one scale.
    """
    peak = np.max([np.abs(matrix).max(axis=1) for matrix in matrices], axis=0)
    shift = np.maximum(spread, 1e-3) ** BALANCE / np.maximum(peak, 1e-3) ** (1 - BALANCE)
    return np.asarray(shift, dtype=np.float32)


@dataclass
class GraphWriter:
    """Collects nodes and constants; every method returns the name of what it made."""

    precision: Precision
    weights: Weights
    bits: int = 8
    ranges: Weights = field(default_factory=dict)
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def const(self, value: Array, name: str | None = None) -> str:
        """Store a constant; weights go under their layer's name, so that they can be read back."""
        name = name or f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, op: str, *inputs: str, domain: str = "", name: str | None = None, **attributes: Attribute) -> str:
        """Add a node with one output; an empty input name skips an optional input."""
        out = name or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [out], domain=domain, **attributes))
        return out

    def linear(self, x: str, *layers: str) -> list[str]:
        """`x @ weight + bias` for each named layer; the layers share their input."""
        matrices = [self.weights[f"{layer}.weight"].T for layer in layers]
        if self.precision == "int8" and layers[0] in self.ranges:
            shift = balance(self.ranges[layers[0]], matrices)
            x = self.node("Mul", x, self.const(1 / shift, f"{layers[0]}.unshift"))
            matrices = [matrix * shift[:, None] for matrix in matrices]
        return [self._product(x, layer, matrix) for layer, matrix in zip(layers, matrices, strict=True)]

    def _product(self, x: str, layer: str, weight: Array) -> str:
        bias = self.weight(f"{layer}.bias")
        if self.precision == "fp32":
            return self.node("Add", self.node("MatMul", x, self.const(weight, f"{layer}.matrix")), bias)
        codes, scale = quantise_columns(weight, self.bits)
        inputs = (x, self.const(codes, f"{layer}.codes"), self.const(scale, f"{layer}.scale"), "", bias)
        return self.node("DynamicQuantizeMatMul", *inputs, domain=CONTRIB)

    def weight(self, name: str) -> str:
        """Store a weight as it is."""
        return self.const(self.weights[name], name)

    def lookup(self, name: str, ids: str) -> str:
        """Rows of an embedding table, of which the first `MAX_TOKENS` are places."""
        table = self.weights[f"{name}.weight"]
        table = table[:MAX_TOKENS] if name.endswith("position_embeddings") else table
        if self.precision == "fp32":
            return self.node("Gather", self.const(table, f"{name}.weight"), ids)
        codes, scale = quantise_rows(table)
        rows = self.node("Gather", self.const(codes, f"{name}.codes"), ids)
        wide = self.node("Cast", rows, to=TensorProto.FLOAT)
        scales = self.node("Cast", self.node("Gather", self.const(scale, f"{name}.scale"), ids), to=TensorProto.FLOAT)
        return self.node("Mul", wide, scales)

    def scalar(self, *values: int) -> str:
        """A small int64 vector."""
        return self.const(np.array(values, dtype=np.int64))


def write_encoder(g: GraphWriter, shape: EncoderShape, bias: str = "") -> str:
    """Write BERT's embeddings and the layers; returns the token states [batch, tokens, hidden]."""
    return write_layers(g, shape, _embeddings(g, shape), bias)


def write_layers(g: GraphWriter, shape: EncoderShape, x: str, bias: str) -> str:
    """Write all layers over embeddings; `bias` is added to their attention, where there is one."""
    mask = g.node("Cast", "attention_mask", to=TensorProto.INT32)
    for layer in range(shape.layers):
        x = _layer(g, f"encoder.layer.{layer}.", shape, x, mask, bias)
    return x


def _embeddings(g: GraphWriter, shape: EncoderShape) -> str:
    at = "embeddings."
    words = g.lookup(f"{at}word_embeddings", "input_ids")
    kinds = g.node("Gather", g.weight(f"{at}token_type_embeddings.weight"), "token_type_ids")
    length = g.node("Shape", "input_ids", start=1, end=2)
    order = g.const(np.arange(MAX_TOKENS, dtype=np.int64))
    places = g.lookup(f"{at}position_embeddings", g.node("Slice", order, g.scalar(0), length))
    total = g.node("Add", g.node("Add", words, kinds), places)
    return write_norm(g, f"{at}LayerNorm", total, shape)


def _layer(g: GraphWriter, at: str, shape: EncoderShape, x: str, mask: str, bias: str) -> str:
    parts = g.linear(x, *(f"{at}attention.self.{part}" for part in ("query", "key", "value")))
    mixed = g.node(
        "MultiHeadAttention", *parts, "", mask, *([bias] if bias else []), domain=CONTRIB, num_heads=shape.heads
    )
    (mixed,) = g.linear(mixed, f"{at}attention.output.dense")
    x = write_norm(g, f"{at}attention.output.LayerNorm", g.node("Add", mixed, x), shape)
    (inner,) = g.linear(x, f"{at}intermediate.dense")
    (outer,) = g.linear(g.node("Gelu", inner, domain=CONTRIB), f"{at}output.dense")
    return write_norm(g, f"{at}output.LayerNorm", g.node("Add", outer, x), shape)


def write_norm(g: GraphWriter, at: str, x: str, shape: EncoderShape) -> str:
    """Layer normalisation."""
    inputs = (x, g.weight(f"{at}.weight"), g.weight(f"{at}.bias"))
    return g.node("LayerNormalization", *inputs, axis=-1, epsilon=shape.epsilon)


def to_model(g: GraphWriter, outputs: Mapping[str, tuple[int | str, ...]]) -> onnx.ModelProto:
    """Close the graph; `outputs` gives each output's shape."""
    axes = ["batch", "tokens"]
    graph = helper.make_graph(
        g.nodes,
        "encoder",
        [helper.make_tensor_value_info(name, TensorProto.INT64, axes) for name in INPUTS],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape)) for name, shape in outputs.items()],
        g.constants,
    )
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9)
