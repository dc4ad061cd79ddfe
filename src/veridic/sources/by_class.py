"""A retriever of langchain-community that the operator names by its class: `community:TavilySearchAPIRetriever`.

It is built with its own defaults and reads its key from where its package says. See `community` for what the guard
cannot do for it.
"""

from functools import partial
from typing import TYPE_CHECKING

from pydantic import ValidationError

from veridic.context import COMMUNITY
from veridic.errors import InvalidSetting, SourceRefused, nearest_of
from veridic.sources.community import CommunityRetriever, missing_package, without_sunset_warning

if TYPE_CHECKING:
    from langchain_core.retrievers import BaseRetriever

LIMITS = ("top_k_results", "k", "top_k", "max_results", "num_results")
"""Fields in which retrievers keep how many documents they give."""


def retriever_source(name: str) -> CommunityRetriever:
    """The source of this name, its retriever built once to see that it can be.

    Raises `InvalidSetting` for a class that langchain-community does not have, `MissingExtra` for a package that is
    not installed, and `SourceRefused` for a retriever that its defaults do not make.
    """
    kind = _kind_of(name)
    source = CommunityRetriever(name, partial(_built, name, kind))
    _built(name, kind, limit=1, deadline=0.0)
    return source


def _kind_of(name: str) -> "type[BaseRetriever]":
    """The class behind a name."""
    without_sunset_warning()
    import langchain_community.retrievers as known

    wanted = name.removeprefix(COMMUNITY)
    if wanted not in known.__all__:
        mend = nearest_of(wanted, known.__all__, "See the retrievers in langchain-community's reference.", count=3)
        raise InvalidSetting(f"langchain-community has no retriever {wanted!r}.", mend)
    try:
        kind: type[BaseRetriever] = getattr(known, wanted)
    except ImportError as error:
        raise missing_package(name, error) from error
    return kind


def _built(name: str, kind: "type[BaseRetriever]", *, limit: int, deadline: float) -> "BaseRetriever":  # noqa: ARG001
    """A retriever of at most `limit` documents, where its class can be told; it knows no deadline."""
    field = next((field for field in LIMITS if field in kind.model_fields), None)
    try:
        return kind.model_validate({field: limit} if field else {})
    except ImportError as error:
        raise missing_package(name, error) from error
    except Exception as error:  # a class of anyone's may raise anything
        why = _why(error)
        raise SourceRefused(
            f"{name} cannot be built: {why}.", "Give it what its documentation says it needs."
        ) from error


def _why(error: Exception) -> str:
    """What is missing; never a value, as that may be a key."""
    if not isinstance(error, ValidationError):
        return type(error).__name__
    first = error.errors(include_input=False, include_context=False)[0]
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{'.'.join(map(str, first['loc']))} {said[:1].lower()}{said[1:]}".strip()
