"""The shapes that are printed as JSON, field by field, told from their docstrings."""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from veridic.ports import shapes
from veridic.ports.shapes import checking, report
from veridic_lab.manual.tables import table

INTRODUCTION = """# The result, field by field

What `veridic ask --json` prints, `state["result"]` is and `POST /veridic/ask` answers; then what `veridic check`
prints. Offsets count characters of the stored text, scores are probabilities from 0 to 1, and null means "not judged"
or "there is none". This page is written by `make docs` from `veridic.ports.shapes`. The JSON schemas say the same for
programs:

{schemas}."""

SCHEMAS = ("result", "check")
FIRST = (report.Result, checking.CheckResult)
WORD = re.compile(r"\b[A-Z]\w+\b")


def fields_page() -> str:
    """The results and every shape within them, each once, in the order in which they are met."""
    links = ", ".join(f"{{download}}`{name}.schema.json <../{name}.schema.json>`" for name in SCHEMAS)
    return "\n\n".join([INTRODUCTION.format(schemas=links), *map(_section, _met()), _words()]) + "\n"


def _met() -> list[type]:
    known = _known()
    met: list[type] = []
    waiting = list(FIRST)
    while waiting:
        shape = waiting.pop(0)
        if shape not in met:
            met.append(shape)
            waiting += [known[name] for _, kind, _ in _fields(shape) for name in WORD.findall(kind) if name in known]
    return met


def _known() -> Mapping[str, type]:
    """The shapes by name: classes with fields, no aliases."""
    rooms = (shapes, checking, report)
    found = {name: kind for room in rooms for name, kind in vars(room).items() if _is_shape(kind)}
    return {name: kind for name, kind in found.items() if kind.__name__ == name}


def _is_shape(kind: Any) -> bool:  # noqa: ANN401
    return (
        isinstance(kind, type)
        and kind.__module__.startswith("veridic.ports.shapes")
        and hasattr(kind, "__annotations__")
    )


def _words() -> str:
    """The types that are one of a few words."""
    met = {name for shape in _met() for _, kind, _ in _fields(shape) for name in WORD.findall(kind)}
    rooms = (shapes, checking, report)
    found = {name: kind for room in rooms for name, kind in vars(room).items() if get_origin(kind) is Literal}
    rows = [(f"`{name}`", ", ".join(map(str, get_args(found[name])))) for name in sorted(met & found.keys())]
    return f"## Words\n\n{table(('type', 'one of'), rows)}"


def _section(shape: type) -> str:
    rows = [(f"`{name}`", f"`{kind}`", meaning) for name, kind, meaning in _fields(shape)]
    return (
        f"## {shape.__name__}\n\n{inspect.cleandoc(shape.__doc__ or '')}\n\n{table(('field', 'type', 'meaning'), rows)}"
    )


def _fields(shape: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and docstring of each field; of the bases first, where there are any."""
    body = ast.parse(inspect.getsource(shape)).body[0]
    if not isinstance(body, ast.ClassDef):
        return
    for base in body.bases:
        if (inherited := _known().get(ast.unparse(base))) is not None:
            yield from _fields(inherited)
    lines = body.body
    for line, after in zip(lines, [*lines[1:], None], strict=True):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            yield line.target.id, ast.unparse(line.annotation), _docstring(after)


def _docstring(line: ast.stmt | None) -> str:
    if isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str):
        return " ".join(line.value.value.split())
    return ""
