"""What belongs to the process: read from the environment or `veridic.toml`, never from a client.

An environment variable is `VERIDIC_` and the field's name; it wins over the file.
"""

import logging
import os
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from platformdirs import user_cache_path, user_data_path
from pydantic import Field, SecretStr, TypeAdapter, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from veridic.context import SourceName
from veridic.errors import InvalidSetting, nearest_of
from veridic.ports.file_limits import FileLimits

MB = 10**6
_log = logging.getLogger(__name__)

PREFIX = "VERIDIC_"
NOT_SETTINGS = ("VERIDIC_DEBUG", "VERIDIC_DATA")
"""Names of the environment that are read elsewhere."""

_Namespace = Annotated[str, Field(pattern=r"^[\w.-]{1,64}$")]
_NAMESPACE = TypeAdapter(_Namespace)
EXTRACTIVE = "extractive"
"""The name of no chat model."""
LLM = "llm"
"""The judge that is a chat model."""


def usable_cpus() -> int:
    """How many processors this process may use: fewer than the machine has, where it is held to some."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def is_namespace(name: str) -> bool:
    """Whether documents may be held under this name: 1 to 64 letters, digits, `_`, `.` or `-`."""
    try:
        _NAMESPACE.validate_python(name)
    except ValidationError:
        return False
    return True


def without_grader() -> InvalidSetting:
    """What is said where a chat model is to grade and there is none."""
    return InvalidSetting(
        "The judge llm grades with the chat model, and extractive is none.",
        "Name the grader, --judge llm:PROVIDER:NAME, or a chat model with --model.",
    )


def _meant(name: str, known: Iterable[str]) -> str:
    """What to do about a setting that is none: the nearest one there is."""
    return nearest_of(name, known, "docs/settings.md lists what can be set.")


@cache
def _tell_unknown(name: str, known: tuple[str, ...]) -> None:
    """Warn of a name of the environment that no setting has, once a process."""
    names = [f"{PREFIX}{one.upper()}" for one in known]
    if name not in names:
        _log.warning("No setting is called %s. %s", ascii(name), _meant(name, names))


class _OwnFile(TomlConfigSettingsSource):
    """`veridic.toml`. What a knowledge base is to begin with is not for one that was named elsewhere."""

    def __call__(self) -> dict[str, Any]:
        told = super().__call__()
        elsewhere = "kb" in self.current_state
        return {name: value for name, value in told.items() if not (elsewhere and name == "begin_with")}


class ServerSettings(BaseSettings):
    """What only a process that serves others reads: who may ask, how much, how often."""

    api_keys: Path | None = Field(
        default=None,
        description="The file of API keys, written by `veridic keys`; with it, or a JWT key, nobody else is served.",
    )
    jwt_key: SecretStr | None = Field(
        default=None,
        description="What JSON Web Tokens are verified with: a secret of 32 characters or more (HS256), or the path of "
        "a public key in PEM (RS256, ES256, EdDSA).",
    )
    jwt_keys_url: str | None = Field(
        default=None, description="Where the issuer publishes its keys (JWKS); in place of `jwt_key`."
    )
    jwt_issuer: str | None = Field(default=None, description="The issuer that tokens must name; unset: any.")
    jwt_audience: str | None = Field(
        default=None, description="The audience that tokens must name; unset: tokens that name one are refused."
    )
    jwt_namespace: str = Field(
        default="sub", min_length=1, max_length=100, description="The claim of a token that says whose documents."
    )
    jwt_role: Literal["asks", "manages"] = Field(
        default="manages", description="What who comes with a token may: ask alone, or manage documents and reviews."
    )
    open_to: Literal["loopback", "all"] = Field(
        default="loopback",
        description="Who is served where there are neither API keys nor tokens: this machine alone, or everybody.",
    )
    origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=("https://smith.langchain.com",),
        description="Other sites whose pages may ask a server without keys, by commas; Studio is one. This machine's "
        "own may.",
    )
    rate: str = Field(
        default="120/minute",
        pattern=r"^[1-9]\d{0,5} ?/ ?(second|minute|hour|day)$",
        description="Requests that a caller may make, for example 120/minute.",
    )
    request_bytes: int = Field(
        default=50 * MB, ge=1000, le=10**10, description="Largest request, uploaded documents included, in bytes."
    )
    runs_at_once: int = Field(
        default=8, ge=1, le=256, description="Questions answered at the same time by `veridic serve`; others wait."
    )
    uploads: Path | None = Field(
        default=None, description="Where uploaded documents are kept; unset: a folder beside the knowledge base."
    )
    metrics: Literal["open", "manages", "off"] = Field(
        default="manages", description="Who may read /veridic/metrics: everybody, who manages, or nobody."
    )


class Settings(ServerSettings):
    """Per-process settings; every run's `Context` stays within them."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, toml_file="veridic.toml", extra="forbid", frozen=True, env_ignore_empty=True
    )

    kb: str = Field(
        default_factory=lambda: str(user_data_path("veridic") / "knowledge.sqlite"),
        description="The knowledge base: a path to its SQLite file.",
    )
    docs: str | None = Field(
        default=None,
        description="A folder or file: it is ingested when nothing of it is held, and no other document is asked.",
    )
    begin_with: str | None = Field(
        default=None,
        description="A folder or file that is ingested where the knowledge base holds nothing yet. In `veridic.toml` "
        "it is for the knowledge base of that file, not for one that --kb or VERIDIC_KB names.",
    )
    namespace: _Namespace = Field(default="default", description="Whose documents are seen.")
    model: str = Field(
        default="embedded",
        description="The chat model: embedded, extractive, ollama:NAME, openai:NAME, anthropic:NAME.",
    )
    base_url: str | None = Field(default=None, description="Endpoint of an OpenAI-compatible or Ollama server.")
    api_key: SecretStr | None = Field(
        default=None, description="Key for that endpoint; otherwise the provider's own environment variable is read."
    )
    sources: Annotated[tuple[SourceName, ...], NoDecode] = Field(
        default=(),
        description="Outside sources that may be asked, separated by commas: wikipedia, arxiv, web, pubmed, or "
        "community:CLASS for a retriever of langchain-community; empty: none.",
    )
    contact: str = Field(
        default="",
        pattern=r"^[\w.@:/+~ -]{0,100}$",
        description="An address or URL that sources are told with each request; Wikimedia asks for one.",
    )
    allow_hosts: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(),
        description="host:port pairs, private or at other ports than the web's, that may be reached; by commas.",
    )
    wikipedia_url: str = Field(
        default="https://en.wikipedia.org/w/api.php", description="A MediaWiki API; each language has its own."
    )
    arxiv_url: str = Field(default="https://export.arxiv.org/api/query", description="The arXiv API.")
    tavily_url: str = Field(default="https://api.tavily.com", description="The Tavily API.")
    seal_key: SecretStr | None = Field(
        default=None,
        description="What the states of runs are sealed with, the same for servers that go on with each other's runs; "
        "otherwise the knowledge base keeps a key.",
    )
    tavily_api_key: SecretStr | None = Field(
        default=None, description="Tavily's key, or `keyless` for its mode without one; TAVILY_API_KEY is read too."
    )
    cache_hours: float = Field(
        default=24.0,
        ge=0,
        le=8760,
        description="Hours for which what an outside source found is kept under `cache`; 0: nothing is kept.",
    )
    cache: Path = Field(
        default_factory=lambda: user_cache_path("veridic"), description="Where fetched weights and pages are kept."
    )
    weights: Path | None = Field(default=None, description="Your own GGUF file for the embedded model.")
    follows_instructions: Literal["auto", "yes", "no"] = Field(
        default="auto",
        description="Whether the chat model is trusted to cite, to rewrite and to split sentences; auto: by its name, "
        "and a GGUF file of your own is tried once.",
    )
    judge: str | None = Field(
        default=None,
        description="Who judges: a folder with another judge; llm: the chat model grades passages and sentences; "
        "llm:PROVIDER:NAME: another chat model does; unset: the shipped judge. `evaluator` and `critic` win over it.",
    )
    embedder: str | None = Field(
        default=None,
        description="A sentence-transformers embedder, hub name or folder "
        "(pip install 'veridic[hf]'); unset: the shipped one.",
    )
    evaluator: str | None = Field(
        default=None,
        description="Another evaluator: an exported judge's folder, or a sentence-transformers reranker "
        "(pip install 'veridic[hf]').",
    )
    critic: str | None = Field(
        default=None,
        description="Another critic: an exported judge's folder, or a sentence-transformers NLI model "
        "(pip install 'veridic[hf]').",
    )
    reader: str | None = Field(
        default=None,
        description="Another reader: an exported reader's folder, or a question-answering model "
        "(pip install 'veridic[hf]').",
    )
    reader_calibration: Path | None = Field(
        default=None, description="A reader's calibration of your own, by `veridic fit reader`."
    )
    calibration: Annotated[tuple[Path, ...], NoDecode] = Field(
        default=(),
        description="Thresholds of your own, written by `veridic calibrate`, by commas; empty: the judge's.",
    )
    threads: int = Field(default_factory=lambda: min(8, usable_cpus()), ge=1, le=256, description="Threads for models.")
    write_back: Literal["off", "review", "probation", "active"] = Field(
        default="probation", description="How an accepted answer enters the knowledge base; off: it does not."
    )
    min_confidence: float = Field(
        default=0.85, ge=0, le=1, description="Write-back gate: P(right) from which an answer is learned."
    )
    min_grounding: float = Field(default=0.65, ge=0, le=1, description="Write-back gate, Bidirectional RAG eq. 8.")
    min_raw_attribution: float = Field(
        default=1.0, ge=0, le=1, description="Write-back gate, equation 9 of the writer's own citations, before repair."
    )
    min_attribution: float = Field(default=1.0, ge=0, le=1, description="Write-back gate, equation 9 after repair.")
    min_novelty: float = Field(
        default=0.10,
        ge=0,
        le=1,
        description="Write-back gate, equation 10, of question and short answer against all but the answer's sources.",
    )
    max_failing: float = Field(
        default=0.02,
        ge=0,
        le=1,
        description="Write-back is suspended when at least this share of audited records no longer holds (epsilon_h, "
        "eq. 2), by the lower bound over 30 audits or more.",
    )
    confirmations: int = Field(
        default=2, ge=1, le=100, description="Independent confirmations that make a learned answer active."
    )
    review: Literal["queue", "interrupt"] = Field(
        default="queue",
        description="Where what waits for review is seen to: in `veridic memory`, or also by an interrupt of the run, "
        "resumed with approve or reject, where the graph has a checkpointer.",
    )
    probation_days: int = Field(
        default=90, ge=0, le=3650, description="Days after which an unconfirmed learned answer leaves; 0: never."
    )
    own_kb: bool = Field(
        default=True,
        description="Systems that learn what our gates would refuse (naive_write_back, bidirectional_rag) write to a "
        "copy of the knowledge base beside it; no: to it.",
    )
    outside_days: int = Field(
        default=30,
        ge=0,
        le=3650,
        description="Days that cited outside passages and ingested pages are kept for checking claims; 0: never.",
    )
    log_days: int = Field(
        default=365,
        ge=0,
        le=3650,
        description="Days that a run stays in the decision log, with what people said of it; 0: for ever.",
    )
    max_generated: float = Field(
        default=0.20, ge=0, le=1, description="Largest share of generated chunks among active ones (alpha_max, eq. 3)."
    )
    trace_text: bool = Field(
        default=False,
        description="Whether spans of OpenTelemetry hold texts too: questions, queries, passages, prompts, answers.",
    )
    mcp_key: SecretStr | None = Field(
        default=None,
        description="The bearer key that `veridic mcp --http` asks of its clients; needed beyond this machine.",
    )
    lessons: int = Field(
        default=5000, ge=0, le=100_000, description="Lessons of earlier questions that are kept, at most; 0: none."
    )
    lesson_days: float = Field(
        default=90.0, ge=0.1, le=36_500, description="Days in which a lesson loses half of its weight."
    )
    file_bytes: int = Field(
        default=FileLimits.bytes, ge=1, le=10**10, description="Largest file that is read, in bytes."
    )
    file_unpacked_bytes: int = Field(
        default=FileLimits.unpacked_bytes,
        ge=1,
        le=10**11,
        description="Most that a docx, pptx, xlsx, EPUB or picture, or what is drawn on the pages of a PDF, may unpack "
        "to, in bytes.",
    )
    file_elements: int = Field(
        default=FileLimits.elements,
        ge=1,
        le=10**9,
        description="Most elements of an HTML page, or of the XML in an archive; cells of a table, values of JSON.",
    )
    file_pages: int = Field(
        default=FileLimits.pages, ge=1, le=10**6, description="Most pages of a PDF or TIFF, slides, chapters."
    )
    file_characters: int = Field(
        default=FileLimits.characters, ge=1, le=10**9, description="Longest text of one file, in characters."
    )
    file_seconds: float = Field(
        default=FileLimits.seconds, ge=0.1, le=86_400, description="Seconds for reading one file."
    )
    file_memory_bytes: int = Field(
        default=FileLimits.memory_bytes,
        ge=100_000_000,
        le=10**12,
        description="Memory of the process that reads files, in bytes; held on Linux.",
    )

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

    @field_validator("judge", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        """Accept a folder's path."""
        return str(value) if isinstance(value, Path) else value

    @model_validator(mode="after")
    def _has_grader(self) -> Self:
        """Refuse to grade by a chat model where there is none. Raises `InvalidSetting`."""
        if self.grading_model == EXTRACTIVE:
            raise without_grader()
        return self

    @property
    def grading_model(self) -> str | None:
        """The name of the chat model that grades; None where trained judges do."""
        if self.judge == LLM:
            return self.model
        kind, separated, name = (self.judge or "").partition(":")
        return name if separated and kind == LLM else None

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
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the signature is pydantic-settings'
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Call arguments, then environment, then `veridic.toml`."""
        return (init_settings, env_settings, _OwnFile(settings_cls))

    @classmethod
    def load(cls, **given: object) -> Self:
        """Read the settings; `given` wins. Raises `InvalidSetting` naming the first wrong field.

        A name of the environment that no setting has is told once, in one line of the log.
        """
        for name in os.environ:
            if name.upper().startswith(PREFIX) and name.upper() not in NOT_SETTINGS:
                _tell_unknown(name.upper(), tuple(cls.model_fields))
        try:
            return cls(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            if first["type"] == "extra_forbidden":
                raise InvalidSetting(f"No setting is called {name!r}.", _meant(name, cls.model_fields)) from error
            raise InvalidSetting(f"Setting {name!r}: {first['msg']}.", "See docs/settings.md.") from error
