"""A text-embeddings-inference server, as its documented requests and answers go."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tokenizers import Tokenizer

from veridic.models.onnx_encoder import SHIPPED

Logits = Callable[[Sequence[str]], Sequence[float]]
"""Of one input, a text or two, a logit a label by its number."""
KINDS = {"tokenizer": 422, "validation": 413, "overloaded": 429, "backend": 424}


def by_chance(labels: int) -> Logits:
    """Logits that any change of a text changes."""

    def logits(texts: Sequence[str]) -> list[float]:
        digest = hashlib.sha256("\0".join(texts).encode()).digest()
        return [one / 16 - 8 for one in digest[:labels]]

    return logits


class Tei:
    """A server with one model; it refuses what the real one refuses."""

    def __init__(self, logits: Logits, labels: Mapping[str, str], kind: str = "classifier", key: str = "") -> None:
        self.logits, self.labels, self.kind, self.key = logits, dict(labels), kind, key
        self.model, self.limit, self.most, self.fails = "somebody/checker", 128, 8, ""
        self.asked: list[tuple[str, Any]] = []
        self._tokenizer = Tokenizer.from_file(str(SHIPPED / "embedder" / "tokenizer.json"))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        paths = {"/info": self.info, "/tokenize": self.tokenize, "/predict": self.predict, "/rerank": self.rerank}
        self.app = Starlette(
            routes=[Route(path, self._kept(one), methods=["GET", "POST"]) for path, one in paths.items()]
        )

    def info(self, _asked: Any) -> Any:
        served = {"id2label": self.labels, "label2id": {name: int(number) for number, name in self.labels.items()}}
        return {
            "model_id": self.model,
            "model_sha": "fca14538aa9956a46526bd1d0d11d69e19b5a101",
            "model_dtype": "float16",
            "model_type": {self.kind: {"pooling": "cls"} if self.kind == "embedding" else served},
            "max_input_length": self.limit,
            "max_client_batch_size": self.most,
            "auto_truncate": True,
            "version": "1.7.1",
        }

    def tokenize(self, asked: Any) -> Any:
        return [self._tokens(text, asked["add_special_tokens"]) for text in asked["inputs"]]

    def predict(self, asked: Any) -> Any:
        return [self._labelled(texts) for texts in self._held(asked, asked["inputs"])]

    def rerank(self, asked: Any) -> Any:
        if self.kind != "reranker":
            raise Refused("model is not a re-ranker model", "backend")
        pairs = self._held(asked, [(asked["query"], text) for text in asked["texts"]])
        ranks = [{"index": at, "score": self.logits(pair)[0]} for at, pair in enumerate(pairs)]
        return sorted(ranks, key=lambda one: -one["score"])

    def _labelled(self, texts: Sequence[str]) -> Any:
        rows = [{"score": one, "label": self.labels[str(at)]} for at, one in enumerate(self.logits(texts))]
        return sorted(rows, key=lambda one: -float(one["score"]))

    def _held(self, asked: Any, inputs: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        assert (asked["raw_scores"], asked["truncate"]) == (True, False)
        if len(inputs) > self.most:
            raise Refused(f"batch size {len(inputs)} > maximum allowed batch size {self.most}", "validation")
        for texts in inputs:
            if not any(texts):
                raise Refused("`inputs` cannot be empty", "validation")
            tokens = len(self._tokenizer.encode(*texts).ids)
            if tokens > self.limit:
                raise Refused(f"`inputs` must have less than {self.limit} tokens. Given: {tokens}", "validation")
        return inputs

    def _tokens(self, text: str, special: bool) -> Any:
        read = self._tokenizer.encode(text, add_special_tokens=special)
        rows = zip(read.ids, read.tokens, read.offsets, read.special_tokens_mask, strict=True)
        return [
            {"id": number, "text": token, "special": True, "start": None, "stop": None}
            if added
            else {"id": number, "text": text[start:stop], "special": False, "start": start, "stop": stop}
            for number, token, (start, stop), added in rows
        ]

    def _failed(self) -> None:
        raise Refused("Model is overloaded", self.fails)

    def _kept(self, answer: Callable[[Any], Any]) -> Any:
        async def answered(request: Request) -> Response:
            if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
                return Response(status_code=401)
            asked = await request.json() if request.method == "POST" else None
            self.asked.append((request.url.path, asked))
            try:
                return JSONResponse(self._failed() if self.fails and asked else answer(asked))
            except Refused as error:
                told, kind = error.args
                return JSONResponse({"error": told, "error_type": kind}, KINDS[kind])

        return answered


class Refused(Exception):
    """What is told, and its type."""
