"""Which judges a command is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from veridic_lab.training.scoring import Head

AnyHead = Literal["both", "evaluator", "critic"]
HEADS: Mapping[AnyHead, tuple[Head, ...]] = {
    "both": ("relevance", "usefulness", "nli"),
    "evaluator": ("relevance", "usefulness"),
    "critic": ("nli",),
}
