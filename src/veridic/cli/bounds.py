"""What may be chosen, and what is without a choice: told from the fields themselves."""

from pathlib import Path
from typing import Literal, get_args, get_origin

from pydantic.fields import FieldInfo
from rich.markup import escape

from veridic.settings import PREFIX, Settings


def bounds_of(field: FieldInfo) -> str:
    """`0 to 5` of a number, the words of a choice by commas; empty where anything goes."""
    if get_origin(field.annotation) is Literal:
        return ", ".join(map(str, get_args(field.annotation)))
    least, most = _bound(field, "ge"), _bound(field, "le")
    return "" if least is None else f"{least} to {most}"


def help_of(field: FieldInfo, default: object) -> str:
    """What an option means, its bounds and its default, as Typer takes it."""
    bounds = bounds_of(field)
    of = "One of: " if get_origin(field.annotation) is Literal else "From "
    told = f" {of}{bounds}." if bounds else ""
    return _help(f"{field.description}{told}", "" if default is None else str(default))


def help_of_setting(name: str) -> str:
    """The same for an option that stands before a setting: where it is not given the setting counts."""
    field = Settings.model_fields[name]
    default = field.get_default(call_default_factory=True)
    otherwise = f", else {_plain(default)}" if default else ""
    return _help(str(field.description), f"{PREFIX}{name.upper()}{otherwise}")


def _help(told: str, default: str) -> str:
    """With the default in brackets; Rich would take those, and any that a description has, for its own."""
    return escape(f"{told} [default: {default}]" if default else told)


def _plain(default: object) -> str:
    home = str(Path.home())
    told = str(default)
    return f"~{told.removeprefix(home)}" if told.startswith(home) else told


def _bound(field: FieldInfo, name: str) -> object:
    return next((getattr(one, name) for one in field.metadata if hasattr(one, name)), None)
