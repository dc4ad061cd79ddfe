"""Options that several commands share, and those made from the fields of `Settings` and `Context`."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, Literal, Optional, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from veridic.cli import completion
from veridic.cli.bounds import help_of, help_of_setting
from veridic.context import Context, unknown_choice
from veridic.errors import InvalidSetting, UsageError
from veridic.ports.method import NUMBERS
from veridic.settings import Settings

Command = Callable[..., None]

KB = Annotated[str | None, typer.Option("--kb", metavar="PATH", help=help_of_setting("kb"))]
DOCS = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="Ask the documents at this path alone; what is new or changed goes into the knowledge base first, and "
        "stays there.",
    ),
]
NAMESPACE = Annotated[str | None, typer.Option(metavar="NAME", help=help_of_setting("namespace"))]
MODEL = Annotated[
    str | None, typer.Option(metavar="MODEL", help=help_of_setting("model"), autocompletion=completion.models)
]
BASE_URL = Annotated[str | None, typer.Option(metavar="URL", help=help_of_setting("base_url"))]
JUDGE = Annotated[str | None, typer.Option(metavar="JUDGE", help=help_of_setting("judge"))]
SOURCES = Annotated[str | None, typer.Option(metavar="NAMES", help=help_of_setting("sources"))]
SETTINGS: Mapping[str, Any] = {
    "kb": KB,
    "docs": DOCS,
    "model": MODEL,
    "base_url": BASE_URL,
    "judge": JUDGE,
    "sources": SOURCES,
    "namespace": NAMESPACE,
}
"""Settings that the command line may give over, with their options."""
MODELS = ("kb", "model", "base_url", "judge", "sources", "namespace")
"""What a command takes that asks a model."""

SYSTEM = Annotated[
    str,
    typer.Option(help="The method, by name: see `veridic systems`.", metavar="NAME", autocompletion=completion.systems),
]
EXPORT = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the answer with its sources into a new file too: .md, .html or .json, as its name ends.",
    ),
]
JSON = Annotated[bool, typer.Option("--json", help="Print it as one JSON document.")]


class OneRun(TyperCommand):
    """A command with a run's choices; one that is none any more is told with what took its place."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a context of typer's own click
        """Read the command line. Raises `InvalidSetting` for an option that is a number of the method."""
        for word in args:
            name = word.partition("=")[0].removeprefix("--").removeprefix("no-").replace("-", "_")
            if word.startswith("--") and name in NUMBERS:
                raise unknown_choice(name, NUMBERS)
        return super().parse_args(ctx, args)


def settings(**given: object) -> Settings:
    """The process's settings, with what the command line gave over them."""
    return Settings.load(**given)


def moment(written: str | None) -> datetime | None:
    """A day or moment, of this machine's zone where it names none. Raises `UsageError`."""
    try:
        return datetime.fromisoformat(written).astimezone() if written else None
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{written!r} is no date.", "Write it as 2026-01-31, or 2026-01-31T18:00.") from error


def with_settings(*names: str) -> Callable[[Command], Command]:
    """Give a command an option for each of these settings, by default for where the documents are.

    The command gets `chosen`: the process's settings, with what the command line gave over them. An option that it has
    as a parameter too it gets as it was given.
    """
    given = names or ("kb", "namespace")

    def made(command: Command) -> Command:
        own = inspect.signature(command).parameters

        @wraps(command)
        def run(**words: Any) -> None:  # noqa: ANN401 - what typer parsed
            chosen = Settings.load(**{name: words[name] for name in given})
            command(chosen=chosen, **{name: value for name, value in words.items() if name in own})

        options = [_option(name, SETTINGS[name]) for name in given if name not in own]
        return _with_options(run, command, "chosen", options)

    return made


def with_context_options(command: Command) -> Command:
    """Give a command one option for each field of `Context` but `sources`, passed to it as `context`."""
    return with_choices(**{name: field.default for name, field in Context.model_fields.items() if name != "sources"})(
        command
    )


def with_choices(**defaults: object) -> Callable[[Command], Command]:
    """Give a command one option for each of these fields of `Context`, told with this default."""

    def made(command: Command) -> Command:
        @wraps(command)
        def run(**words: Any) -> None:  # noqa: ANN401 - what typer parsed
            chosen = {name: _read(value) for name in defaults if (value := words.pop(name)) not in (None, [])}
            command(context=_context(chosen), **words)

        options = [_choice(name, Context.model_fields[name], default) for name, default in defaults.items()]
        return _with_options(run, command, "context", options)

    return made


def _with_options(run: Command, command: Command, hidden: str, made: Sequence[inspect.Parameter]) -> Command:
    """The command as typer sees it: these options in the place of the parameter that is made of them."""
    own = [one for one in inspect.signature(command).parameters.values() if one.name != hidden]
    vars(run)["__signature__"] = inspect.Signature([*own, *made])
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *made]}
    del vars(run)["__wrapped__"]  # typer would read the original's annotations through it
    return run


def _option(name: str, annotation: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _choice(name: str, field: FieldInfo, fallback: object) -> inspect.Parameter:
    """An option that is None unless given; the bounds are checked by `Context` alone."""
    kind, more = _kind(field)
    flag = "--" + name.replace("_", "-")
    flags = f"{flag}/--no-{flag[2:]}" if kind is bool else flag
    option = typer.Option(flags, help=help_of(field, fallback) + more, rich_help_panel="This run")
    return _option(name, Annotated[Optional[kind], option])  # noqa: UP045 - the type is a value here


def _context(chosen: dict[str, Any]) -> Context:
    try:
        return Context(**chosen)
    except InvalidSetting as error:
        name, _, why = error.problem.partition(":")
        raise InvalidSetting(f"--{name.replace('_', '-')}:{why}", "See `veridic ask --help`.") from error


def _read(value: object) -> object:
    """A list's items may be given apart or by commas; one that is there under a name with commas is one item."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return value
    parts = [[item] if os.path.lexists(item) else item.split(",") for item in value]
    return tuple(item.strip() for items in parts for item in items if item.strip())


def _kind(field: FieldInfo) -> tuple[Any, str]:
    """The type of an option's value, and how several are given."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return str, ""
    kind = next((arg for arg in get_args(kind) if arg is not type(None)), kind)
    if get_origin(kind) is tuple:
        return list[str], " By commas, or given again."
    return kind, ""
