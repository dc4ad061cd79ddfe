"""A local server that speaks OpenAI's protocol: `/v1/chat/completions` as server-sent events, `/v1/models`."""

import json
from contextlib import AbstractContextManager

from tests.fakes.endpoint import Endpoint, Handler, serve


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
        else:
            self._chat(given.get("max_tokens") or given["max_completion_tokens"])

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

    def _event(self, delta: dict[str, str], reason: str | None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        event = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny", "choices": [choice]}
        self.tell(f"data: {json.dumps(event)}\n\n")


def openai_server() -> AbstractContextManager[Endpoint]:
    """Run it until the block ends."""
    return serve(_OpenAI, "/v1")
