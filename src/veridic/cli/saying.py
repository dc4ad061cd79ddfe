"""Plain words and JSON on their way to the terminal; nothing they hold acts there."""

import typer

from veridic.text.outgoing import for_json, for_terminal


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Print a text, on standard error with `err`."""
    typer.echo(for_terminal(text) + end, err=err, nl=False)


def say_json(content: object) -> None:
    """Print a JSON document."""
    typer.echo(for_json(content))
