"""The largest input of every linear layer, column by column, over sample batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import NDArray


def column_ranges(
    module: torch.nn.Module, batches: Iterable[dict[str, torch.Tensor]]
) -> dict[str, NDArray[np.float32]]:
    """Run the batches through the module; the result is keyed by the layer's name."""
    seen: dict[str, NDArray[np.float32]] = {}

    def watch(name: str) -> Callable[..., None]:
        def hook(_module: torch.nn.Module, inputs: tuple[torch.Tensor, ...], _out: object) -> None:
            peak = inputs[0].abs().flatten(0, -2).amax(0).numpy()
            seen[name] = np.maximum(seen.get(name, peak), peak)

        return hook

    handles = [
        layer.register_forward_hook(watch(name))
        for name, layer in module.named_modules()
        if isinstance(layer, torch.nn.Linear)
    ]
    with torch.inference_mode():
        for batch in batches:
            module(**batch)
    for handle in handles:
        handle.remove()
    return seen
