"""What belongs to the process: read from the environment or `veridic.toml`, never from a client.

An environment variable is `VERIDIC_` and the field's name; it wins over the file.
"""

import logging
import os
import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from platformdirs import user_cache_path, user_data_path
from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict, TomlConfigSettingsSource
from pydantic_settings import PydanticBaseSettingsSource as _Source

from veridic.context import SourceName
from veridic.errors import InvalidSetting, nearest_of
from veridic.ports.file_limits import FileLimits

MB = 10**6
_log = logging.getLogger(__name__)

PREFIX = "VERIDIC_"
NOT_SETTINGS = ("VERIDIC_DEBUG", "VERIDIC_DATA")
"""Names of the environment that are read elsewhere."""

LISTED = "docs/settings.md lists what can be set."
_SIGN_IN = "A proxy that checks the sign-in sends an API key, or a LangGraph server has an `auth` of its own."
GONE = {
    **dict.fromkeys("jwt_audience jwt_issuer jwt_key jwt_keys_url jwt_namespace jwt_role".split(), _SIGN_IN),
    "mcp_key": "`veridic mcp` serves standard streams alone; over HTTP `veridic serve` asks for VERIDIC_API_KEYS.",
    "trace_text": "Spans hold no text; LangSmith and OpenInference trace it, see docs/how-to/trace.md.",
    "metrics": "The spans of OpenTelemetry tell the same; its collector counts them for Prometheus (spanmetrics).",
}
"""Settings that were, each with what took its place."""
_NAMESPACE = r"[\w.-]{1,64}"
IN_DATABASE: Literal["database"] = "database"
"""What is named in place of a file, where the database of the knowledge base keeps it."""
EXTRACTIVE = "extractive"
"""The name of no chat model."""
HUB_PREFIX = "hf:"
"""What may stand before the name of a model of the hub."""
TEI_PREFIX = "tei:"
"""What stands before the address of a text-embeddings-inference server."""
LLM = "llm"
"""The judge that is a chat model."""


def usable_cpus() -> int:
    """How many processors this process may use: fewer than the machine has, where it is held to some."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_postgres(kb: str) -> bool:
    """Whether a knowledge base is a database's address, and no path."""
    return kb.startswith(("postgresql://", "postgres://"))


def shown_kb(kb: str) -> str:
    """A knowledge base as messages name it: a path as it is, a database by server and name, without who logs in."""
    if not in_postgres(kb):
        return kb
    _, _, address = kb.partition("://")
    server, slash, name = address.partition("?")[0].rpartition("@")[2].partition("/")
    return f"postgresql://{server}{slash}{name}"


def is_namespace(name: str) -> bool:
    """Whether documents may be held under this name: 1 to 64 letters, digits, `_`, `.` or `-`."""
    return re.fullmatch(_NAMESPACE, name) is not None


def _as_text(given: object) -> object:
    return str(given) if isinstance(given, Path) else given


def without_grader() -> InvalidSetting:
    """What is said where a chat model is to grade and there is none."""
    return InvalidSetting(
        "The judge llm grades with the chat model, and extractive is none.",
        "Name the grader, --judge llm:PROVIDER:NAME, or a chat model with --model.",
    )


@cache
def _tell_unknown(name: str, known: tuple[str, ...]) -> None:
    """Warn of a name of the environment that no setting has, once a process. Raises `InvalidSetting` for a gone one."""
    if instead := GONE.get(name.removeprefix(PREFIX).lower()):
        raise InvalidSetting(f"{name} is gone.", instead)
    names = [f"{PREFIX}{one.upper()}" for one in known]
    if name not in names:
        _log.warning("No setting is called %s. %s", ascii(name), nearest_of(name, names, LISTED))


class _OwnFile(TomlConfigSettingsSource):
    """`veridic.toml`. What a knowledge base is to begin with is not for one that was named elsewhere."""

    def __call__(self) -> dict[str, Any]:
        told = super().__call__()
        elsewhere = "kb" in self.current_state
        return {name: value for name, value in told.items() if not (elsewhere and name == "begin_with")}


class ServerSettings(BaseSettings):
    """What only a process that serves others reads: who may ask, how much, how often."""

    model_config = SettingsConfigDict(use_attribute_docstrings=True)

    api_keys: Literal["database"] | Path | None = None
    """The file of API keys, by `veridic keys`; or `database`: the knowledge base's own. Nobody else is served."""
    open_to: Literal["loopback", "all"] = "loopback"
    """Who is served where there are no API keys: this machine alone, or everybody."""
    origins: Annotated[tuple[str, ...], NoDecode] = ("https://smith.langchain.com",)
    """Other sites whose pages may ask a server without keys, by commas; Studio is one. This machine's own may."""
    rate: str = Field(default="120/minute", pattern=r"^[1-9]\d{0,5} ?/ ?(second|minute|hour|day)$")
    """Requests that a caller may make, for example 120/minute; of all servers of a database together."""
    request_bytes: int = Field(default=50 * MB, ge=1000, le=10**10)
    """Largest request, uploaded documents included, in bytes."""
    runs_at_once: int = Field(default=8, ge=1, le=256)
    """Questions answered at the same time by `veridic serve`; others wait."""
    uploads: Path | None = None
    """Where uploaded documents are kept; unset: a folder beside the knowledge base."""


class Settings(ServerSettings):
    """Per-process settings; every run's `Context` stays within them."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, toml_file="veridic.toml", extra="forbid", frozen=True, env_ignore_empty=True
    )

    kb: str = Field(default_factory=lambda: str(user_data_path("veridic") / "knowledge.sqlite"))
    """The knowledge base: a path to its SQLite file, or postgresql://USER@HOST/DATABASE ('veridic[postgres]')."""
    docs: str | None = None
    """A folder or file: it is ingested when nothing of it is held, and no other document is asked."""
    begin_with: str | None = None
    """A folder or file ingested where the knowledge base is empty; in `veridic.toml`, for its own `kb` alone."""
    namespace: str = Field(default="default", pattern=f"^{_NAMESPACE}$")
    """Whose documents are seen."""
    model: str = "embedded"
    """The chat model: embedded, extractive, ollama:NAME, openai:NAME, anthropic:NAME."""
    base_url: str | None = None
    """Endpoint of an OpenAI-compatible or Ollama server."""
    api_key: SecretStr | None = None
    """Key for that endpoint; otherwise the provider's own environment variable is read."""
    sources: Annotated[tuple[SourceName, ...], NoDecode] = ()
    """Outside sources that may be asked, by commas: wikipedia, arxiv, web, community:CLASS; empty: none."""
    contact: str = Field(default="", pattern=r"^[\w.@:/+~ -]{0,100}$")
    """An address or URL that sources are told with each request; Wikimedia asks for one."""
    allow_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """host:port pairs, private or at other ports than the web's, that may be reached; by commas."""
    wikipedia_url: str = "https://en.wikipedia.org/w/api.php"
    """A MediaWiki API; each language has its own."""
    arxiv_url: str = "https://export.arxiv.org/api/query"
    """The arXiv API."""
    tavily_url: str = "https://api.tavily.com"
    """The Tavily API."""
    seal_key: SecretStr | None = None
    """What seals the states of runs, the same for servers that share them; unset: the knowledge base keeps a key."""
    tavily_api_key: SecretStr | None = None
    """Tavily's key, or `keyless` for its mode without one; TAVILY_API_KEY is read too."""
    cache_hours: float = Field(default=24.0, ge=0, le=8760)
    """Hours for which what an outside source found is kept under `cache`; 0: nothing is kept."""
    cache: Path = Field(default_factory=lambda: user_cache_path("veridic"))
    """Where fetched weights and pages are kept."""
    weights: Path | None = None
    """Your own GGUF file for the embedded model."""
    follows_instructions: Literal["auto", "yes", "no"] = "auto"
    """Whether the chat model may cite, rewrite and split sentences; auto: by its name, a GGUF file by a trial."""
    judge: Annotated[str | None, BeforeValidator(_as_text)] = Field(
        default=None,
        description="Who judges: a folder with another judge; llm: the chat model grades passages and sentences; "
        "llm:PROVIDER:NAME: another chat model does; unset: the shipped judge. `evaluator` and `critic` win over it.",
    )
    grader_examples: Path | None = None
    """Labelled passages (JSONL) of which a chat model that judges is shown the first before it grades others."""
    judges: str = "base"
    """Which decide: base, beneath which small ranks; small alone; or those of `veridic judges serve`: http://HOST:PORT."""
    judges_key: SecretStr | None = None
    """The key of `veridic judges serve`, the same there and here; text-embeddings-inference is sent it too."""
    base_tokens: int = Field(default=1600, ge=0, le=1_000_000)
    """Tokens that the base judge reads a question; of every statement it reads one premise beyond that."""
    embedder: str | None = None
    """A sentence-transformers embedder, hub name or folder (pip install 'veridic[hf]'); unset: the shipped one."""
    evaluator: str | None = None
    """Another evaluator: an exported judge's folder, or a reranker: hf:NAME of the hub, or tei:http://HOST:PORT."""
    critic: str | None = None
    """Another critic: an exported judge's folder, or an NLI model or checker: hf:NAME, or tei:http://HOST:PORT."""
    reader: str | None = None
    """Another reader: an exported reader's folder, or hf:NAME, a question-answering model ('veridic[hf]')."""
    reader_calibration: Path | None = None
    """P(right) of your own, by `veridic calibrate answers`; of another reader by `veridic fit reader`."""
    calibration: Annotated[tuple[Path, ...], NoDecode] = ()
    """Thresholds of your own, written by `veridic calibrate`, by commas; empty: the judge's."""
    threads: int = Field(default_factory=lambda: min(8, usable_cpus()), ge=1, le=256)
    """Threads for models."""
    write_back: Literal["off", "review", "probation", "active"] = "probation"
    """How an accepted answer enters the knowledge base; off: it does not."""
    min_confidence: float = Field(default=0.85, ge=0, le=1)
    """Write-back gate: P(right) from which an answer is learned."""
    min_grounding: float = Field(default=0.65, ge=0, le=1)
    """Write-back gate, Bidirectional RAG eq. 8."""
    min_raw_attribution: float = Field(default=1.0, ge=0, le=1)
    """Write-back gate, equation 9 of the writer's own citations, before repair."""
    min_attribution: float = Field(default=1.0, ge=0, le=1)
    """Write-back gate, equation 9 after repair."""
    min_novelty: float = Field(default=0.10, ge=0, le=1)
    """Write-back gate, equation 10, of question and short answer against all but the answer's sources."""
    max_failing: float = Field(default=0.02, ge=0, le=1)
    """Share of audited records that fail, by its lower bound over 30 audits, from which nothing is learned (eq. 2)."""
    confirmations: int = Field(default=2, ge=1, le=100)
    """Independent confirmations that make a learned answer active."""
    review: Literal["queue", "interrupt"] = "queue"
    """Where reviews are seen to: `veridic memory`, or also an interrupt of a run whose graph has a checkpointer."""
    probation_days: int = Field(default=90, ge=0, le=3650)
    """Days after which an unconfirmed learned answer leaves; 0: never."""
    own_kb: bool = True
    """Whether systems that learn what our gates would refuse write to a copy of the knowledge base beside it."""
    outside_days: int = Field(default=30, ge=0, le=3650)
    """Days that cited outside passages and ingested pages are kept for checking claims; 0: never."""
    log_days: int = Field(default=365, ge=0, le=3650)
    """Days that a run stays in the decision log, with what people said of it; 0: for ever."""
    max_generated: float = Field(default=0.20, ge=0, le=1)
    """Largest share of generated chunks among active ones (alpha_max, eq. 3)."""
    lessons: int = Field(default=5000, ge=0, le=100_000)
    """Lessons of earlier questions that are kept, at most; 0: none."""
    lesson_days: float = Field(default=90.0, ge=0.1, le=36_500)
    """Days in which a lesson loses half of its weight."""
    file_bytes: int = Field(default=FileLimits.bytes, ge=1, le=10**10)
    """Largest file that is read, in bytes."""
    file_unpacked_bytes: int = Field(default=FileLimits.unpacked_bytes, ge=1, le=10**11)
    """Most that an archive, or what is drawn on the pages of a PDF, may unpack to, in bytes."""
    file_pages: int = Field(default=FileLimits.pages, ge=1, le=10**6)
    """Most pages of a PDF, slides, members of an archive."""
    file_characters: int = Field(default=FileLimits.characters, ge=1, le=10**9)
    """Longest text of one file, in characters."""
    file_seconds: float = Field(default=FileLimits.seconds, ge=0.1, le=86_400)
    """Seconds for reading one file."""
    file_memory_bytes: int = Field(default=FileLimits.memory_bytes, ge=100_000_000, le=10**12)
    """Memory of the process that reads files, in bytes; held on Linux."""

    @field_validator("base_url")
    @classmethod
    def _has_scheme(cls, value: str | None) -> str | None:
        """Refuse an address that no client would reach. Raises `InvalidSetting`."""
        if value and not value.lower().startswith(("http://", "https://")):
            shown = value.partition("?")[0].rpartition("@")[2].rpartition("://")[2]
            raise InvalidSetting(
                f"base_url is {shown!a} and does not begin with http:// or https://.", f"Write http://{shown}."
            )
        return value

    @field_validator("judges")
    @classmethod
    def _are_judges(cls, value: str) -> str:
        """Refuse what names no judges. Raises `InvalidSetting`."""
        if value not in ("base", "small") and not value.startswith(("http://", "https://")):
            raise InvalidSetting(f"There are no judges {value!a}.", "Write base, small, or http://HOST:PORT.")
        return value

    @model_validator(mode="after")
    def _has_grader(self) -> Self:
        """Refuse to grade by a chat model where there is none. Raises `InvalidSetting`."""
        if self.grading_model == EXTRACTIVE:
            raise without_grader()
        return self

    @model_validator(mode="after")
    def _has_database(self) -> Self:
        """Refuse keys in a database where there is none. Raises `InvalidSetting`."""
        if self.api_keys == IN_DATABASE and not in_postgres(self.kb):
            raise InvalidSetting(
                f"api_keys is {IN_DATABASE}, and the knowledge base is a file.", "Name a file of keys instead."
            )
        return self

    @property
    def kb_shown(self) -> str:
        """The knowledge base as messages name it: no password."""
        return shown_kb(self.kb)

    @property
    def grading_model(self) -> str | None:
        """The name of the chat model that grades; None where trained judges do."""
        if self.judge == LLM:
            return self.model
        kind, separated, name = (self.judge or "").partition(":")
        return name if separated and kind == LLM else None

    @property
    def judges_at(self) -> str | None:
        """The address of the service that runs the judges; None where this process does."""
        return self.judges if "://" in self.judges else None

    @property
    def file_limits(self) -> FileLimits:
        """What one file may cost to read."""
        return FileLimits(**{one.name: getattr(self, f"file_{one.name}") for one in fields(FileLimits)})

    @field_validator("sources", "allow_hosts", "calibration", "origins", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        """Accept `a,b` from the environment; `none` is the empty list."""
        if not isinstance(value, str):
            return value
        return tuple(part.strip() for part in value.split(",") if part.strip() and part.strip() != "none")

    @classmethod
    def settings_customise_sources(  # type: ignore[override]
        cls, settings_cls: type[BaseSettings], init_settings: _Source, env_settings: _Source, **_others: _Source
    ) -> tuple[_Source, ...]:
        """Call arguments, then environment, then `veridic.toml`."""
        return (init_settings, env_settings, _OwnFile(settings_cls))

    @classmethod
    def load(cls, **given: object) -> Self:
        """Read the settings; `given` wins. Raises `InvalidSetting` naming the first wrong field.

        A name of the environment that no setting has is told once, in one line of the log; one that is gone is refused.
        """
        for name in os.environ:
            if name.upper().startswith(PREFIX) and name.upper() not in NOT_SETTINGS:
                _tell_unknown(name.upper(), tuple(cls.model_fields))
        try:
            return cls(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            near = nearest_of(name, cls.model_fields, LISTED)
            if first["type"] == "extra_forbidden":
                raise InvalidSetting(f"No setting is called {name!r}.", GONE.get(name, near)) from error
            raise InvalidSetting(f"Setting {name!r}: {first['msg']}.", LISTED) from error
