"""Paper-grade scorers: any sentence-transformers embedder or cross-encoder, from the hub or a local folder.

They need `pip install 'veridic[hf]'`. A cross-encoder gates only with a calibration of its own
(`veridic calibrate`); without one its runs stay unverified.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veridic.errors import DeadlineExceeded, JudgeFailed, MissingExtra, UnknownModel
from veridic.models.calibration import Calibration
from veridic.models.onnx_encoder import in_time
from veridic.models.windows import LONG_LIMIT
from veridic.ports.judgements import Entailment, Relevance, Strictness, Thresholds
from veridic.ports.shapes import SourceKind, SourceMeasure
from veridic.text.sentences import windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

Pairs = Sequence[tuple[str, str]]
Place = tuple[int, int]

LONGEST = 200
"""Words of one pass; a longer text is cut at sentence ends and the best piece counts."""
BATCH = 32
NLI = ("entailment", "neutral", "contradiction")


class Lazy:
    """A model that is loaded at first use, once, whichever thread comes first."""

    def __init__(self, name: str, load: Callable[[str], Any]) -> None:
        self.name = name
        self._load = load
        self._lock = threading.Lock()

    @property
    def model(self) -> Any:  # noqa: ANN401 - sentence-transformers is not typed
        """The model. Raises `MissingExtra`, `UnknownModel`."""
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Any:  # noqa: ANN401
        try:
            return self._load(self.name)
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
        self._lazy = Lazy(name, _sentence_transformer)

    @property
    def fingerprint(self) -> str:
        """Names the weights; an index belongs to one fingerprint."""
        return self._lazy.fingerprint

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._lazy.model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self._lazy.model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True)
        return np.asarray(vectors, dtype=np.float32)

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep nothing: no judge asks it for the same text."""


class _CrossEncoder:
    """What evaluator and critic over a cross-encoder have in common."""

    _head = ""

    def __init__(self, name: str, *, calibrations: Sequence[Path] = ()) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet. One of the files must be for this model."""
        self._lazy = Lazy(name, _cross_encoder)
        self._paths = calibrations

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""
        return self._lazy.fingerprint

    @cached_property
    def calibration(self) -> Calibration:
        """The user's own; without one the identity, which does not gate. Raises `CalibrationMismatch`."""
        if not self._paths:
            return Calibration.identity(self.fingerprint)
        return Calibration.among(self._paths, self.fingerprint) or Calibration.read(self._paths[0], self.fingerprint)

    @property
    def gates(self) -> bool:
        """Whether its calibration AUC is at least 0.65."""
        return self.calibration.gates(self._head)

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The calibrated decision points."""
        return self.calibration.thresholds[strictness]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[NDArray[np.float32]]:  # noqa: ARG002
        """What the model says before calibration, a row for each piece of each pair; it has one head for all."""
        return [rows for _, rows in self._scored(pairs, deadline)]

    def _scored(self, pairs: Pairs, deadline: float) -> list[tuple[list[Place], NDArray[np.float32]]]:
        """The places of each pair's pieces in its long text, and their logits."""
        if not pairs:
            return []
        cut = [self._cut(first, second) for first, second in pairs]
        rows = self._logits([(first, second) for pieces in cut for first, second, _ in pieces], deadline)
        ends = np.cumsum([len(pieces) for pieces in cut])
        return [
            ([place for _, _, place in pieces], rows[end - len(pieces) : end])
            for pieces, end in zip(cut, ends, strict=True)
        ]

    def _cut(self, first: str, second: str) -> list[tuple[str, str, Place]]:
        raise NotImplementedError

    def _logits(self, pairs: Pairs, deadline: float) -> NDArray[np.float32]:
        model = self._lazy.model
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
            raise JudgeFailed(f"{self._lazy.name} raised {type(error).__name__}.", "Run `veridic doctor`.") from error


class CrossEncoderEvaluator(_CrossEncoder):
    """A reranker as CRAG's retrieval evaluator."""

    _head = "relevance"

    @property
    def by_source(self) -> Mapping[SourceKind, SourceMeasure]:
        """What its probabilities are worth on each kind of source, where that was measured."""
        return self.calibration.by_source

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs in one batch; a long passage counts by its best piece."""
        scored: list[Relevance] = []
        for places, logits in self._scored(pairs, deadline):
            probabilities = self.calibration.relevance(logits)
            best = int(probabilities.argmax())
            scored.append(Relevance(float(probabilities[best]), places[best]))
        return scored

    def usefulness(self, pairs: Pairs, *, deadline: float) -> list[float]:
        """P(the text holds an answer): the reranker's score on usefulness' own scale."""
        return [float(self.calibration.usefulness(logits).max()) for _, logits in self._scored(pairs, deadline)]

    def _cut(self, first: str, second: str) -> list[tuple[str, str, Place]]:
        return [(first, text, place) for text, place in _pieces(second)]

    def _logits(self, pairs: Pairs, deadline: float) -> NDArray[np.float32]:
        return super()._logits(pairs, deadline).reshape(-1)


class CrossEncoderCritic(_CrossEncoder):
    """An NLI cross-encoder as critic."""

    _head = "nli"

    def judge(self, pairs: Pairs, *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs in one batch; a long premise counts by the piece that entails most."""
        judged: list[Entailment] = []
        for places, logits in self._scored(pairs, deadline):
            rows = self.calibration.nli(logits)
            best = int(rows[:, 0].argmax())
            entailment, neutral, contradiction = map(float, rows[best])
            judged.append(Entailment(entailment, neutral, contradiction, places[best]))
        return judged

    def _cut(self, first: str, second: str) -> list[tuple[str, str, Place]]:
        return [(text, second, place) for text, place in _pieces(first)]

    def _logits(self, pairs: Pairs, deadline: float) -> NDArray[np.float32]:
        return super()._logits(pairs, deadline).reshape(len(pairs), -1)[:, self._order]

    @cached_property
    def _order(self) -> list[int]:
        """The model's own label numbers in our order. Raises `UnknownModel` when it is no NLI model."""
        labels = {str(name).lower(): int(number) for number, name in self._lazy.model.config.id2label.items()}
        if not set(NLI) <= labels.keys():
            raise UnknownModel(f"{self._lazy.name} has the labels {sorted(labels)}.", "A critic needs an NLI model.")
        return [labels[name] for name in NLI]


def _pieces(text: str) -> list[tuple[str, Place]]:
    text = text[:LONG_LIMIT]
    if len(text.split()) <= LONGEST:
        return [(text, (0, len(text)))]
    return [(piece.text, (piece.start, piece.end)) for piece in windows(text, most=50, words=LONGEST)]


def _sentence_transformer(name: str) -> Any:  # noqa: ANN401
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name, device="cpu")


def _cross_encoder(name: str) -> Any:  # noqa: ANN401
    from sentence_transformers import CrossEncoder

    return CrossEncoder(name, device="cpu")
