"""From a model's name to the model."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from veridic.errors import UnknownModel, nearest_of
from veridic.models.chat.adapter import LangChainChat
from veridic.models.chat.embedded import EmbeddedBackend
from veridic.models.chat.providers import AnthropicBackend, OllamaBackend, OpenAIBackend, RemoteBackend
from veridic.models.opened import CHATS
from veridic.models.weights import SMOLLM2, cached_path
from veridic.settings import EXTRACTIVE, Settings, without_grader

EMBEDDED = "embedded"
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


def open_grader(settings: Settings, chat: LangChainChat | None) -> LangChainChat | None:
    """The chat model that grades, `chat` where it is the same; None where trained judges do.

    Raises `InvalidSetting` where there is no chat model to grade, `UnknownModel`.
    """
    own = grading_settings(settings)
    if own is None:
        return None
    grader = chat if own is settings else open_chat(own)
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
