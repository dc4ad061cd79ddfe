"""The map of the house: import-linter's layers, each module with what it says of itself."""

import ast
import tomllib
from pathlib import Path

from veridic_lab.manual.tables import paragraph, table

SOURCES = Path("src")


def rooms_table() -> str:
    """The layers from the top: a module may import what stands beneath it. Read from the checkout this is run in."""
    contracts = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one["type"] == "layers")
    names = [name.strip() for layer in layers for name in layer.split("|")]
    tops = {layer.split("|")[0].strip() for layer in layers}
    rows = [(_name(name) if name in tops else f"… {_name(name)}", _says(name)) for name in names]
    return table(("module", "what it is"), rows)


def _name(module: str) -> str:
    return f"`{module.removeprefix('veridic.')}`"


def _says(module: str) -> str:
    """The first line of a module's docstring."""
    path = SOURCES.joinpath(*module.split("."))
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    told = ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))) or ""
    return paragraph(told)
