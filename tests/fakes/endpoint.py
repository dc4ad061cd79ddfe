"""A model's server on loopback that says what it was told to say, over real sockets."""

import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Literal

Told = tuple[str, Mapping[str, float]]
"""A token and the probability of each that could have stood there, its own among them."""


class Endpoint:
    """What it answers can be changed between requests; what it was asked is kept."""

    def __init__(self) -> None:
        self.pieces: list[str] = ["The bridge ", "opened in ", "1931."]
        self.models: list[str] = ["tiny"]
        self.status = 200
        self.problem = "no"
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.breaks_off = False
        self.stalls_after: int | None = None
        self.pause = 0.0
        """Seconds between two pieces, as of a model that is slow."""
        self.keeps_to_limit = True
        self.raw: list[str] | None = None
        """What is sent instead of a reply."""
        self.writes: Callable[[dict[str, Any]], list[Told]] | None = None
        """What is written to a request, token by token, in place of `pieces`."""
        self.tells_probabilities: bool | None = True
        """Whether the probabilities of tokens are told to who asks for them; None: such a request is refused."""
        self.resets: Literal["", "at once", "in mid-stream"] = ""
        """When the connection is reset."""
        self.sent = 0
        self.left = threading.Event()
        """Set when a client hung up before all was said."""
        self.released = threading.Event()
        self.url = ""

    def said(self, limit: int) -> Iterator[tuple[str, bool]]:
        """The pieces up to the limit, each with whether the limit cut the reply there."""
        for number, piece in enumerate(self.pieces, start=1):
            if self.stalls_after is not None and number > self.stalls_after:
                self.released.wait()
            self.released.wait(self.pause)
            yield piece, number == limit < len(self.pieces)
            self.sent = number
            if number == limit and self.keeps_to_limit:
                return


class Handler(BaseHTTPRequestHandler):
    """What Ollama's and OpenAI's protocols have in common."""

    endpoint: ClassVar[Endpoint]

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        raise NotImplementedError

    def post(self) -> None:
        raise NotImplementedError

    def reset(self) -> None:
        """Reset the connection: what is not yet read is lost to the client."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def body(self) -> dict[str, Any]:
        length = int(self.headers.get("content-length") or 0)
        given: dict[str, Any] = json.loads(self.rfile.read(length) or b"{}")
        self.endpoint.requests.append(given)
        self.endpoint.keys.append(self.headers.get("authorization", ""))
        return given

    def send(self, status: int, content: object) -> None:
        raw = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def begin(self, kind: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()

    def tell(self, line: str) -> None:
        try:
            self.wfile.write(line.encode())
            self.wfile.flush()
        except OSError:
            self.endpoint.left.set()
            raise


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests."""


@contextmanager
def serve(handler: type[Handler], path: str = "") -> Iterator[Endpoint]:
    """Run a server until the block ends; its `url` is what a user would set."""
    endpoint = Endpoint()
    bound = type("Bound", (handler,), {"endpoint": endpoint})
    with _Server(("127.0.0.1", 0), bound) as server:
        endpoint.url = f"http://127.0.0.1:{server.server_port}{path}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield endpoint
        finally:
            endpoint.released.set()
            server.shutdown()
            thread.join()
