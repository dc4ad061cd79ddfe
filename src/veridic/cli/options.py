"""Options that several commands share, and those made from the fields of `Context`."""

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any, Literal, Optional, get_args, get_origin

import typer
from pydantic.fields import FieldInfo
from typer.core import TyperCommand

from veridic.cli import completion
from veridic.cli.bounds import help_of, help_of_setting
from veridic.context import Context, unknown_choice
from veridic.errors import InvalidSetting
from veridic.ports.method import NUMBERS
from veridic.settings import Settings

KB = Annotated[str | None, typer.Option("--kb", metavar="PATH", help=help_of_setting("kb"))]
TAKEN_IN = "what is new or changed goes into the knowledge base first, and stays there."
DOCS = Annotated[
    str | None,
    typer.Option(metavar="PATH", help=f"Ask the documents at this path alone; {TAKEN_IN}"),
]
NAMESPACE = Annotated[str | None, typer.Option(metavar="NAME", help=help_of_setting("namespace"))]
SYSTEM = Annotated[
    str,
    typer.Option(help="The method, by name: see `veridic systems`.", metavar="NAME", autocompletion=completion.systems),
]
MODEL = Annotated[
    str | None, typer.Option(metavar="MODEL", help=help_of_setting("model"), autocompletion=completion.models)
]
JUDGE = Annotated[str | None, typer.Option(metavar="JUDGE", help=help_of_setting("judge"))]
BASE_URL = Annotated[str | None, typer.Option(metavar="URL", help=help_of_setting("base_url"))]
EXPORT = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the answer with its sources into a new file too: .md, .html, .bib or .json, as its name ends.",
    ),
]
SOURCES = Annotated[str | None, typer.Option(metavar="NAMES", help=help_of_setting("sources"))]


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


def with_context_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command one option for each field of `Context` but `sources`, passed to it as `context`."""
    return with_choices(**{name: field.default for name, field in Context.model_fields.items() if name != "sources"})(
        command
    )


def with_choices(**defaults: object) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command one option for each of these fields of `Context`, told with this default."""

    def given(command: Callable[..., None]) -> Callable[..., None]:
        return _with_options(command, {name: Context.model_fields[name] for name in defaults}, defaults)

    return given


def _with_options(
    command: Callable[..., None], fields: Mapping[str, FieldInfo], defaults: Mapping[str, object]
) -> Callable[..., None]:
    @wraps(command)
    def run(**given: Any) -> None:  # noqa: ANN401 - what typer parsed
        chosen = {name: _read(value) for name in fields if (value := given.pop(name)) not in (None, [])}
        command(context=_context(chosen), **given)

    own = [p for p in inspect.signature(command).parameters.values() if p.name != "context"]
    made = [_parameter(name, field, defaults[name]) for name, field in fields.items()]
    vars(run)["__signature__"] = inspect.Signature([*own, *made])
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *made]}
    del vars(run)["__wrapped__"]  # typer would read the original's annotations through it
    return run


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


def _parameter(name: str, field: FieldInfo, fallback: object) -> inspect.Parameter:
    """An option that is None unless given; the bounds are checked by `Context` alone."""
    kind, more = _kind(field)
    flag = "--" + name.replace("_", "-")
    flags = f"{flag}/--no-{flag[2:]}" if kind is bool else flag
    option = typer.Option(flags, help=help_of(field, fallback) + more, rich_help_panel="This run")
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[Optional[kind], option],  # noqa: UP045 - the type is a value here
    )


def _kind(field: FieldInfo) -> tuple[Any, str]:
    """The type of an option's value, and how several are given."""
    kind = field.annotation
    if get_origin(kind) is Literal:
        return str, ""
    kind = next((arg for arg in get_args(kind) if arg is not type(None)), kind)
    if get_origin(kind) is tuple:
        return list[str], " By commas, or given again."
    return kind, ""
