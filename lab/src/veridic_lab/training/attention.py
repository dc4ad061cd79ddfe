"""Attention in float32 inside a bfloat16 run, as another attention of transformers.

On a processor the fused kernel's backward pass is half as fast in bfloat16 as in float32, and a quarter of a step.
"""

from __future__ import annotations

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import sdpa_mask

FLOAT32 = "sdpa_float32"
"""The name to load an encoder with."""


def float32_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    **options: object,
) -> tuple[torch.Tensor, None]:
    """What `sdpa` gives, multiplied in float32 and given back in the type of `query`."""
    if attention_mask is not None and attention_mask.is_floating_point():
        attention_mask = attention_mask.float()
    with torch.autocast("cpu", enabled=False):
        found, _ = sdpa_attention_forward(module, query.float(), key.float(), value.float(), attention_mask, **options)
    return found.to(query.dtype), None


AttentionInterface.register(FLOAT32, float32_attention)
AttentionMaskInterface.register(FLOAT32, sdpa_mask)
