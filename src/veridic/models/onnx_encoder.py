"""One ONNX encoder file with its tokenizer, loaded when first used."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veridic.errors import DeadlineExceeded, WeightsDamaged, WeightsUnavailable
from veridic.settings import usable_cpus

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

Pair = tuple[str, str]

MAX_TOKENS = 256
BATCH = 32
"""Pairs that are made ready together: no longer than the time between two looks at the clock."""
SHIPPED = Path(__file__).parent / "shipped"


@dataclass(frozen=True)
class Tokens:
    """One input: token ids and, for a pair, which of the two texts each belongs to."""

    ids: Sequence[int]
    kinds: Sequence[int]


def fingerprint_of(folder: Path) -> str:
    """The first 16 hex digits of the SHA-256 of model and tokenizer together."""
    return digest_of([folder / "model.onnx", folder / "tokenizer.json"])


def digest_of(files: Sequence[Path]) -> str:
    """The first 16 hex digits of the SHA-256 of files, one after the other."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def in_time(pairs: Sequence[Pair], deadline: float) -> Iterator[Sequence[Pair]]:
    """The pairs in batches; raises `DeadlineExceeded` before one for which the deadline leaves no time."""
    for start in range(0, len(pairs), BATCH):
        check_time(deadline)
        yield pairs[start : start + BATCH]


def check_time(deadline: float) -> None:
    """Raises `DeadlineExceeded` when the deadline is over."""
    if time.time() > deadline:
        raise DeadlineExceeded("The judge ran out of time.", "Allow a larger time budget.")


class OnnxEncoder:
    """Tokenizer and session of one folder; safe to call from several threads.

    Each text is a pass of its own, as many at once as there are threads. The 8-bit products
    measure a whole pass to set their scale, so that a text would get other numbers in other
    company; and passes that share a processor with someone wait for nobody.
    """

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Read the card only; weights are loaded by the first `run`. `threads` 0 means all."""
        self.folder = folder
        self._passes = ThreadPoolExecutor(threads or usable_cpus(), thread_name_prefix="veridic-encoder")
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
        """The named outputs, one row a text, in the order given; rows must be of one length."""
        return [np.asarray(column, dtype=np.float32) for column in self.columns(texts, outputs, deadline=deadline)]

    def columns(
        self, texts: Sequence[Tokens], outputs: Sequence[str], *, deadline: float
    ) -> list[list[NDArray[np.float32]]]:
        """The named outputs as rows, one a text, in the order given; what is told by token is as long as its text."""
        _, session = self.load()

        def told(text: Tokens) -> list[NDArray[np.float32]]:
            check_time(deadline)
            return [values[0] for values in session.run(list(outputs), _feed(text))]

        rows = list(self._passes.map(told, texts))
        return [[row[place] for row in rows] for place in range(len(outputs))]

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

        onnxruntime.disable_telemetry_events()  # where it was loaded before veridic, the environment came too late
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        # The files are written as they run fastest; a higher level would fuse sums and norms, which is slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(self._open_model(), options, providers=["CPUExecutionProvider"])

    def _open_model(self) -> str | bytes:
        """What the session is made of: the file, or the bytes of one."""
        return str(self.folder / "model.onnx")


def _feed(text: Tokens) -> dict[str, NDArray[np.int64]]:
    ids = np.array([text.ids], dtype=np.int64)
    kinds = np.array([text.kinds], dtype=np.int64)
    return {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
