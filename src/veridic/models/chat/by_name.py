"""From a model's name to the model."""

from collections.abc import Mapping
from fnmatch import fnmatchcase

from veridic.errors import UnknownModel, nearest_of
from veridic.models.chat.adapter import LangChainChat
from veridic.models.chat.embedded import EmbeddedBackend
from veridic.models.chat.providers import AnthropicBackend, OllamaBackend, OpenAIBackend, RemoteBackend
from veridic.models.chat.tried import Trials, TriedChat
from veridic.models.opened import CHATS
from veridic.models.weights import SMOLLM2
from veridic.settings import EXTRACTIVE, Settings, without_grader

EMBEDDED = "embedded"
PROVIDERS: Mapping[str, type[RemoteBackend]] = {
    kind.provider: kind for kind in (OllamaBackend, OpenAIBackend, AnthropicBackend)
}
TOO_SMALL: tuple[str, ...] = (
    "*smollm*",
    "*tinyllama*",
    "*[:-]135m*",
    "*[:-]270m*",
    "*[:-]360m*",
    "*[:-]0.5b*",
    "*[:-]0.6b*",
)
"""Names of models that cannot be trusted to follow instructions."""


def open_chat(settings: Settings) -> LangChainChat | None:
    """The chat model that the settings name, nothing loaded or asked yet; None for `extractive`.

    It is one for all who ask by the same settings. Raises `UnknownModel` for a name that can be no model's.
    """
    if settings.model == EXTRACTIVE:
        return None
    if settings.model == EMBEDDED:
        chosen = (settings.weights, settings.cache, settings.threads)
        return CHATS.once((EMBEDDED, settings.follows_instructions, *chosen), lambda: _embedded(settings))
    backend, told = remote(settings), settings.follows_instructions
    trusted = follows_instructions(settings.model) if told == "auto" else told == "yes"
    # By what it is asked with: the environment may say other addresses and keys by now.
    chosen_by = (backend.name, trusted, backend.base_url, backend.key())
    return CHATS.once(chosen_by, lambda: LangChainChat(backend, follows_instructions=trusted))


def _embedded(settings: Settings) -> LangChainChat:
    """The model that comes with us, or one of the user's own weights, which is tried unless the settings tell."""
    backend, told = EmbeddedBackend(settings), settings.follows_instructions
    if settings.weights is not None and told == "auto":
        return TriedChat(backend, settings.weights, Trials(settings))
    trusted = SMOLLM2.follows_instructions if told == "auto" else told == "yes"
    return LangChainChat(backend, follows_instructions=trusted)


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


def follows_instructions(name: str) -> bool:
    """Whether a model of this name can be trusted with rewriting, claims and citation markers."""
    return not any(fnmatchcase(name.lower(), pattern) for pattern in TOO_SMALL)
