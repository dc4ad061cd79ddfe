"""A local server that speaks Ollama's protocol: `/api/chat` as JSON lines, `/api/tags`, `/api/show`."""

import json
from contextlib import AbstractContextManager

from tests.fakes.endpoint import Endpoint, Handler, serve


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
        else:
            self._chat(given["model"], given["options"].get("num_predict", -1))

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
