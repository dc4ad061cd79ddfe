"""The routes of the server, told from the functions that answer them."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from veridic.server.app import ROUTES
from veridic.server.requests import STATUS
from veridic_lab.manual.tables import paragraph, table

INTRODUCTION = """# HTTP routes

What `veridic serve` serves, and a LangGraph server beside its own routes: all beneath `/veridic`. A key goes
with each request, `Authorization: Bearer KEY` or `X-Api-Key: KEY`, where the server asks for one (see
[secure it](../how-to/secure.md)); it fixes the namespace. *Who may* is the role it needs: `asks` is every key,
`manages` one that may change what is held. Answers are JSON. The page itself is at `/veridic/`.
This page is written by `make docs` from `veridic.server.app`."""

METHOD = re.compile(r"^(GET|POST|DELETE)(?:, for everybody)?(?:, ([^:]+))?(?: `([^`]+)`)?: ", re.DOTALL)
WHO = {"manager_of": "manages", "caller_of": "asks"}
"""By which of these a route finds out who asks."""


def routes_page() -> str:
    """A table of all routes, what each takes, and how errors are told."""
    rows = [_cells(method, path, answer) for path, methods in ROUTES.items() for method, answer in methods.items()]
    head = ("route", "who may", "answer")
    return "\n\n".join([INTRODUCTION, table(head, rows), "## What is sent", *_requests(), _errors()]) + "\n"


def _cells(method: str, path: str, answer: Callable[..., Any]) -> tuple[str, str, str]:
    told = paragraph(inspect.cleandoc(answer.__doc__ or ""))
    begins = METHOD.match(told)
    query = f"{begins[3]}" if begins and begins[3] else ""
    sent = f"Sent {begins[2]}. " if begins and begins[2] else ""
    return f"`{method} /veridic{path}{query}`", _who(answer), _sentence(METHOD.sub("", told), sent)


def _sentence(told: str, sent: str) -> str:
    return f"{sent}{told[:1].upper()}{told[1:]}"


def _who(answer: Callable[..., Any]) -> str:
    source = inspect.getsource(answer)
    return next((role for name, role in WHO.items() if name in source), "everybody")


def _requests() -> Iterator[str]:
    """The bodies, a section for each that has one."""
    for path, methods in ROUTES.items():
        for method, answer in methods.items():
            body = _body(answer)
            if body is not None:
                yield f"### {method} {path}\n\n{inspect.cleandoc(body.__doc__ or '')}"
                yield table(("field", "type", "default"), [_field(body, name) for name in body.model_fields])


def _body(answer: Callable[..., Any]) -> type[BaseModel] | None:
    """The model that a route reads its request by."""
    named = re.search(r"sent\(request, (\w+)\)|sent, request, (\w+)", inspect.getsource(answer))
    found = inspect.getmodule(answer).__dict__.get(named[1] or named[2]) if named else None
    return found if isinstance(found, type) and issubclass(found, BaseModel) else None


def _field(body: type[BaseModel], name: str) -> tuple[str, str, str]:
    field = body.model_fields[name]
    kind = inspect.formatannotation(field.annotation).replace("typing.", "")
    if field.is_required():
        return f"`{name}`", f"`{kind}`", "required"
    default = field.get_default(call_default_factory=True)
    return f"`{name}`", f"`{kind}`", "" if default in (None, PydanticUndefined) else f"`{default!r}`"


def _errors() -> str:
    """How what went wrong is told, and by which status."""
    rows = [(str(status), f"`{kind.__name__}`", inspect.cleandoc(kind.__doc__ or "").splitlines()[0])
            for kind, status in sorted(STATUS.items(), key=lambda item: item[1])]  # fmt: skip
    said = 'An error is `{"error": NAME, "problem": …, "mend": …, "retryable": …}`, with this status:'
    rows.append(("500", "every other error of ours", "See [errors](api.md#errors)."))
    return f"## Errors\n\n{said}\n\n{table(('status', 'error', 'when'), rows)}"
