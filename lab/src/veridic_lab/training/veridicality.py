"""Sentences inside another that vouches for them, or does not: "it turned out that" against "some claimed that".

What follows a factive verb is so; what is asked, denied, supposed or claimed is not therefore so.
"""

from __future__ import annotations

from dataclasses import dataclass

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


LEARNED = Frames(
    vouching=(
        "It is known that {}.",
        "Records show that {}.",
        "It turned out that {}.",
        "The inquiry confirmed that {}.",
        "Few people realise that {}.",
        "Many visitors do not know that {}.",
        "It is no secret that {}.",
        "There is no doubt that {}.",
        "They found out that {}.",
        "The results proved that {}.",
        "It surprised many that {}.",
        "Critics admitted that {}.",
        "The authors showed that {}.",
        "She remembered that {}.",
        "The fact that {} is easily overlooked.",
        "It is not only true that {}, it is also well documented.",
        "Since {}, it attracts attention to this day.",
    ),
    open=(
        "It is not known whether {}.",
        "It remains unclear whether {}.",
        "The study examined whether {}.",
        "Our aim was to determine if {}.",
        "The committee asked whether {}.",
        "Critics doubted that {}.",
        "Some claimed that {}.",
        "It was rumoured that {}.",
        "It is a common myth that {}.",
        "The theory that {} was rejected.",
        "Nobody could show that {}.",
        "The company denied that {}.",
        "If {}, other accounts must be wrong.",
        "Unless {}, nothing will change.",
        "Many hoped that {}.",
        "Some feared that {}.",
        "Until then it was assumed that {}.",
        "There is no evidence that {}.",
        "Opponents argued that {}.",
        "It is unlikely that {}.",
        "It is not true that {}.",
        "Imagine that {}.",
        "In the novel, {}.",
    ),
)
MEASURED = Frames(
    vouching=(
        "The court established that {}.",
        "It is well documented that {}.",
        "Nobody noticed that {}.",
        "He was proud that {}.",
    ),
    open=(
        "Scholars disagree on whether {}.",
        "The minister rejected the idea that {}.",
        "Some people believe that {}.",
        "It was falsely reported that {}.",
        "They wondered if {}.",
        "Suppose that {}.",
    ),
)
"""For held-out passages and unseen text: no frame of these is learned."""
