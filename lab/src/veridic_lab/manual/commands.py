"""Every command with its options, told from the program itself."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.main import get_command

from veridic.cli.app import app
from veridic.settings import Settings
from veridic_lab.manual.tables import table

INTRODUCTION = """# Commands

Every command, as `veridic COMMAND --help` tells it. Options of a run stand in [choices and settings](../settings.md)
too. This page is written by `make docs` from the program itself."""

KNOWLEDGE_BASE = "~/.local/share/veridic/knowledge.sqlite"
"""Where it lies on Linux, whatever machine the page is written on."""
DEFAULT = re.compile(r"\s*\[default: (.+)\]$")
BOUNDS = re.compile(r"\s*(?:From ([\w.]+ to [\w.]+)|One of: ([^.]+))\.")


def commands_page() -> str:
    """All commands, those of a group beneath it."""
    return "\n\n".join([INTRODUCTION, *_sections(get_command(app), "veridic")]) + "\n"


def _sections(command: Any, name: str) -> Iterator[str]:  # noqa: ANN401 - Typer brings a click of its own
    inner = getattr(command, "commands", {})
    if name != "veridic":
        yield _section(command, name, group=bool(inner))
    for word, one in inner.items():
        yield from _sections(one, f"{name} {word}")


def _section(command: Any, name: str, *, group: bool) -> str:  # noqa: ANN401
    told = f"## {name.removeprefix('veridic ')}\n\n{_plain(command.help or '').strip()}"
    if group:
        return told
    shown = [one for one in command.params if not one.hidden]
    usage = " ".join([name, *(_placeholder(one) for one in shown if _is_argument(one)), "[OPTIONS]"])
    return "\n\n".join([told, f"```text\n{usage}\n```", *_options(shown)])


def _options(params: list[Any]) -> list[str]:
    rows = [_cells(one) for one in params if one.name != "help"]
    return [table(("argument or option", "default", "bounds", "meaning"), rows)] if rows else []


def _cells(param: Any) -> tuple[str, str, str, str]:  # noqa: ANN401
    meaning, default, bounds = _told(_plain(param.help or ""))
    names = ", ".join(f"`{name}`" for name in [*param.opts, *param.secondary_opts])
    names = f"`{_placeholder(param)}`" if _is_argument(param) else names
    return names, _cell(default or _default(param)), bounds or _bounds(param), meaning


def _told(text: str) -> tuple[str, str, str]:
    """An option's help without the default and the bounds that its end says, and these."""
    default = DEFAULT.search(text)
    text = DEFAULT.sub("", text)
    bounds = BOUNDS.search(text)
    return BOUNDS.sub("", text), default[1] if default else "", (bounds[1] or bounds[2]) if bounds else ""


def _default(param: Any) -> str:  # noqa: ANN401
    given = param.default
    if param.required:
        return "required"
    if given is None or callable(given) or given is False:
        return ""
    return "true" if given is True else str(given)


def _bounds(param: Any) -> str:  # noqa: ANN401
    annotation = param.type_descriptor.annotation
    if get_origin(annotation) is Literal:
        return ", ".join(map(str, get_args(annotation)))
    least, most = param.min, param.max
    if most is not None:
        return f"{least} to {most}"
    return "" if least is None else f"{least} or more"


def _placeholder(param: Any) -> str:  # noqa: ANN401
    return str(param.metavar or param.name.upper())


def _is_argument(param: Any) -> bool:  # noqa: ANN401
    return bool(param.opts == [param.name])


def _cell(default: str) -> str:
    return f"`{default}`" if default and default not in ("required", "true") else default


def _plain(text: str) -> str:
    """Without Rich's escapes, and without this machine's own folders."""
    here = str(Settings.model_fields["kb"].get_default(call_default_factory=True))
    home = str(Path.home())
    for path in (here, here.replace(home, "~")):
        text = text.replace(path, KNOWLEDGE_BASE)
    return text.replace("\\[", "[")
