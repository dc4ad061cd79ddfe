"""Running the server of `veridic serve`, until it is told to stop."""

import os
import socket
from collections.abc import Mapping

from veridic.cli.opening import opened
from veridic.cli.saying import say
from veridic.errors import UsageError
from veridic.settings import EXTRACTIVE, PREFIX, Settings

IPV6 = ":"


def hosted(given: Mapping[str, str | None], host: str, port: int) -> None:
    """Serve what the settings name, with these over them. Raises `UsageError` where nothing can listen there."""
    import uvicorn

    listening = _listening(host, port)
    os.environ |= {f"{PREFIX}{name.upper()}": value for name, value in given.items() if value is not None}
    if opened(Settings.load(), silent=False).chat is None:
        os.environ[f"{PREFIX}MODEL"] = EXTRACTIVE
    from veridic.server import page
    from veridic.server.app import app

    app.add_route("/", page.moved)
    shown = f"[{host}]" if IPV6 in host else host
    say(f"Veridic serves at http://{shown}:{listening.getsockname()[1]}/veridic/ (Ctrl-C ends it).")
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if IPV6 in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            f"Nothing can listen at {host}, port {port}: {error.strerror}.", "Name another with --host and --port."
        ) from error
