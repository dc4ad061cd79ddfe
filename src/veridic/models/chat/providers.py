"""Chat models that live elsewhere: Ollama, OpenAI and compatible servers, Anthropic.

The provider's class is imported directly: `init_chat_model` belongs to the `langchain`
package, whose agents this project has no use for.
"""

import importlib.util
import math
import os
import re
import socket
import threading
from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from pydantic import SecretStr

from veridic.errors import MissingExtra, MissingKey
from veridic.models.chat.adapter import Backend, Limits, asked_probabilities, in_openais_form
from veridic.models.chat.failures import Origin, translated
from veridic.models.weights import Progress
from veridic.ports.reflection import is_trained_for_it
from veridic.settings import Settings

if TYPE_CHECKING:
    import httpx
    from langchain_core.language_models import BaseChatModel

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 600.0
_SMALLEST_WINDOW = 4096
PORTS = {"http": 80, "https": 443}
REACHED_WITHIN = 3.0
"""Seconds in which somebody who listens takes a connection."""
_FIXED_TEMPERATURE = re.compile(r"(o\d|gpt-5)(?!.*chat)")


class RemoteBackend(Backend):
    """What the providers have in common: one client, made at first use, under a lock."""

    provider: ClassVar[str]
    package: ClassVar[str]
    extra: ClassVar[str] = ""
    key_variable: ClassVar[str] = ""
    listing: ClassVar[str] = ""
    """The path under which it lists its models; empty where that is not asked."""
    lists_all: ClassVar[bool] = False
    """Whether a model that is not listed cannot be used."""

    def __init__(self, model: str, settings: Settings) -> None:
        """Nobody is asked yet."""
        self.model = model
        self.name = f"{self.provider}:{model}"
        self.settings = settings
        self._lock = threading.Lock()
        self._client: BaseChatModel | None = None

    @property
    def base_url(self) -> str | None:
        """The endpoint that was set; None for the provider's own."""
        return self.settings.base_url

    @property
    def origin(self) -> Origin:
        """For messages."""
        variable = f"VERIDIC_API_KEY or {self.key_variable}" if self.key_variable else "VERIDIC_API_KEY"
        return Origin(
            name=self.name,
            endpoint=without_credentials(self.base_url) or self.provider.capitalize(),
            absent="Check the address (VERIDIC_BASE_URL) and the network, then try again.",
            unknown="Check the model's name.",
            key=f"Set {variable} to a key that is valid there.",
        )

    def open(self, progress: Progress) -> "BaseChatModel":  # noqa: ARG002 - nothing is fetched
        """The client. Raises `MissingExtra`, `MissingKey`, `ModelUnavailable`."""
        with self._lock:
            if self._client is None:
                self.require()
                self.reach()
                self._client = self.connect()
            return self._client

    def require(self) -> None:
        """Raise `MissingExtra` or `MissingKey` for what can be told without asking anyone."""
        if importlib.util.find_spec(self.package) is None:
            mend = f"Install it: pip install 'veridic[{self.extra}]'." if self.extra else "Install veridic again."
            raise MissingExtra(f"{self.name} needs the package {self.package.replace('_', '-')}.", mend)
        if self.key_variable and self.key() is None and self.base_url is None:
            raise MissingKey(f"{self.name} needs a key and none is set.", self.origin.key)

    def reach(self) -> None:
        """Raise `ModelUnavailable` where nobody listens at the endpoint; one of the provider's is not tried first."""
        if self.base_url is None:
            return
        try:
            address = urlsplit(self.base_url)
            scheme, host = address.scheme.lower(), address.hostname or ""
            if scheme in getproxies() and not proxy_bypass(host):
                return
            place = host, address.port or PORTS[scheme]
            socket.create_connection(place, timeout=REACHED_WITHIN).close()
        except (OSError, ValueError) as error:
            raise translated(error, self.origin) from error

    def names(self, listed: dict[str, list[dict[str, Any]]]) -> set[str]:
        """The models in the answer to `listing`."""
        return {model["id"] for model in listed["data"]}

    def key(self) -> SecretStr | None:
        """The key that was set, else the one in the provider's own variable."""
        found = os.environ.get(self.key_variable, "") if self.key_variable else ""
        return self.settings.api_key or (SecretStr(found) if found else None)

    def headers(self) -> dict[str, str]:
        """What a request says of the key, where a library does not say it."""
        key = self.key()
        return {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}

    @abstractmethod
    def connect(self) -> "BaseChatModel":
        """Make the client; no network call."""


class OllamaBackend(RemoteBackend):
    """A model that an Ollama server has."""

    provider = "ollama"
    package = "langchain_ollama"
    listing = "/api/tags"
    lists_all = True

    @property
    def base_url(self) -> str:
        """The server: as set, else OLLAMA_HOST, else Ollama's usual place."""
        host = os.environ.get("OLLAMA_HOST") or "127.0.0.1:11434"
        return self.settings.base_url or (host if "://" in host else f"http://{host}")

    @property
    def origin(self) -> Origin:
        """For messages."""
        return replace(
            super().origin,
            endpoint=f"Ollama at {without_credentials(self.base_url)}",
            absent="Start it with `ollama serve`, or set VERIDIC_BASE_URL to where it runs.",
            unknown=f"Fetch it with `ollama pull {self.model}`.",
        )

    def names(self, listed: dict[str, list[dict[str, Any]]]) -> set[str]:
        """The models it has pulled; `:latest` goes without saying."""
        full = {model["name"] for model in listed["models"]}
        return full | {name.removesuffix(":latest") for name in full}

    def connect(self) -> "BaseChatModel":
        """A client that keeps thinking models from spending the answer's tokens on thinking."""
        from langchain_ollama import ChatOllama

        from veridic.models.chat.wire import counted

        return ChatOllama(
            model=self.model,
            base_url=self.base_url,
            reasoning=False,
            client_kwargs={"timeout": _patience(), "headers": self.headers()},
            sync_client_kwargs={"event_hooks": counted(self.origin.endpoint)},
        )

    def arguments(self, limits: Limits) -> dict[str, Any]:
        """Options by Ollama's names, with a window that holds the prompt: Ollama cuts it in silence otherwise."""
        needed = limits.prompt_tokens * 1.5 + limits.max_tokens
        window = max(_SMALLEST_WINDOW, 2 ** math.ceil(math.log2(needed)))
        options = {"num_predict": limits.max_tokens, "temperature": limits.temperature, "seed": limits.seed}
        shape = {"format": dict(limits.schema)} if limits.schema else {}
        return {"options": options | {"num_ctx": window}, **shape, **asked_probabilities(limits)}


class OpenAIBackend(RemoteBackend):
    """A model of OpenAI, or of any server that speaks its protocol."""

    provider = "openai"
    package = "langchain_openai"
    listing = "/models"
    key_variable = "OPENAI_API_KEY"

    @property
    def base_url(self) -> str | None:
        """The server: as set, else OPENAI_BASE_URL, else None for OpenAI's own."""
        return self.settings.base_url or os.environ.get("OPENAI_BASE_URL") or None

    def connect(self) -> "BaseChatModel":
        """OpenAI's client; for other servers one that says `max_tokens`, the name that all of them know."""
        import httpx
        from langchain_openai import ChatOpenAI
        from langchain_openai.chat_models.base import BaseChatOpenAI

        from veridic.models.chat.wire import counted

        hooks = counted(self.origin.endpoint)
        client = httpx.Client(timeout=_patience(), event_hooks=hooks, follow_redirects=True)
        kind = BaseChatOpenAI if self.base_url else ChatOpenAI
        return kind(
            model=self.model,
            base_url=self.base_url,
            api_key=self.key() or SecretStr("none"),
            timeout=_patience(),
            http_client=client,
            max_retries=0,
        )

    def arguments(self, limits: Limits) -> dict[str, Any]:
        """The limits; reasoning models of OpenAI refuse a temperature, a seed and probabilities.

        vLLM takes reflection tokens out of its replies unless told to leave special tokens in; others do not mind.
        """
        fixed = self.base_url is None and bool(_FIXED_TEMPERATURE.match(self.model))
        told = in_openais_form(replace(limits, probabilities=limits.probabilities and not fixed))
        if fixed:
            del told["temperature"], told["seed"]
        if self.base_url and is_trained_for_it(self.model):
            told["extra_body"] = {**told.get("extra_body", {}), "skip_special_tokens": False}
        return told


class AnthropicBackend(RemoteBackend):
    """A model of Anthropic; it takes no seed, and no schema without a tool."""

    provider = "anthropic"
    package = "langchain_anthropic"
    extra = "anthropic"
    key_variable = "ANTHROPIC_API_KEY"

    def connect(self) -> "BaseChatModel":
        """Anthropic's client."""
        from langchain_anthropic import ChatAnthropic

        place = {"base_url": self.base_url} if self.base_url else {}
        client: BaseChatModel = ChatAnthropic(
            model_name=self.model,
            api_key=self.key() or SecretStr("none"),
            timeout=_READ_SECONDS,
            max_retries=0,
            stop=None,
            **place,
        )
        return client

    def arguments(self, limits: Limits) -> dict[str, Any]:
        """The limits, without the seed."""
        return {"max_tokens": limits.max_tokens, "temperature": limits.temperature}


def without_credentials(url: str | None) -> str:
    """An address as it may be shown: no user, password or query; empty for None."""
    if url is None:
        return ""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _patience() -> "httpx.Timeout":
    import httpx

    return httpx.Timeout(_READ_SECONDS, connect=_CONNECT_SECONDS)
