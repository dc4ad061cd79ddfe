"""Paper-grade scorers: any sentence-transformers embedder or cross-encoder, from the hub or a local folder.

They need `pip install 'veridic[hf]'`. A cross-encoder gates only with a calibration of its own
(`veridic calibrate`); without one its runs stay unverified.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veridic.errors import DeadlineExceeded, JudgeFailed, MissingExtra, UnknownModel
from veridic.models.calibration import Calibration
from veridic.models.onnx_encoder import in_time
from veridic.models.opened import HUB
from veridic.models.scorers import LONG_SIDE, Pairs, Scored
from veridic.models.windows import LONG_LIMIT
from veridic.ports.judgements import Rank
from veridic.text.sentences import windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST = 200
"""Words of one pass; a longer text is cut at sentence ends and the best piece counts."""
CHARACTERS = 4
"""Of a token, about."""
BATCH = 32
NLI = ("entailment", "neutral", "contradiction")


class HubModel:
    """A model by its name or folder, loaded at first use, once a process."""

    def __init__(self, name: str, load: Callable[[str], Any]) -> None:
        """Nothing is loaded yet; `load` raises what its library raises."""
        self.name = name
        self._load = load

    @property
    def model(self) -> Any:  # noqa: ANN401 - sentence-transformers is not typed
        """The model. Raises `MissingExtra`, `UnknownModel`."""
        version = self.fingerprint if Path(self.name).is_dir() else ""
        try:
            return HUB.once((self._load, self.name, version), lambda: self._load(self.name))
        except ImportError as error:
            raise MissingExtra(
                f"{self.name} needs sentence-transformers and transformers.", "Run `pip install 'veridic[hf]'`."
            ) from error
        except (OSError, ValueError) as error:
            raise UnknownModel(
                f"{self.name} cannot be loaded.", "Give a hub name that can be reached, or a local folder."
            ) from error

    @cached_property
    def fingerprint(self) -> str:
        """Of the weights in a local folder; of name and revision on the hub."""
        digest = hashlib.sha256()
        files = sorted(path for path in Path(self.name).glob("*") if path.suffix in (".json", ".safetensors", ".bin"))
        for path in files:
            digest.update(path.read_bytes())
        if not files:
            digest.update(f"{self.name}@{getattr(self.model, 'revision', None) or ''}".encode())
        return digest.hexdigest()[:16]


class SentenceTransformerEmbedder:
    """Texts to unit vectors by a sentence-transformers model."""

    def __init__(self, name: str) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet."""
        self._hub = HubModel(name, _sentence_transformer)

    @property
    def fingerprint(self) -> str:
        """Names the weights; an index belongs to one fingerprint."""
        return self._hub.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._hub.model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self._hub.model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True)
        return np.asarray(vectors, dtype=np.float32)

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep nothing: no judge asks it for the same text."""


class CrossEncoder:
    """A `Scorer` over a reranker, for an evaluator, or over an NLI model, for a critic."""

    rank: Rank = "hub"
    heads: Sequence[str] = ()

    def __init__(self, name: str, *, calibrations: Sequence[Path] = ()) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet. One of the files must be for this model."""
        self._hub = HubModel(name, _cross_encoder)
        self._paths = calibrations

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""
        return self._hub.fingerprint

    @cached_property
    def calibration(self) -> Calibration:
        """The user's own; without one the identity, which does not gate. Raises `CalibrationMismatch`."""
        if not self._paths:
            return Calibration.identity(self.fingerprint)
        return Calibration.among(self._paths, self.fingerprint) or Calibration.read(self._paths[0], self.fingerprint)

    def tokens(self, pairs: Pairs, head: str) -> list[int]:  # noqa: ARG002 - the protocol's
        """About so many: its own tokenizer would have to be loaded to know."""
        return [(len(first) + len(second)) // CHARACTERS for first, second in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        """See `Scorer`. Raises `UnknownModel` besides, of `nli` where it is no NLI model."""
        if not pairs:
            return []
        cut = [_cut(first, second, long_first=LONG_SIDE[head] == "first") for first, second in pairs]
        flat = [pair for pieces in cut for _, pair in pieces]
        rows = self._predicted(flat, deadline)
        rows = rows.reshape(len(flat), -1)[:, self._order] if head == "nli" else rows.reshape(-1)
        ends = np.cumsum([len(pieces) for pieces in cut])
        return [
            Scored([place for place, _ in pieces], rows[end - len(pieces) : end])
            for pieces, end in zip(cut, ends, strict=True)
        ]

    def _predicted(self, pairs: Pairs, deadline: float) -> NDArray[np.float32]:
        model = self._hub.model
        try:
            from torch.nn import Identity

            rows = [
                model.predict(list(batch), batch_size=BATCH, activation_fn=Identity(), show_progress_bar=False)
                for batch in in_time(pairs, deadline)
            ]
            return np.concatenate(rows).astype(np.float32)
        except DeadlineExceeded:
            raise
        except Exception as error:
            raise JudgeFailed(f"{self._hub.name} raised {type(error).__name__}.", "Run `veridic doctor`.") from error

    @property
    def entails(self) -> bool:
        """Whether it is an NLI model, which a critic needs; an evaluator takes any other."""
        return set(NLI) <= self._labels.keys()

    @cached_property
    def _labels(self) -> Mapping[str, int]:
        return {str(name).lower(): int(number) for number, name in self._hub.model.config.id2label.items()}

    @cached_property
    def _order(self) -> list[int]:
        """The model's own label numbers in our order."""
        if not self.entails:
            told = sorted(self._labels)
            raise UnknownModel(f"{self._hub.name} has the labels {told}.", "A critic needs an NLI model.")
        return [self._labels[name] for name in NLI]


def _cut(first: str, second: str, *, long_first: bool) -> list[tuple[tuple[int, int], tuple[str, str]]]:
    """The pair with each piece of its long text, and that piece's place."""
    text = (first if long_first else second)[:LONG_LIMIT]
    pieces = [(text, (0, len(text)))]
    if len(text.split()) > LONGEST:
        pieces = [(piece.text, (piece.start, piece.end)) for piece in windows(text, most=50, words=LONGEST)]
    return [(place, (piece, second) if long_first else (first, piece)) for piece, place in pieces]


def _sentence_transformer(name: str) -> Any:  # noqa: ANN401
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name, device="cpu")


def _cross_encoder(name: str) -> Any:  # noqa: ANN401
    from sentence_transformers import CrossEncoder as Loaded

    return Loaded(name, device="cpu")
