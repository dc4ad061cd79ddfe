"""What belongs to a process that serves others: who may ask, how much, how often. `Settings` has these fields too."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, NoDecode

MB = 10**6


class ServerSettings(BaseSettings):
    """The settings that only a server reads."""

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
