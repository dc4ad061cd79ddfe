"""A judge in torch from its exported file, the inverse of `exporting`: so that what ships learns on, or is saved anew.

`python -m veridic_lab.drafts.restoring OUT.pt [--folder FOLDER] [--encoder FOLDER]` writes the weights. The file
holds 8-bit codes, so a weight comes back as near as its scale, and places of `MAX_TOKENS` tokens. Those of longer rows
come from the encoder that it began as, since training leaves them as they are: with it `veridic train base RUN --base
FOLDER --start OUT.pt` goes on.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from transformers import AutoModel, MPNetConfig, MPNetModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from veridic.errors import MissingExtra, UsageError
from veridic.models.by_settings import base_folder
from veridic.models.onnx_encoder import MAX_TOKENS
from veridic_lab.drafts.graph import RENAMED
from veridic_lab.drafts.network import BUCKETS, FIRST_PLACE, BaseJudge
from veridic_lab.training.onnx_graph import Array

BIAS = "encoder.relative_attention_bias.weight"
PLACES = "embeddings.position_embeddings.weight"


def restored(folder: Path, encoder: Path | None = None) -> BaseJudge:
    """The judge of an exported folder, of MPNet's kind.

    Without the folder of the encoder it reads `MAX_TOKENS` tokens a row. Raises `UsageError` for one of another kind.
    """
    graph = onnx.load(folder / "model.onnx").graph
    weights = weights_in(graph)
    if BIAS not in weights:
        raise UsageError(f"{folder} holds no judge of MPNet's kind.", "Name the folder of a base judge.")
    places = AutoModel.from_pretrained(encoder).state_dict()[PLACES].numpy() if encoder else None
    judge = BaseJudge(MPNetModel(_config(graph, weights, places), add_pooling_layer=False))
    weights[PLACES] = _placed(weights[PLACES], judge.encoder.config.max_position_embeddings, places)
    judge.load_state_dict({_in_torch(name): torch.tensor(value) for name, value in weights.items()})
    judge.eval()
    return judge


def weights_in(graph: onnx.GraphProto) -> dict[str, Array]:
    """The weights of an exported graph in full precision, by the names that its layers have."""
    constants = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found = dict(_products(graph, constants))
    for name, value in constants.items():
        layer, _, kind = name.rpartition(".")
        if kind == "matrix":
            found[f"{layer}.weight"] = value.T
        elif kind == "codes" and f"{layer}.weight" not in found:
            found[f"{layer}.weight"] = value.astype(np.float32) * constants[f"{layer}.scale"].astype(np.float32)
        elif kind in ("weight", "bias") and name != "relative.bias":
            found[name] = value
    if "relative.bias" in constants:
        found[BIAS] = _buckets(constants["relative.bias"])
    return found


def _products(graph: onnx.GraphProto, constants: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    """The matrices of products in 8 bits, whose rows a factor on the input may have been moved into."""
    factors = {one.output[0]: one.input[1] for one in graph.node if one.op_type == "Mul"}
    for node in graph.node:
        if node.op_type == "DynamicQuantizeMatMul":
            states, codes, scale, *_ = node.input
            matrix = constants[codes].astype(np.float32) * constants[scale]
            factor = factors.get(states, "")
            if factor.endswith(".unshift"):
                matrix = matrix * constants[factor][:, None]
            yield f"{codes.removesuffix('.codes')}.weight", matrix.T


def _buckets(bias: Array) -> Array:
    """The table of distances [buckets, heads] from the attention bias between every two places."""
    place = torch.arange(MAX_TOKENS)
    bucket = MPNetEncoder.relative_position_bucket(place[None, :] - place[:, None], num_buckets=BUCKETS).numpy()
    table = np.zeros((BUCKETS, bias.shape[1]), dtype=np.float32)
    table[bucket.ravel()] = bias[0].transpose(1, 2, 0).reshape(-1, bias.shape[1])
    return table


def _placed(kept: Array, rows: int, places: Array | None) -> Array:
    """The table of places as torch has it: before the first one, and after the last of the file, the encoder's."""
    table = np.zeros((rows, kept.shape[1]), dtype=np.float32) if places is None else places.copy()
    table[FIRST_PLACE : FIRST_PLACE + len(kept)] = kept
    return np.asarray(table, dtype=np.float32)


def _config(graph: onnx.GraphProto, weights: Mapping[str, Array], places: Array | None) -> MPNetConfig:
    vocabulary, width = weights["embeddings.word_embeddings.weight"].shape
    layers = [name for name in weights if name.endswith("intermediate.dense.bias")]
    return MPNetConfig(
        vocab_size=vocabulary,
        hidden_size=width,
        num_hidden_layers=len(layers),
        num_attention_heads=_attribute(graph, "MultiHeadAttention", "num_heads"),
        intermediate_size=len(weights[layers[0]]),
        layer_norm_eps=_attribute(graph, "LayerNormalization", "epsilon"),
        max_position_embeddings=FIRST_PLACE + MAX_TOKENS if places is None else len(places),
    )


def _attribute(graph: onnx.GraphProto, operator: str, name: str) -> Any:  # noqa: ANN401 - of any type
    node = next(one for one in graph.node if one.op_type == operator)
    return next(onnx.helper.get_attribute_value(one) for one in node.attribute if one.name == name)


def _in_torch(name: str) -> str:
    """The name of a weight in torch's network: of the encoder, where MPNet's layers have names of their own."""
    if not name.startswith(("encoder.", "embeddings.")):
        return name
    for own, other in RENAMED:
        name = name.replace(other, own)
    return f"encoder.{name}"


def main() -> None:
    """Write the weights of the base judge that is installed, or of a folder."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("out", type=Path)
    options.add_argument("--folder", type=Path, default=base_folder(), help="else the base judge that is installed")
    options.add_argument("--encoder", type=Path, help="all-mpnet-base-v2, for rows of more tokens")
    told = options.parse_args()
    if told.folder is None:
        raise MissingExtra("The base judge is not installed.", "pip install 'veridic[base]'")
    torch.save(restored(told.folder, told.encoder).state_dict(), told.out)


if __name__ == "__main__":
    main()
