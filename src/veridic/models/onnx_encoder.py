"""One ONNX encoder file with its tokenizer, loaded when first used."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veridic.errors import DeadlineExceeded, WeightsDamaged, WeightsUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_TOKENS = 256
TOKEN_BUDGET = 4096
SHIPPED = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class Tokens:
    """One input: token ids and, for a pair, which of the two texts each belongs to."""

    ids: Sequence[int]
    kinds: Sequence[int]


def fingerprint_of(folder: Path) -> str:
    """The first 16 hex digits of the SHA-256 of model and tokenizer together."""
    digest = hashlib.sha256()
    for name in ("model.onnx", "tokenizer.json"):
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]


def length_batches(lengths: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices, shortest first, in batches whose padded size stays within `budget` tokens.

    A text longer than the budget is a batch of its own.
    """
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and lengths[index] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def check_time(deadline: float) -> None:
    """Raises `DeadlineExceeded` when the deadline is over."""
    if time.time() > deadline:
        raise DeadlineExceeded("The judge ran out of time.", "Allow a larger time budget.")


class OnnxEncoder:
    """Tokenizer and session of one folder; safe to call from several threads."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Read the card only; weights are loaded by the first `run`. `threads` 0 means all."""
        self.folder = folder
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Tokenizer, InferenceSession] | None = None
        self.card = self._read_card()

    @property
    def fingerprint(self) -> str:
        """As the card has it; loading checks the files against it."""
        return str(self.card["fingerprint"])

    def load(self) -> tuple[Tokenizer, InferenceSession]:
        """Tokenizer and session, loaded once. Raises `WeightsDamaged` when the files changed."""
        with self._lock:
            if self._loaded is None:
                self._check()
                self._loaded = (self._open_tokenizer(), self._open_session())
            return self._loaded

    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself."""
        _, session = self.load()
        return dict(session.get_modelmeta().custom_metadata_map)

    def run(self, texts: Sequence[Tokens], outputs: Sequence[str], *, deadline: float) -> list[NDArray[np.float32]]:
        """The named outputs, one row a text, in the order given."""
        _, session = self.load()
        rows: list[list[Any]] = [[None] * len(texts) for _ in outputs]
        for batch in length_batches([len(t.ids) for t in texts], TOKEN_BUDGET):
            check_time(deadline)
            results = session.run(list(outputs), _feed([texts[i] for i in batch]))
            for column, values in zip(rows, results, strict=True):
                for index, value in zip(batch, values, strict=True):
                    column[index] = value
        return [np.asarray(column, dtype=np.float32) for column in rows]

    def _read_card(self) -> dict[str, Any]:
        path = self.folder / "card.json"
        if not path.is_file():
            raise WeightsUnavailable(f"No model card at {path}.", "Reinstall veridic.")
        card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return card

    def _check(self) -> None:
        missing = [n for n in ("model.onnx", "tokenizer.json") if not (self.folder / n).is_file()]
        if missing:
            raise WeightsUnavailable(f"{self.folder} lacks {' and '.join(missing)}.", "Reinstall veridic.")
        if fingerprint_of(self.folder) != self.fingerprint:
            raise WeightsDamaged(
                f"The files in {self.folder} are not those its card describes.",
                "Reinstall veridic, or export the model again.",
            )

    def _open_tokenizer(self) -> Tokenizer:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def _open_session(self) -> InferenceSession:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(
            str(self.folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )


def _feed(texts: Sequence[Tokens]) -> dict[str, NDArray[np.int64]]:
    width = max(len(t.ids) for t in texts)
    feed = {
        name: np.zeros((len(texts), width), dtype=np.int64)
        for name in ("input_ids", "attention_mask", "token_type_ids")
    }
    for row, tokens in enumerate(texts):
        size = len(tokens.ids)
        feed["input_ids"][row, :size] = tokens.ids
        feed["attention_mask"][row, :size] = 1
        feed["token_type_ids"][row, :size] = tokens.kinds
    return feed
