"""The server of the world."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from veridic_lab.evaluation.world import atom, mediawiki, tavily
from veridic_lab.evaluation.world.behaviour import INJECTION, Behaviour, Canned, Endless, behave
from veridic_lab.evaluation.world.corpus import Corpus, Row

_HOST = "127.0.0.1"

PLACES = ("wikipedia", "arxiv", "web")
"""Where a page may stand: behind MediaWiki, behind arXiv, behind Tavily."""


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes


@dataclass
class Served:
    """A world that is up, on 127.0.0.1."""

    port: int
    received: list[Received] = field(default_factory=list)
    """Every request so far, in the order of arrival."""
    behaviour: Behaviour | None = None
    """What every request meets instead of an answer; None: answers."""
    spared: int = 0
    """Requests that are still answered, counted from the first one, before the behaviour sets in."""
    redirect_to: str = ""
    """Where `redirect` leads."""
    retry_after: str = ""
    """What `rate_limited` and `overloaded` say of when to come back."""
    files: dict[str, Canned] = field(default_factory=dict)
    """What stands at other paths; one with an `ETag` is not sent again to who has it."""
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        """The address without a path; Tavily's base."""
        return f"http://{self.host_port}"

    @property
    def host_port(self) -> str:
        """What the allow-list needs."""
        return f"{_HOST}:{self.port}"

    def settings(self) -> dict[str, str]:
        """The fields of `Settings` that point the sources here; the allow-list needs `host_port`."""
        return {
            "wikipedia_url": f"{self.url}/w/api.php",
            "arxiv_url": f"{self.url}/arxiv/api/query",
            "tavily_url": self.url,
        }

    def environment(self) -> dict[str, str]:
        """The variables that point Veridic's sources here and let them through."""
        named = {f"VERIDIC_{name.upper()}": value for name, value in self.settings().items()}
        return {**named, "VERIDIC_ALLOW_HOSTS": self.host_port}


class World:
    """Corpora that can be served, one behind each wire format."""

    def __init__(self, rows: Iterable[Row]) -> None:
        """Index the rows (see `Corpus`), each at those of `PLACES` that its `places` name, without any at all."""
        kept = list(rows)
        self.corpora = {name: Corpus(row for row in kept if name in row.get("places", PLACES)) for name in PLACES}

    @contextmanager
    def serve(self, port: int = 0) -> Iterator[Served]:
        """Serve on 127.0.0.1 from threads until the block ends; port 0 is any free one. Raises `OSError`."""
        server = _Server((_HOST, port), _Handler)
        server.corpora, server.served = self.corpora, Served(int(server.server_address[1]))
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.served
        finally:
            server.served.closing.set()
            server.shutdown()
            server.server_close()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    corpora: Mapping[str, Corpus]
    served: Served

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that leave in the middle are what this server is for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    timeout = 30
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._handle(b"")

    def do_POST(self) -> None:
        self._handle(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Requests are kept in `Served.received`, not printed."""

    def _handle(self, body: bytes) -> None:
        parts = urlsplit(self.path)
        params = dict(parse_qsl(parts.query, keep_blank_values=True))
        served = self.server.served
        served.received.append(Received(self.command, parts.path, params, dict(self.headers), body))
        behaviour = served.behaviour if len(served.received) > served.spared else None
        told = {"redirect_to": served.redirect_to, "retry_after": served.retry_after}
        bad = behave(behaviour, **told) if behaviour else None
        if bad:
            self._misbehave(bad)
        else:
            corpora = self.server.corpora
            if behaviour == "injection":
                corpora = {name: corpus.with_last_words(INJECTION) for name, corpus in corpora.items()}
            self._answer(corpora, parts.path, params, body)

    def _answer(self, corpora: Mapping[str, Corpus], path: str, params: dict[str, str], body: bytes) -> None:
        base = self.server.served.url
        if path == "/w/api.php":
            self._send_json(200, mediawiki.answer(corpora["wikipedia"], params, base))
        elif path == "/arxiv/api/query":
            self._send(200, atom.answer(corpora["arxiv"], params), "application/atom+xml; charset=utf-8")
        elif path == "/search" and self.command == "POST":
            self._send_json(*tavily.answer(corpora["web"], body, dict(self.headers), base))
        elif path in self.server.served.files:
            self._send_file(self.server.served.files[path])
        else:
            self._send(404, b"There is nothing here.", "text/plain")

    def _send_file(self, file: Canned) -> None:
        tag = file.headers.get("ETag")
        if tag and self.headers.get("If-None-Match") == tag:
            self._send(304, b"", file.kind, file.headers)
        else:
            self._send(file.status, file.body, file.kind, file.headers)

    def _misbehave(self, answer: Canned | Endless) -> None:
        if isinstance(answer, Canned):
            self._send(answer.status, answer.body, answer.kind, answer.headers)
            return
        self.close_connection = True
        self.wfile.write(answer.first)
        while not self.server.served.closing.wait(answer.pause):
            self.wfile.write(answer.piece)

    def _send_json(self, status: int, content: object) -> None:
        self._send(status, json.dumps(content).encode(), "application/json; charset=utf-8")

    def _send(self, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
