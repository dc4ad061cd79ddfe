"""A local server that speaks OpenAI's protocol: `/v1/chat/completions` as server-sent events, `/v1/models`."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from math import log
from typing import Any

from tests.fakes.endpoint import Endpoint, Handler, Told, serve


class _OpenAI(Handler):
    def get(self) -> None:
        self.endpoint.keys.append(self.headers.get("authorization", ""))
        found = {"data": [{"id": name} for name in self.endpoint.models]}
        self.send(self.endpoint.status, found)

    def post(self) -> None:
        given = self.body()
        if self.endpoint.resets == "at once":
            self.reset()
        elif self.endpoint.status != 200:
            self.send(self.endpoint.status, {"error": {"message": self.endpoint.problem, "code": "refused"}})
        elif given["model"] not in self.endpoint.models:
            self.send(404, {"error": {"message": "no such model", "code": "model_not_found"}})
        elif given.get("logprobs") and self.endpoint.tells_probabilities is None:
            self.send(400, {"error": {"message": "logprobs is not supported", "code": "invalid_request"}})
        elif self.endpoint.writes:
            self._write(self.endpoint.writes(given), given)
        else:
            self._chat(given.get("max_tokens") or given["max_completion_tokens"])

    def _write(self, tokens: list[Told], given: dict[str, Any]) -> None:
        self.begin("text/event-stream")
        tells = given.get("logprobs") and self.endpoint.tells_probabilities
        limit = given.get("max_tokens") or given["max_completion_tokens"]
        for token, probabilities in tokens[:limit]:
            self._event({"content": token}, None, logprobs_of(token, probabilities) if tells else None)
        self._event({}, "stop" if len(tokens) <= limit else "length")
        self.tell("data: [DONE]\n\n")

    def _chat(self, limit: int) -> None:
        self.begin("text/event-stream")
        if self.endpoint.raw is not None:
            for line in self.endpoint.raw:
                self.tell(line)
            return
        reason = "stop"
        for piece, is_cut in self.endpoint.said(limit):
            reason = "length" if is_cut else "stop"
            self._event({"content": piece}, None)
        if self.endpoint.resets:
            self.reset()
            return
        if self.endpoint.breaks_off:
            self.tell(f"data: {json.dumps({'error': {'message': 'the runner has died'}})}\n\n")
            return
        self._event({}, reason)
        self.tell("data: [DONE]\n\n")

    def _event(self, delta: dict[str, str], reason: str | None, logprobs: dict[str, Any] | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": reason, "logprobs": logprobs}
        event = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice]}
        self.tell(f"data: {json.dumps(event)}\n\n")


def logprobs_of(token: str, probabilities: Mapping[str, float]) -> dict[str, Any]:
    """What the protocol says of one token, and of those that could have stood there."""
    others = [{"token": name, "logprob": log(share), "bytes": None} for name, share in probabilities.items()]
    own = log(probabilities.get(token, 1.0))
    return {"content": [{"token": token, "logprob": own, "bytes": None, "top_logprobs": others}], "refusal": None}


def openai_server() -> AbstractContextManager[Endpoint]:
    """Run it until the block ends."""
    return serve(_OpenAI, "/v1")
