"""One server that judges, asked in JSON over connections that are kept."""

import time
from collections.abc import Mapping
from typing import Any

import httpx
import orjson

from veridic.errors import CalibrationMismatch, DeadlineExceeded, JudgeFailed, VeridicError, judging, told_of
from veridic.models.onnx_encoder import check_time
from veridic.models.opened import ENDPOINTS

CONNECT = 3.0
"""Seconds for one try to connect; a second one follows."""
LONGEST = 600.0
"""Seconds that a request without a deadline may take."""
BRIEF = 5.0
"""Seconds for what costs the server nothing."""
MEND = "See to the server; answers stay unverified until then."
TOLD: Mapping[str, type[VeridicError]] = {one.__name__: one for one in (DeadlineExceeded, CalibrationMismatch)}
"""Errors that a server tells by their names; every other one is `JudgeFailed`."""


class Endpoint:
    """A server by its address; safe in several threads."""

    def __init__(self, address: str, key: str = "") -> None:
        """`key` is sent as a bearer token with each request, and shown nowhere. Nothing is asked yet."""
        self._client = httpx.Client(
            base_url=address,
            headers={"authorization": f"Bearer {key}"} if key else {},
            transport=httpx.HTTPTransport(retries=1),
        )
        url = self._client.base_url
        self.name = f"{url.host}:{url.port}" if url.port else url.host
        """Where it is, without what the address may say of a user."""

    def get(self, path: str, *, seconds: float = BRIEF) -> Any:  # noqa: ANN401 - any JSON
        """What it says of itself within so many seconds. Raises what `post` raises."""
        with judging(self.name):
            return self._asked("GET", path, b"", time.time() + seconds)

    def post(self, path: str, content: Mapping[str, Any], *, deadline: float) -> Any:  # noqa: ANN401 - any JSON
        """Its answer to this content, read as JSON; `deadline` is in seconds since the epoch, or infinite.

        Raises `DeadlineExceeded` when the time is over, `CalibrationMismatch` where it has other weights, and
        `JudgeFailed` for whatever else is no answer.
        """
        check_time(deadline)
        with judging(self.name):
            return self._asked("POST", path, orjson.dumps(content), deadline)

    def close(self) -> None:
        """End the connections."""
        self._client.close()

    def _asked(self, method: str, path: str, content: bytes, deadline: float) -> Any:  # noqa: ANN401 - any JSON
        left = min(max(deadline - time.time(), 0.001), LONGEST)
        times, kind = httpx.Timeout(left, connect=min(left, CONNECT)), {"content-type": "application/json"}
        try:
            reply = self._client.request(method, path, content=content, headers=kind, timeout=times)
        except (httpx.ReadTimeout, httpx.WriteTimeout, httpx.PoolTimeout) as error:
            raise DeadlineExceeded(f"{self.name} did not judge in the time given.", MEND) from error
        if not reply.is_success:
            raise self._refused(reply)
        return orjson.loads(reply.content)

    def _refused(self, reply: httpx.Response) -> VeridicError:
        """The error that a reply tells of: of ours `problem` and `mend`, of text-embeddings-inference `error`."""
        try:
            told = dict(orjson.loads(reply.content))
        except (ValueError, TypeError):
            told = {}
        kind = TOLD.get(str(told.get("error")), JudgeFailed)
        why = RuntimeError(str(told.get("problem") or told.get("error") or reply.reason_phrase))
        said = told_of(why).partition(": ")[2].removesuffix(".")
        return kind(f"{self.name} refuses ({reply.status_code}): {said}.", str(told.get("mend") or MEND))


def endpoint_at(address: str, key: str = "") -> Endpoint:
    """The server at an address, the same for all who ask for it in this process."""
    return ENDPOINTS.once((address, key), lambda: Endpoint(address, key))
