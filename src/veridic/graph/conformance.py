"""Whether an object that was handed in has what a protocol asks for, told without calling it."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from typing_extensions import get_protocol_members

_ABSENT = object()


def lacking(given: object, protocol: type) -> list[str]:
    """What an object lacks of a protocol, each as `no method …`; empty when it has everything.

    No attribute is evaluated: some load a model.
    """
    return [fault for name in sorted(get_protocol_members(protocol)) for fault in _faults(given, name, protocol)]


def _faults(given: object, name: str, protocol: type) -> Iterator[str]:
    asked = inspect.getattr_static(protocol, name)
    if inspect.getattr_static(given, name, _ABSENT) is not _ABSENT:
        yield from _method_faults(getattr(given, name), asked, name) if callable(asked) else ()
    elif not _makes_up(given, name):
        yield f"no {'method' if callable(asked) else 'attribute'} `{name}`"


def _makes_up(given: object, name: str) -> bool:
    """Whether an object makes this attribute up when it is asked for; one that fails at it has it."""
    if not hasattr(type(given), "__getattr__"):
        return False
    try:
        getattr(given, name)
    except AttributeError:
        return False
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the attribute is needed
        return True
    return True


def _method_faults(method: object, asked: Callable[..., Any], name: str) -> Iterator[str]:
    """A method that is none, that must be awaited, or that cannot be given by name what it will be given."""
    if not callable(method):
        yield f"no method `{name}` (there is a {type(method).__name__} of this name)"
        return
    if inspect.iscoroutinefunction(method):
        yield f"no method `{name}` (there is one that must be awaited)"
        return
    try:
        taken = inspect.signature(method).parameters.values()
    except ValueError:  # built in C, without a signature
        return
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return
    by_name = {one.name for one in taken if one.kind in (one.KEYWORD_ONLY, one.POSITIONAL_OR_KEYWORD)}
    wanted = (one.name for one in inspect.signature(asked).parameters.values() if one.kind is one.KEYWORD_ONLY)
    yield from (f"no `{one}` among what its method `{name}` takes" for one in wanted if one not in by_name)
