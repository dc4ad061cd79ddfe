"""`veridic judges serve`: the judges as a service of their own, for runs of other processes and machines."""

from typing import Annotated

import typer

from veridic.cli.saying import say
from veridic.cli.serve import LOOPBACK
from veridic.errors import UsageError
from veridic.settings import Settings

KEPT = 75
"""Seconds for which a connection is kept that nobody uses: longer than workers keep theirs."""
app = typer.Typer(name="judges", help="The judges as a service of their own.", no_args_is_help=True)


@app.callback()
def judges() -> None:
    """Run the judges for other processes and machines, which name them in VERIDIC_JUDGES."""


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; another than this machine's needs VERIDIC_JUDGES_KEY.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: a free one.")] = 8766,
    batch_tokens: Annotated[int, typer.Option(min=1, help="Tokens from which a batch is judged.")] = 4096,
    batch_ms: Annotated[float, typer.Option(min=0, max=1000, help="Milliseconds that a batch waits for more.")] = 2.0,
    waiting: Annotated[int, typer.Option(min=1, max=100_000, help="Requests that wait at most.")] = 256,
) -> None:
    """Serve the judges until Ctrl-C; the address is printed."""
    from veridic.models.opened import let_threads_sleep

    let_threads_sleep()  # before anything that uses OpenMP is loaded
    import uvicorn

    from veridic.server.batching import Batcher
    from veridic.server.callers import address_of, is_this_machine, listening_at
    from veridic.server.judge_service import judges_app
    from veridic.server.metrics import Metrics

    chosen = Settings.load()
    if not is_this_machine(host) and not chosen.judges_key and chosen.open_to != "all":
        raise UsageError(
            f"At {host} everybody could ask, and there is no key.",
            "Set VERIDIC_JUDGES_KEY, here and where the runs are, or VERIDIC_OPEN_TO=all.",
        )
    listening, metrics = listening_at(host, port), Metrics()
    bounds = {"tokens": batch_tokens, "waiting": waiting, "threads": chosen.threads}
    batcher = Batcher(metrics, age=batch_ms / 1000, **bounds)
    served = judges_app(chosen, batcher, metrics)
    say(f"The judges are served at {address_of(listening, host)} (Ctrl-C ends it).")
    config = uvicorn.Config(served, log_level="warning", timeout_graceful_shutdown=5, timeout_keep_alive=KEPT)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        batcher.close()
