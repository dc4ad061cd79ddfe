"""JSON Web Tokens: who an issuer that the settings trust says that asks."""

import logging
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Literal, Self

import jwt

from veridic.errors import InvalidSetting
from veridic.settings import Settings, is_namespace

_log = logging.getLogger(__name__)

SECRET = ("HS256",)
PUBLIC = ("RS256", "ES256", "EdDSA")
SHORTEST = 32
"""Characters of a secret."""
LEEWAY = 30
"""Seconds by which the clocks of issuer and server may differ."""
DERIVED = "of-"
"""How a namespace begins that is made from a claim that is none itself."""


@dataclass(frozen=True)
class Holder:
    """Who came with a token."""

    subject: str
    namespace: str
    role: Literal["asks", "manages"]


class Tokens:
    """Verifies tokens: signature, expiry, issuer and audience, as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        given = settings.jwt_key.get_secret_value() if settings.jwt_key else ""
        self._key, self._algorithms = _key(given) if given else (None, PUBLIC)

    @classmethod
    def of(cls, settings: Settings) -> Self | None:
        """None where the settings name neither a key nor where to find one. Raises `InvalidSetting`."""
        return cls(settings) if settings.jwt_key or settings.jwt_keys_url else None

    def holder(self, token: str) -> Holder | None:
        """Who has this token; None for one that is not, not yet or no more valid, or has no claim for a namespace."""
        try:
            claims = jwt.decode(
                token,
                self._key or self._published.get_signing_key_from_jwt(token).key,
                algorithms=list(self._algorithms),
                issuer=self._settings.jwt_issuer,
                audience=self._settings.jwt_audience,
                leeway=LEEWAY,
                options={"require": ["exp", "sub"]},
            )
        except jwt.PyJWKClientConnectionError as error:
            _log.warning("The issuer's keys at %s cannot be had: %s", self._settings.jwt_keys_url, error)
            return None
        except jwt.PyJWTError:
            return None
        claim = claims.get(self._settings.jwt_namespace)
        if not isinstance(claim, str) or not claim:
            return None
        return Holder(str(claims["sub"]), namespace_of(claim), self._settings.jwt_role)

    @cached_property
    def _published(self) -> jwt.PyJWKClient:
        return jwt.PyJWKClient(self._settings.jwt_keys_url or "", cache_keys=True, timeout=10)


def namespace_of(claim: str) -> str:
    """The namespace that a claim means: itself where it is one, else one made from it; two claims never share one."""
    if is_namespace(claim) and not claim.startswith(DERIVED):
        return claim
    return DERIVED + sha256(claim.encode()).hexdigest()[:40]


def _key(given: str) -> tuple[str | None, tuple[str, ...]]:
    """A secret or a public key, with the algorithms it is for; never one that is for both."""
    path = Path(given).expanduser()
    if "\n" not in given and path.is_file():
        return path.read_text(encoding="ascii"), PUBLIC
    if len(given) < SHORTEST:
        raise InvalidSetting(
            "Setting 'jwt_key' is neither a secret of 32 characters nor the path of a public key.",
            "Set VERIDIC_JWT_KEY to one of both.",
        )
    return given, SECRET
