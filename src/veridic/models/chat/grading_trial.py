"""Trying a chat model as a grader once, on pairs whose grade is beyond doubt: following instructions is not grading.

A model that says yes, no or "in part" to everything grades half of them rightly, and a weak judge makes correction
worse than none. What was found is kept by the model's name and the digest of the prompts.
"""

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from veridic.models.chat.grades import Support
from veridic.ports.shapes import GradeName
from veridic.runtime.kept import Kept

Pair = tuple[str, str]
PASSAGES: tuple[tuple[Pair, bool], ...] = (
    (("When was the Alder Bridge opened?", "The Alder Bridge was opened in 1932 by mayor Clara Voss."), True),
    (("How many books does the Marsh Library hold?", "The Marsh Library holds ninety thousand books."), True),
    (("When was the Alder Bridge opened?", "The Marsh Library was restored in 2004 and has a reading room."), False),
    (("Who painted the Alder Bridge?", "The Alder Bridge is 412 metres long and has four lanes."), False),
)
"""A question, a passage, and whether it answers."""
SENTENCES: tuple[tuple[Pair, bool], ...] = (
    (("The Alder Bridge was opened in 1932 by mayor Clara Voss.", "The Alder Bridge was opened in 1932."), True),
    (("The Marsh Library holds ninety thousand books.", "The Marsh Library holds ninety thousand books."), True),
    (("The Alder Bridge was opened in 1932 by mayor Clara Voss.", "The Alder Bridge was opened in 1955."), False),
    (("The Marsh Library holds ninety thousand books.", "The Alder Bridge has four lanes."), False),
)
"""A premise, a sentence, and whether it is supported."""
PAIRS = len(PASSAGES) + len(SENTENCES)
NEEDED = 7
"""Pairs that must be graded rightly; by chance one model in thirty does so."""
RIGHT: dict[bool, frozenset[GradeName]] = {True: frozenset({"full"}), False: frozenset({"none", "contradicted"})}

Graded = Callable[[Sequence[Pair]], Sequence[Support | None]]


class GradingTrial:
    """What became of one model's trial; held once, by whoever first needs it. Safe in several threads."""

    def __init__(self, name: str, digest: str, folder: Path | None) -> None:
        """`folder` keeps what is found; None: this process alone does."""
        self._key = hashlib.sha256(f"{name}\0{digest}\0{PASSAGES}{SENTENCES}".encode()).hexdigest()[:32]
        self._kept = Kept(folder)
        self._lock = threading.Lock()
        self._right: int | None = None

    @property
    def failed(self) -> bool:
        """Whether it graded too few of the pairs rightly; nothing is graded before the trial was held."""
        return self._right is not None and self._right < NEEDED

    def hold(self, passages: Graded, sentences: Graded) -> None:
        """Hold it, unless it was held before; raises what grading raises, and then it is still to be held."""
        with self._lock:
            if self._right is not None:
                return
            known = self._kept.read(self._key).get("right")
            self._right = known if isinstance(known, int) else None
            if self._right is None:
                self._right = _right(passages, PASSAGES) + _right(sentences, SENTENCES)
                self._kept.keep(self._key, {"right": self._right, "of": PAIRS})


def _right(graded: Graded, pairs: Sequence[tuple[Pair, bool]]) -> int:
    found = graded([pair for pair, _ in pairs])
    return sum(one is not None and one.grade in RIGHT[wanted] for one, (_, wanted) in zip(found, pairs, strict=True))
