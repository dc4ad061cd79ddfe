"""One ONNX encoder with its tokenizer, open once a process; what its outputs mean is a head's matter."""

from __future__ import annotations

import hashlib
import json
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from veridic.errors import DeadlineExceeded, JudgeFailed, WeightsDamaged, WeightsUnavailable
from veridic.models.onnx_prefix import prefix_of
from veridic.models.opened import ENCODERS
from veridic.runtime.kept import Kept, Recent
from veridic.settings import usable_cpus

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

    from veridic.models.scorers import Pairs

MAX_TOKENS = 256
REMEMBERED = 64
"""Passes whose outputs are kept where they are dear: what the evaluator asks of a passage the reader asks, too."""
BATCH = 32
"""Pairs that are made ready together: no longer than the time between two looks at the clock."""
SHIPPED = Path(__file__).parent / "shipped"
SELF_TEST_TOLERANCE = 0.05
"""Mean difference of stored and computed probabilities that other processors may cause."""


@dataclass(frozen=True)
class Tokens:
    """One input: token ids and, for a pair, which of the two texts each belongs to."""

    ids: tuple[int, ...]
    kinds: tuple[int, ...]


Said = dict[str, "NDArray[np.float32]"]
"""Outputs by name."""


def read_card(folder: Path) -> dict[str, Any]:
    """The model card of a folder. Raises `WeightsUnavailable` without one."""
    path = folder / "card.json"
    if not path.is_file():
        raise WeightsUnavailable(f"No model card at {path}.", "Reinstall veridic.")
    card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return card


def remember(folder: Path, most: int) -> None:
    """Keep so many passes of a folder's weights in this process; said before an encoder of theirs is made."""
    ENCODERS.once((str(read_card(folder)["fingerprint"]), Recent), lambda: Recent[Tokens, Said](most))


def fingerprint_of(folder: Path) -> str:
    """The first 16 hex digits of the SHA-256 of model and tokenizer together."""
    return digest_of([folder / "model.onnx", folder / "tokenizer.json"])


def digest_of(files: Sequence[Path]) -> str:
    """The first 16 hex digits of the SHA-256 of files, one after the other."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def in_time(pairs: Pairs, deadline: float) -> Iterator[Pairs]:
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
    company; and passes that share a processor with someone wait for nobody. A pass of the base judge
    tells all its heads at once and is remembered.
    """

    def __init__(self, folder: Path, *, threads: int = 0, until: str = "", cache: Path | None = None) -> None:
        """Read the card only; weights are loaded by the first `run`, once a process for all encoders of these files.

        `threads` 0 means all. `until` names an inner state that is the only output: what comes behind it is cut off.
        `cache` is where the self-tests that were passed are kept for other processes.
        """
        self.folder = folder
        self.card = read_card(folder)
        self.fingerprint = str(self.card["fingerprint"])
        """As the card has it; loading checks the files against it."""
        self.is_base = bool(self.card.get("kind") == "base judge")
        """Whether it is the base judge, as its card says."""
        self._threads = threads or usable_cpus()
        self._until = until
        self._kept = Kept(cache / "self-tests" if cache else None)
        self._held: tuple[Tokenizer, InferenceSession] | None = None
        self._recent = ENCODERS.once((self.fingerprint, Recent), lambda: Recent[Tokens, Said](REMEMBERED))

    def load(self) -> tuple[Tokenizer, InferenceSession]:
        """Tokenizer and session. Raises `WeightsDamaged` when the files are not the card's, `WeightsUnavailable`."""
        self._held = self._held or self._opened()
        return self._held

    def _opened(self) -> tuple[Tokenizer, InferenceSession]:
        files = [self.folder / name for name in ("model.onnx", "tokenizer.json")]
        if missing := [path.name for path in files if not path.is_file()]:
            raise WeightsUnavailable(f"{self.folder} lacks {' and '.join(missing)}.", "Reinstall veridic.")
        # A file that was changed has another date or size, and is looked at again.
        stamps = tuple((path.resolve(), path.stat().st_mtime_ns, path.stat().st_size) for path in files)
        if ENCODERS.once(stamps, lambda: fingerprint_of(self.folder)) != self.fingerprint:
            raise WeightsDamaged(
                f"The files in {self.folder} are not those its card describes.",
                "Reinstall veridic, or export the model again.",
            )
        return ENCODERS.once((self.fingerprint, self._until), lambda: (_tokenizer(files[1]), self._session(files[0])))

    def metadata(self) -> dict[str, str]:
        """What the model's file says of itself."""
        _, session = self.load()
        return dict(session.get_modelmeta().custom_metadata_map)

    def columns(
        self, texts: Sequence[Tokens], outputs: Sequence[str], *, deadline: float
    ) -> list[list[NDArray[np.float32]]]:
        """The named outputs as rows, one a text, in the order given; what is told by token is as long as its text."""
        _, session = self.load()
        names = [one.name for one in session.get_outputs()] if self.is_base else list(outputs)

        told = partial(_told, session, names, deadline)
        passes = ENCODERS.once(
            self._threads, lambda: ThreadPoolExecutor(self._threads, thread_name_prefix="veridic-encoder")
        )
        if self.is_base:
            said = self._recent.of(texts, lambda new: list(passes.map(told, new)))
        else:
            said = list(passes.map(told, texts))
        return [[row[name] for row in said] for name in outputs]

    def unread(self, texts: Sequence[Tokens]) -> int:
        """How many tokens passes over these texts take; those that are remembered take none."""
        return sum(len(text.ids) for text in texts if not (self.is_base and self._recent.known(text)))

    def of_texts(self, texts: Sequence[str], output: str, *, most: int, deadline: float) -> list[NDArray[np.float32]]:
        """One output of single texts, of which `most` tokens are read."""
        tokenizer, _ = self.load()
        encodings = tokenizer.encode_batch(list(texts))
        for encoding in encodings:
            encoding.truncate(most)
        inputs = [Tokens(tuple(encoding.ids), tuple(encoding.type_ids)) for encoding in encodings]
        return self.columns(inputs, [output], deadline=deadline)[0]

    def pass_self_test(self, what: str, difference: Callable[[Any], float]) -> float:
        """The mean difference from the answers stored beside the weights, measured once a process.

        One that was passed counts for other processes too, until weights, answers, processor or library are others.
        Raises `JudgeFailed` beyond tolerance, each time, naming `what` differs.
        """
        stored = (self.folder / "selftest.json").read_bytes()
        told = (self.fingerprint, what, stored, _machine())
        key = hashlib.sha256(repr(told).encode()).hexdigest()[:32]
        worst = ENCODERS.once(key, lambda: self._measured(key, stored, difference))
        if worst > SELF_TEST_TOLERANCE:
            raise JudgeFailed(
                f"The {what} differs from its stored answers by {worst:.3f} on average on this processor.",
                "Run `veridic doctor`; answers stay unverified until it agrees.",
            )
        return worst

    def _measured(self, key: str, stored: bytes, difference: Callable[[Any], float]) -> float:
        """What was kept under a key, else what is measured now."""
        known = self._kept.read(key).get("difference")
        if isinstance(known, float):
            return known
        found = difference(json.loads(stored))
        if found <= SELF_TEST_TOLERANCE:
            self._kept.keep(key, {"difference": found})
        return found

    def _session(self, path: Path) -> InferenceSession:
        import onnxruntime

        onnxruntime.disable_telemetry_events()  # where it was loaded before veridic, the environment came too late
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        # The files are written as they run fastest; a higher level would fuse sums and norms, which is slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.log_severity_level = 3
        model = prefix_of(path.read_bytes(), self._until) if self._until else str(path)
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _tokenizer(path: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache
def _machine() -> str:
    """What decides how products are rounded: this processor, and the library."""
    from onnxruntime import __version__

    processor = ""
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8") as lines:
        processor = "".join(line for line in islice(lines, 40) if line.startswith(("model name", "flags", "Features")))
    return f"{__version__} {platform.machine()} {platform.processor()} {processor}"


def _told(session: InferenceSession, names: Sequence[str], deadline: float, text: Tokens) -> Said:
    """What one pass says. Raises `DeadlineExceeded`."""
    check_time(deadline)
    ids, kinds = (np.array([numbers], dtype=np.int64) for numbers in (text.ids, text.kinds))
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": kinds}
    return {name: value[0] for name, value in zip(names, session.run(names, given), strict=True)}
