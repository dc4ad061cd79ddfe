"""The embedded model: llama.cpp's own server in this process, spoken to as any OpenAI-compatible one.

It listens on loopback and wants a key that is drawn anew in each process, so that nobody
else on the machine can use it.
"""

import atexit
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

from veridic.errors import MissingExtra, ModelUnavailable, WeightsDamaged
from veridic.models.chat.adapter import Backend, Limits, in_openais_form
from veridic.models.chat.drawn import Line, current_line
from veridic.models.chat.failures import Origin
from veridic.models.opened import let_threads_sleep
from veridic.models.weights import SMOLLM2, Progress, cached_path, obtain
from veridic.settings import Settings

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

WINDOW_TOKENS = 4096
"""Prompt and reply together; a longer prompt is refused, never cut."""

_BATCH_TOKENS = 256
_PING_SECONDS = 1
_PROMPT_CACHE_MIB = 64
_SILENT = -1
_START_SECONDS = 120.0


class _Server(Protocol):
    """Runs from its construction to its destruction."""

    listening_address: str


@dataclass
class _Running:
    """A server and the client that speaks to it."""

    server: _Server
    client: "httpx.Client"
    model: "BaseChatModel"


_running: dict[tuple[Path, int], _Running] = {}
# Two locks, because the exit waits for a server that is being started but not for a download.
_fetching = threading.Lock()
_starting = threading.Lock()
_ended = threading.Event()
_lines: WeakSet[Line] = WeakSet()


class EmbeddedBackend(Backend):
    """The model whose weights are fetched; its server starts once a process, at first use."""

    origin = Origin(
        name="embedded",
        endpoint="the embedded model",
        absent="Start again; `veridic doctor` says whether its weights are whole.",
        unknown="Start again.",
        key="Start again.",
    )

    def __init__(self, settings: Settings) -> None:
        """Nothing is fetched or started yet."""
        self._settings = settings

    def open(self, progress: Progress) -> "BaseChatModel":
        """The model, its server running. Raises `WeightsUnavailable`, `WeightsDamaged`, `MissingExtra`."""
        key = (cached_path(SMOLLM2, self._settings).absolute(), self._settings.threads)
        with _fetching:
            if key not in _running:
                obtain(SMOLLM2, self._settings, progress)
                with _starting:
                    if _ended.is_set():
                        raise ModelUnavailable("This process is ending.", "Start again.")
                    _running[key] = _start(*key)
        return _running[key].model

    def arguments(self, limits: Limits) -> dict[str, Any]:
        """The limits as the OpenAI protocol names them; llama.cpp holds the reply to a schema by a grammar."""
        return in_openais_form(limits)


def _start(path: Path, threads: int) -> _Running:
    import httpx
    from langchain_openai.chat_models.base import BaseChatOpenAI
    from pydantic import SecretStr

    key = secrets.token_urlsafe(32)
    server = _serve(path, threads, key)
    base = f"{server.listening_address}/v1"
    _wait_until_it_writes(base, key, path)
    # With trust_env a proxy of the environment would be asked for our own loopback.
    client = httpx.Client(
        trust_env=False,
        timeout=None,  # noqa: S113 - the caller's deadline cuts the line
        limits=httpx.Limits(max_keepalive_connections=0),
        event_hooks={"request": [_join_line]},
    )
    model = BaseChatOpenAI(
        model="embedded",
        base_url=base,
        api_key=SecretStr(key),
        http_client=client,
        max_retries=0,
        stream_usage=True,
    )
    return _Running(server, client, model)


def _wait_until_it_writes(base: str, key: str, path: Path) -> None:
    """Have one token written: a server that is ended before its loop has begun never ends.

    No caller's deadline cuts this, so the client is another one.
    """
    import httpx

    headers, body = {"Authorization": f"Bearer {key}"}, {"prompt": "Hi", "max_tokens": 1}
    try:
        with httpx.Client(trust_env=False, timeout=_START_SECONDS) as client:
            client.post(f"{base}/completions", headers=headers, json=body).raise_for_status()
    except httpx.HTTPError as error:
        raise _unusable(path) from error


def _unusable(path: Path) -> WeightsDamaged:
    return WeightsDamaged(
        f"The embedded model cannot be started from {path}.",
        "Delete the file if it was fetched, or name a GGUF file of a chat model in VERIDIC_WEIGHTS.",
    )


def _serve(path: Path, threads: int, key: str) -> _Server:
    let_threads_sleep()
    try:
        import xllamacpp
    except ImportError as error:
        raise MissingExtra("xllamacpp is not installed here.", "Install it, or choose another `model`.") from error
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx, params.n_parallel = WINDOW_TOKENS, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.hostnames, params.port, params.api_keys = ["127.0.0.1"], 0, [key]
    params.verbosity, params.ui, params.endpoint_slots = _SILENT, False, False
    params.cache_ram_mib, params.warmup = _PROMPT_CACHE_MIB, False
    # Both bound how long the server goes on reading after everyone has left: the exit waits for it.
    params.n_batch = params.n_ubatch = _BATCH_TOKENS
    params.sse_ping_interval = _PING_SECONDS
    try:
        server: _Server = xllamacpp.Server(params)
    except RuntimeError as error:
        raise _unusable(path) from error
    return server


def _join_line(request: "httpx.Request") -> None:
    """Let the call's line know its connection: the server goes on reading a prompt until that is cut."""
    line = current_line.get()
    _lines.add(line)

    def joined(event: str, info: dict[str, Any]) -> None:
        if event == "connection.connect_tcp.complete":
            line.join(info["return_value"].get_extra_info("socket"))

    request.extensions["trace"] = joined


@atexit.register
def shut_down() -> None:
    """End the servers; a process that leaves one running at its exit crashes in it."""
    _ended.set()
    for line in list(_lines):
        line.cut()
    with _starting:
        while _running:
            _, running = _running.popitem()
            running.client.close()
            del running
