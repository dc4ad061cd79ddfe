"""A local server that speaks Ollama's protocol: `/api/chat` as JSON lines, `/api/tags`, `/api/show`."""

import json
from contextlib import AbstractContextManager
from typing import Any

from tests.fakes.endpoint import Endpoint, Handler, Told, serve
from tests.fakes.openai import logprobs_of


class _Ollama(Handler):
    def get(self) -> None:
        names = [{"name": name, "model": name} for name in self.endpoint.models]
        self.send(200 if self.path == "/api/tags" else 404, {"models": names})

    def post(self) -> None:
        given = self.body()
        if self.endpoint.resets == "at once":
            self.reset()
        elif self.endpoint.status != 200:
            self.send(self.endpoint.status, {"error": self.endpoint.problem})
        elif given["model"] not in self.endpoint.models:
            self.send(404, {"error": f"model '{given['model']}' not found"})
        elif self.path == "/api/show":
            self.send(200, {"details": {"family": "llama"}, "capabilities": ["completion"]})
        elif given.get("logprobs") and self.endpoint.tells_probabilities is None:
            self.send(400, {"error": "logprobs is not supported"})
        elif self.endpoint.writes:
            self._write(self.endpoint.writes(given), given)
        else:
            self._chat(given["model"], given["options"].get("num_predict", -1))

    def _write(self, tokens: list[Told], given: dict[str, Any]) -> None:
        self.begin("application/x-ndjson")
        tells = given.get("logprobs") and self.endpoint.tells_probabilities
        for token, probabilities in tokens:
            told = {"logprobs": logprobs_of(token, probabilities)["content"]} if tells else {}
            self._line(given["model"], token, **told)
        self._line(given["model"], "", done=True, done_reason="stop", prompt_eval_count=7, eval_count=len(tokens))

    def _chat(self, model: str, limit: int) -> None:
        self.begin("application/x-ndjson")
        if self.endpoint.raw is not None:
            for line in self.endpoint.raw:
                self.tell(line)
            return
        count, reason = 0, "stop"
        for piece, is_cut in self.endpoint.said(limit):
            count, reason = count + 1, "length" if is_cut else "stop"
            self._line(model, piece)
        if self.endpoint.resets:
            self.reset()
            return
        if self.endpoint.breaks_off:
            self.tell(json.dumps({"error": "the runner has died"}) + "\n")
            return
        self._line(model, "", done=True, done_reason=reason, prompt_eval_count=7, eval_count=count)

    def _line(self, model: str, content: str, *, done: bool = False, **more: object) -> None:
        message = {"role": "assistant", "content": content}
        stamp = "2026-01-01T00:00:00Z"
        self.tell(json.dumps({"model": model, "created_at": stamp, "message": message, "done": done, **more}) + "\n")


def ollama_server() -> AbstractContextManager[Endpoint]:
    """Run it until the block ends."""
    return serve(_Ollama)
