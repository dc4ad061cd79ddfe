"""An exported judge or reader read back into torch, so that training can go on from what ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from veridic.errors import UsageError
from veridic_lab.training.network import PairEncoder

Arrays = dict[str, NDArray[Any]]


def start_from(network: PairEncoder, start: Path) -> None:
    """Put the weights of a checkpoint or of an exported folder into the network."""
    if start.is_dir():
        restore(network, start)
        return
    saved = torch.load(start, weights_only=True)
    network.load_state_dict(saved.get("network", saved))


def restore(network: PairEncoder, folder: Path) -> None:
    """Put the weights of an exported folder into the network, as exact as 7 bits are.

    Places beyond those that a pass can have stay as they were. Raises `UsageError` for a graph that another version
    wrote.
    """
    stored = {c.name: numpy_helper.to_array(c) for c in onnx.load(str(folder / "model.onnx")).graph.initializer}
    state = network.state_dict()
    for name, old in state.items():
        layer = name.removeprefix("encoder.").removesuffix(".weight")
        found = _weight(stored, layer, name.removeprefix("encoder."))
        if found is None:
            raise UsageError(
                f"{folder} does not hold {layer} by its name.", "Export it again, or start from a checkpoint."
            )
        old[: len(found)] = torch.from_numpy(np.array(found, dtype=np.float32))
    network.load_state_dict(state)


def _weight(stored: Arrays, layer: str, name: str) -> NDArray[Any] | None:
    if name in stored:
        return stored[name]
    if f"{layer}.matrix" in stored:
        return stored[f"{layer}.matrix"].T
    if f"{layer}.codes" not in stored:
        return None
    exact = stored[f"{layer}.codes"].astype(np.float32) * stored[f"{layer}.scale"].astype(np.float32)
    if "embeddings" in layer:
        return np.asarray(exact)
    unshift = stored.get(f"{_first(layer)}.unshift")
    return np.asarray((exact if unshift is None else exact * unshift[:, None]).T)


def _first(layer: str) -> str:
    """Of layers that share their input the one that names it."""
    for later in ("key", "value"):
        if layer.endswith(f"attention.self.{later}"):
            return layer.removesuffix(later) + "query"
    return {"nli.dense": "relevance.dense", "decision.dense": "null.dense"}.get(layer, layer)
