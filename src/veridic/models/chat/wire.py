"""What comes over the wire in one reply, bounded: a client reads a line, however long, before it hands it on."""

from collections.abc import Callable, Iterator

import httpx

from veridic.errors import ModelError

MOST_BYTES = 20_000_000
"""Of one reply: its longest, in pieces of one token, each with what the protocols put around it."""


class _Counted(httpx.SyncByteStream):
    """A reply's bytes as they come, up to so many."""

    def __init__(self, stream: httpx.SyncByteStream, origin: str) -> None:
        self._stream = stream
        self._origin = origin

    def __iter__(self) -> Iterator[bytes]:
        come = 0
        for piece in self._stream:
            come += len(piece)
            if come > MOST_BYTES:
                raise ModelError(
                    f"{self._origin} sent more than {MOST_BYTES // 1_000_000} MB in one reply.",
                    "Try its server alone: it is to keep to max_tokens.",
                )
            yield piece

    def close(self) -> None:
        """Close the connection, or give it back."""
        self._stream.close()


def counted(origin: str) -> dict[str, list[Callable[[httpx.Response], None]]]:
    """Event hooks for a client of httpx whose replies are bounded; `origin` names the server."""

    def hold(response: httpx.Response) -> None:
        if isinstance(response.stream, httpx.SyncByteStream):
            response.stream = _Counted(response.stream, origin)

    return {"response": [hold]}
