"""Sentences inside another that vouches for them, or does not: "it turned out that" against "some claimed that".

What follows a factive verb is so; what is asked, denied, supposed or claimed is not therefore so.
"""

from __future__ import annotations

from dataclasses import dataclass

from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng, inside, pick


@dataclass(frozen=True)
class Frames:
    """What a sentence is put into, in place of the braces."""

    vouching: tuple[str, ...]
    open: tuple[str, ...]

    def told(self, sentence: str, rng: Rng, *, vouched: bool) -> str | None:
        """The sentence in a frame that vouches for it or does not; None for one that cannot stand in another."""
        clause = inside(sentence)
        return pick(rng, self.vouching if vouched else self.open).format(clause) if clause else None


LEARNED, MEASURED = (Frames(**{kind: tuple(said) for kind, said in one.items()})
                     for one in table(__package__, "frames").values())  # fmt: skip
"""Those of `MEASURED` are for held-out passages and unseen text: no frame of these is learned."""
