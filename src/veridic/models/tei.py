"""A checker or reranker that text-embeddings-inference serves (`tei:http://HOST:PORT`), as a judge of the hub.

Routes and fields are those of its `docs/openapi.json`: huggingface/text-embeddings-inference. Its server is never let
cut a text: it would cut the statement off. Special tokens and the length of texts are asked of its tokenizer.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from math import inf
from pathlib import Path
from typing import Any

from veridic.errors import CalibrationMismatch, UnknownModel, VeridicError, judging
from veridic.models.calibration import Calibration
from veridic.models.endpoint import BRIEF, Endpoint
from veridic.models.hub_forms import Form, form_of, known_forms
from veridic.models.hub_scorer import HubScorer, SequenceAdapter, Texts, Told
from veridic.models.scorers import Pairs, Scored
from veridic.runtime.kept import Kept, Recent

WHOLE = {"raw_scores": True, "truncate": False}
"""Logits, of texts that are read whole."""
REMEMBERED = 256
"""Texts whose tokens are kept: a statement is held against premise after premise."""
LABELLED = "ForSequenceClassification"
"""What it serves by labels is of this architecture."""


class TeiModel(SequenceAdapter):
    """The model of a server, asked as its form says."""

    def __init__(self, endpoint: Endpoint) -> None:
        """Ask the server what it serves. Raises `UnknownModel`, and what `Endpoint.get` raises."""
        told = endpoint.get("/info")
        self.identity = identity_of(told)
        """What is served, and in which precision."""
        self._numbers = _labels(told)
        self.form = _form(str(told["model_id"]), self._numbers)
        self.batch = int(told["max_client_batch_size"])
        self.lock = nullcontext()
        self._endpoint = endpoint
        self._limit = min(self.form.tokens, int(told["max_input_length"]))
        self._tokenizer = self._offsets
        self._recent = Recent[str, list[dict[str, Any]]](REMEMBERED)
        self._marks = [one["text"] for one in self._tokenized(["a"], special=True)[0] if one["special"]]

    def told(self, texts: Texts, deadline: float = inf) -> list[Told]:
        """See `SequenceAdapter`. Raises what `Endpoint.post` raises."""
        joined = [tuple(one or " " for one in self._joined(long, short)) for long, short in texts]
        if self.form.judges == "passages" and not self.form.template:
            return [Told((score,)) for score in self._reranked(joined, deadline)]
        said = self._endpoint.post("/predict", {"inputs": joined, **WHOLE}, deadline=deadline)
        found = []
        for row, _ in zip(said, joined, strict=True):
            scores: dict[Any, float] = {self._numbers[one["label"]]: float(one["score"]) for one in row}
            found.append(Told([scores[label] for label in self.form.labels]))
        return found

    def _reranked(self, joined: Sequence[tuple[str, ...]], deadline: float) -> list[float]:
        """The score of each (query, text), one request a query."""
        found: dict[int, float] = {}
        for query in dict.fromkeys(query for query, _ in joined):
            places = [at for at, (own, _) in enumerate(joined) if own == query]
            asked = {"query": query, "texts": [joined[at][1] for at in places], **WHOLE}
            for one in self._endpoint.post("/rerank", asked, deadline=deadline):
                found[places[one["index"]]] = float(one["score"])
        return [found[at] for at in range(len(joined))]

    def _inputs(self, texts: Texts, **_more: Any) -> Any:  # noqa: ANN401 - as a tokenizer of transformers
        return {"input_ids": [[*self._marks, *self._tokens(" ".join(self._joined(*one)))] for one in texts]}

    def _offsets(self, text: str, *, max_length: int | None = None, **_how: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
        return {"offset_mapping": [(one["start"], one["stop"]) for one in self._tokens(text)][:max_length]}

    def _tokens(self, text: str) -> list[dict[str, Any]]:
        return self._recent.of([text], self._tokenized)[0] if text else []

    def _tokenized(self, texts: list[str], *, special: bool = False) -> list[list[dict[str, Any]]]:
        asked = {"inputs": texts, "add_special_tokens": special}
        found: list[list[dict[str, Any]]] = self._endpoint.post("/tokenize", asked, deadline=time.time() + BRIEF)
        return found


class TeiScorer(HubScorer):
    """The model of a server; what it serves is asked anew with every judgement, for an answer does not tell."""

    def __init__(self, endpoint: Endpoint, *, calibrations: Sequence[Path] = (), kept: Kept | None = None) -> None:
        """See `HubScorer`; nothing is asked yet."""
        super().__init__(endpoint.name, calibrations=calibrations, kept=kept)
        self._endpoint = endpoint
        self._opened: TeiModel | None = None

    @property
    def adapter(self) -> TeiModel:
        """The model as it was first served. Raises `UnknownModel`, `JudgeFailed`."""
        if self._opened is None:
            with judging(self._endpoint.name):
                self._opened = TeiModel(self._endpoint)
        return self._opened

    @property
    def form(self) -> Form:
        """How it is asked. Raises `UnknownModel`, `JudgeFailed`."""
        return self.adapter.form

    @property
    def fingerprint(self) -> str:
        """Names weights and form; empty where the server never answered."""
        with suppress(VeridicError):
            return hashlib.sha256(f"{self.adapter.identity}{self.form}".encode()).hexdigest()[:16]
        return ""

    @property
    def calibration(self) -> Calibration:
        """See `HubScorer`."""
        found = super().calibration
        if not found.fingerprint:
            vars(self).pop("calibration")
        return found

    def calibrate(self) -> None:
        """Nothing yet: a server may be slow or down, so it calibrates itself within the time of a question."""

    def _scored(self, pairs: Pairs, deadline: float) -> list[Scored]:
        if identity_of(self._endpoint.get("/info")) != self.adapter.identity:
            raise CalibrationMismatch(f"{self._endpoint.name} serves another model by now.", "Start veridic anew.")
        return super()._scored(pairs, deadline)

    def _told(self, texts: Texts, deadline: float) -> list[Told]:
        return self.adapter.told(texts, deadline)


def identity_of(told: Mapping[str, Any]) -> str:
    """What a server says of its model, in 16 hex digits."""
    parts = [told[name] for name in ("model_id", "model_sha", "model_dtype", "model_type")]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _labels(told: Mapping[str, Any]) -> dict[str, int]:
    """The numbers of labels by their names. Raises `UnknownModel` of an embedder, which has none."""
    kinds = told["model_type"]
    labels = (kinds.get("classifier") or kinds.get("reranker") or {}).get("id2label")
    if not labels:
        raise UnknownModel(f"{told['model_id']} is an embedder, and judges nothing.", "Serve a checker or a reranker.")
    return {str(label): int(number) for number, label in labels.items()}


def _form(name: str, numbers: Mapping[str, int]) -> Form:
    known = known_forms().get(name)
    if known and known.head != "sequence":
        raise UnknownModel(f"{name} does not judge by labels of the whole text.", "Name it as hf: instead.")
    return form_of(name, {label.lower(): number for label, number in numbers.items()}, [LABELLED], known)
