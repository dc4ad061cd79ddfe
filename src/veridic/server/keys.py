"""API keys: a file that holds who they were given to and their digests, never the keys themselves."""

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from tempfile import NamedTemporaryFile
from typing import Literal

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from veridic.errors import InvalidSetting, UsageError
from veridic.settings import is_namespace

PREFIX = "vk_"
"""How a key begins, so that one in a text is known for what it is."""
BYTES = 32
"""Of chance in a key; what is that long is not guessed from its digest."""
NAME = r"[\w.@-]{1,64}"


@dataclass(frozen=True)
class Key:
    """Who has a key, and what for."""

    name: str
    sha256: str
    namespace: str
    role: Literal["asks", "manages"]
    created: str
    """ISO 8601, UTC."""


KEYS = TypeAdapter(list[Key])


class KeyFile:
    """A file of keys, read for every request: what another process changes in it counts from the next one on."""

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser()

    def holder(self, key: str) -> Key | None:
        """Who has this key; None where nobody does. Raises `InvalidSetting` for a file that is none of ours."""
        digest = _digest(key)
        return next((one for one in self.held() if one.sha256 == digest), None)

    def held(self) -> list[Key]:
        """Every key, oldest first; without a file there is none. Raises `InvalidSetting`."""
        try:
            return KEYS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            raise InvalidSetting(
                f"{self._path} is no file of API keys.", "Name another with VERIDIC_API_KEYS, or make it anew."
            ) from error

    def add(self, name: str, namespace: str, role: Literal["asks", "manages"]) -> str:
        """Make a key for somebody and return it; it is written nowhere. Raises `UsageError`, `InvalidSetting`."""
        if not re.fullmatch(NAME, name) or not is_namespace(namespace):
            raise UsageError(f"{name!a} or {namespace!a} is no name.", "Use 1 to 64 letters, digits, _ . or -.")
        with self._changing() as held:
            if any(one.name == name for one in held):
                raise UsageError(f"{name} has a key.", f"`veridic keys remove {name}` takes it back first.")
            key = PREFIX + token_urlsafe(BYTES)
            created = datetime.now(UTC).isoformat(timespec="seconds")
            self._write([*held, Key(name, _digest(key), namespace, role, created)])
        return key

    def remove(self, name: str) -> bool:
        """Take somebody's key back; whether there was one. Raises `InvalidSetting`."""
        with self._changing() as held:
            left = [one for one in held if one.name != name]
            self._write(left)
            return len(left) < len(held)

    @contextmanager
    def _changing(self) -> Iterator[list[Key]]:
        """What is held now, while no other process changes it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self._path}.lock"):
            yield self.held()

    def _write(self, held: Iterable[Key]) -> None:
        """Put a file in its place at once, for its owner's eyes alone."""
        with NamedTemporaryFile("w", dir=self._path.parent, prefix=".keys-", delete=False, encoding="utf-8") as fresh:
            json.dump([asdict(one) for one in held], fresh, indent=1)
        os.replace(fresh.name, self._path)


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
