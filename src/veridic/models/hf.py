"""Models of the hub or of a local folder as embedder and as reader (`pip install 'veridic[hf]'`)."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridic.errors import MissingExtra, UnknownModel, judging
from veridic.models.onnx_encoder import in_time
from veridic.models.opened import HUB
from veridic.models.reader import best_spans, joined
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.models.scorers import Pairs
from veridic.models.windows import LONG_LIMIT, SHORT_LIMIT
from veridic.ports.judgements import Reading
from veridic.settings import HUB_PREFIX

BATCH = 32
LONGEST = 384
"""Tokens of one pass, where the model has room for so many; the question has half of them at most."""
OVERLAP = 3
"""One part in so many of a pass is read again in the next."""


class HubModel:
    """A model by its name or folder, loaded at first use, once a process."""

    def __init__(self, name: str, load: Callable[[str], Any]) -> None:
        """Nothing is loaded yet; `load` raises what its library raises. `hf:` before a name says no more."""
        self.name = name.removeprefix(HUB_PREFIX)
        self._load = load

    @property
    def is_local(self) -> bool:
        """Whether it is a folder."""
        return Path(self.name).is_dir()

    @property
    def model(self) -> Any:  # noqa: ANN401 - sentence-transformers is not typed
        """The model. Raises `MissingExtra`, `UnknownModel`."""
        return self.opened(self._load)

    def opened(self, load: Callable[[str], Any]) -> Any:  # noqa: ANN401
        """What another function loads of it, once a process too. Raises `MissingExtra`, `UnknownModel`."""
        version = self.fingerprint if self.is_local else ""
        try:
            return HUB.once((load, self.name, version), lambda: load(self.name))
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


class SentenceTransformerEmbedder(HubModel):
    """Texts to unit vectors by a sentence-transformers model."""

    def __init__(self, name: str) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet."""
        super().__init__(name, _sentence_transformer)

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self.model.get_embedding_dimension())

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts; float32 of shape (len(texts), dimension), rows of length 1."""
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = self.model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True)
        return np.asarray(vectors, dtype=np.float32)

    def know(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Keep nothing: no judge asks it for the same text."""


def brief(tokenizer: Any, text: str, most: int) -> str:  # noqa: ANN401 - transformers' tokenizers
    """The beginning of a text that has at most so many tokens."""
    read = tokenizer(text, add_special_tokens=False, truncation=True, max_length=most, return_offsets_mapping=True)
    offsets = read["offset_mapping"]
    return text[: offsets[-1][1]] if offsets else ""


def _sentence_transformer(name: str) -> Any:  # noqa: ANN401
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(name, device="cpu", trust_remote_code=False)


class QuestionAnsweringReader(HubModel, Calibrated):
    """Any extractive question-answering model of transformers, loaded when first used.

    It knows spans and, where it was trained on SQuAD 2, "no answer" at [CLS]; of yes and no it knows nothing, so that
    such questions stay undecided.
    """

    def __init__(self, name: str, *, calibration: Path | None = None) -> None:
        """Without a calibration fitted for it (`veridic fit reader`) it does not gate."""
        super().__init__(name, _question_answering)
        self._path = calibration

    @cached_property
    def calibration(self) -> ReaderCalibration:  # type: ignore[override] # read when first used
        """The user's own; without one the identity. Raises `CalibrationMismatch`."""
        if self._path is None:
            return ReaderCalibration.identity(self.fingerprint)
        return ReaderCalibration.read(self._path, self.fingerprint)

    def read(self, pairs: Pairs, *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs. Raises `JudgeFailed`, `DeadlineExceeded`, `MissingExtra`, `UnknownModel`."""
        if not pairs:
            return []
        tokenizer, model = self.model
        found: list[Reading] = []
        for batch in in_time(pairs, deadline):
            found += _read(tokenizer, model, batch)
        return found


def _read(tokenizer: Any, model: Any, pairs: Pairs) -> list[Reading]:  # noqa: ANN401
    import torch

    longest = min(LONGEST, tokenizer.model_max_length)
    encoded = tokenizer(
        [brief(tokenizer, question, min(SHORT_LIMIT, longest // 2)) for question, _ in pairs],
        [text[:LONG_LIMIT] for _, text in pairs],
        truncation="only_second",
        max_length=longest,
        stride=longest // OVERLAP,
        padding=True,
        return_overflowing_tokens=True,
        return_offsets_mapping=True,
        return_tensors="pt",
    )
    rows = encoded.pop("overflow_to_sample_mapping").tolist()
    offsets = encoded.pop("offset_mapping").tolist()
    with judging("The reader"), torch.inference_mode():
        said = model(**encoded)
    windows: list[list[Reading]] = [[] for _ in pairs]
    for number, row in enumerate(rows):
        skip = pairs[row][1].find("\n") + 1
        kept = [
            at for at, kind in enumerate(encoded.sequence_ids(number)) if kind == 1 and offsets[number][at][1] > skip
        ]
        start, end = said.start_logits[number].numpy(), said.end_logits[number].numpy()
        places = [tuple(offsets[number][at]) for at in kept]
        spans = best_spans(start[kept], end[kept], float(start[0] + end[0]), places, pairs[row][1])
        window = (places[0][0], places[-1][1]) if places else (0, len(pairs[row][1]))
        windows[row].append(Reading(spans, 0.0, 0.0, 1.0, window))
    return [joined(group) for group in windows]


def _question_answering(name: str) -> Any:  # noqa: ANN401
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True, trust_remote_code=False)
    return tokenizer, AutoModelForQuestionAnswering.from_pretrained(name, trust_remote_code=False).eval()
