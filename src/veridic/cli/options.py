"""Options that several commands share, and those made from the fields of `Settings` and `Context`."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from rich.markup import escape
from typer.core import TyperCommand

from veridic.cli.gone import refuse_gone
from veridic.context import Context, unknown_choice
from veridic.errors import InvalidSetting, UsageError
from veridic.ports.method import NUMBERS
from veridic.settings import PREFIX, Settings

Command = Callable[..., None]


def bounds_of(field: FieldInfo) -> str:
    """`0 to 5` of a number, the words of a choice by commas; empty where anything goes."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(map(str, get_args(field.annotation)))
    bounds = {name: getattr(one, name) for one in field.metadata for name in ("ge", "le") if hasattr(one, name)}
    return f"{bounds['ge']} to {bounds.get('le')}" if "ge" in bounds else ""


def help_of_setting(name: str) -> str:
    """What an option means that stands before a setting: where it is not given the setting counts."""
    field = Settings.model_fields[name]
    default, home = str(field.get_default(call_default_factory=True) or ""), str(Path.home())
    plain = f"~{default.removeprefix(home)}" if default.startswith(home) else default
    return _help(str(field.description), f"{PREFIX}{name.upper()}{f', else {plain}' if default else ''}")


def _help(told: str, default: object) -> str:
    """With the default in brackets; Rich would take those, and any that a description has, for its own."""
    return escape(told if default is None else f"{told} [default: {default}]")


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
MODEL = Annotated[str | None, typer.Option(metavar="MODEL", help=help_of_setting("model"))]
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

SYSTEM = Annotated[str, typer.Option(help="The method, by name: see `veridic systems`.", metavar="NAME")]
EXPORT = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the answer with its sources into a new file too: .md, .html or .json, as its name ends.",
    ),
]
JSON = Annotated[bool, typer.Option("--json", help="Print it as one JSON document.")]
CHOICES = {name: field.default for name, field in Context.model_fields.items() if name != "sources"}
"""What a run may choose on the command line, with the defaults; `sources` is an option before a setting."""


class OneRun(TyperCommand):
    """A command with a run's choices; one that is none any more is told with what took its place."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a context of typer's own click
        """Read the command line. Raises `UsageError` for an option that is gone, or a number of the method."""
        for word in args:
            refuse_gone(ctx, word)
            name = word.partition("=")[0].removeprefix("--").removeprefix("no-").replace("-", "_")
            if word.startswith("--") and name in NUMBERS:
                raise unknown_choice(name, NUMBERS)
        return super().parse_args(ctx, args)


def moment(written: str | None) -> datetime | None:
    """A day or moment, of this machine's zone where it names none. Raises `UsageError`."""
    try:
        return datetime.fromisoformat(written).astimezone() if written else None
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{written!r} is no date.", "Write it as 2026-01-31, or 2026-01-31T18:00.") from error


def with_options(*names: str, choices: Mapping[str, object] | None = None) -> Callable[[Command], Command]:
    """Give a command an option for each of these settings, by default for where the documents are, and of `choices`.

    The command gets `chosen`: the process's settings, with what the command line gave over them. An option that it has
    as a parameter too it gets as it was given. `choices` are fields of `Context`, each with the default that is told;
    made of them it gets `context`.
    """
    return partial(_with, given=names or ("kb", "namespace"), choices=choices)


def _with(command: Command, given: Sequence[str], choices: Mapping[str, object] | None) -> Command:
    own = inspect.signature(command).parameters
    shown = [one for name, one in own.items() if name not in ("chosen", "context")]
    shown += [_option(name, SETTINGS[name]) for name in given if name not in own and "chosen" in own]
    shown += [_choice(name, Context.model_fields[name], default) for name, default in (choices or {}).items()]

    @wraps(command)
    def run(**words: Any) -> None:  # noqa: ANN401 - what typer parsed
        """Call the command with what was typed."""
        if choices is not None:
            words["context"] = _context({name: words[name] for name in choices})
        if "chosen" in own:
            words["chosen"] = Settings.load(**{name: words[name] for name in given})
        command(**{name: value for name, value in words.items() if name in own})

    vars(run)["__signature__"] = inspect.Signature(shown)
    run.__annotations__ = {one.name: one.annotation for one in shown}
    del vars(run)["__wrapped__"]  # typer would read the original's annotations through it
    return run


def _option(name: str, annotation: object) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _choice(name: str, field: FieldInfo, default: object) -> inspect.Parameter:
    """An option that is None unless given; the bounds are checked by `Context` alone."""
    kind = field.annotation
    if is_word := get_origin(kind) is Literal:
        kind = str
    kind = next((arg for arg in get_args(kind) if arg is not type(None)), kind)
    several = get_origin(kind) is tuple
    flag = f"--{name.replace('_', '-')}"
    bounds = bounds_of(field)
    told = f" {'One of: ' if is_word else 'From '}{bounds}." if bounds else ""
    more = " By commas, or given again." if several else ""
    option = typer.Option(
        f"{flag}/--no-{flag[2:]}" if kind is bool else flag,
        help=_help(f"{field.description}{told}", default) + more,
        rich_help_panel="This run",
    )
    return _option(name, Annotated[Optional[list[str] if several else kind], option])  # noqa: UP045 - a value here


def _context(given: Mapping[str, Any]) -> Context:
    """The choices of a run that were given."""
    chosen: dict[str, Any] = {name: _read(value) for name, value in given.items() if value not in (None, [])}
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
