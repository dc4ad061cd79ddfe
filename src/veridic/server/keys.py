"""API keys: who they were given to and their digests, never the keys themselves, in a file or in the database."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from tempfile import NamedTemporaryFile
from typing import Protocol

from filelock import FileLock
from pydantic import TypeAdapter, ValidationError

from veridic.errors import InvalidSetting, UsageError
from veridic.ports.access import Access, Key, Role
from veridic.resources import own_access
from veridic.settings import IN_DATABASE, Settings, is_namespace

PREFIX = "vk_"
"""How a key begins, so that one in a text is known for what it is."""
BYTES = 32
"""Of chance in a key; what is that long is not guessed from its digest."""
NAME = r"[\w.@-]{1,64}"


KEYS = TypeAdapter(list[Key])


class Keys(Protocol):
    """The keys of a server, asked for at every request: what another process changes counts from the next one on."""

    def holder(self, key: str) -> Key | None:
        """Who has this key; None where nobody does."""

    def held(self) -> list[Key]:
        """Every key, oldest first."""

    def add(self, name: str, namespace: str, role: Role) -> str:
        """Make a key for somebody and return it; it is written nowhere. Raises `UsageError`."""

    def remove(self, name: str) -> bool:
        """Take somebody's key back; whether there was one."""


class SharedKeys:
    """Keys in the knowledge base's database, which is opened when one is first asked for. Raises `StoreUnavailable`."""

    def __init__(self, opened: Callable[[], Access]) -> None:
        self._opened = opened

    def holder(self, key: str) -> Key | None:
        """See `Keys.holder`."""
        return self._opened().key_of(_digest(key))

    def held(self) -> list[Key]:
        """See `Keys.held`."""
        return self._opened().keys()

    def add(self, name: str, namespace: str, role: Role) -> str:
        """See `Keys.add`."""
        key, made = _made(name, namespace, role)
        if not self._opened().put_key(made):
            raise _has_one(name)
        return key

    def remove(self, name: str) -> bool:
        """See `Keys.remove`."""
        return self._opened().drop_key(name)


class KeyFile:
    """A file of keys; see `Keys`. Raises `InvalidSetting` for a file that is none of ours."""

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser()

    def holder(self, key: str) -> Key | None:
        """See `Keys.holder`."""
        digest = _digest(key)
        return next((one for one in self.held() if one.sha256 == digest), None)

    def held(self) -> list[Key]:
        """See `Keys.held`; without a file there is none."""
        try:
            return KEYS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            raise InvalidSetting(
                f"{self._path} is no file of API keys.", "Name another with VERIDIC_API_KEYS, or make it anew."
            ) from error

    def add(self, name: str, namespace: str, role: Role) -> str:
        """See `Keys.add`."""
        key, made = _made(name, namespace, role)
        with self._changing() as held:
            if any(one.name == name for one in held):
                raise _has_one(name)
            self._write([*held, made])
        return key

    def remove(self, name: str) -> bool:
        """See `Keys.remove`."""
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


def keys_of(settings: Settings) -> Keys | None:
    """The keys that the settings name; None where nobody is asked for one. Nothing is opened yet."""
    if settings.api_keys is None:
        return None
    if settings.api_keys == IN_DATABASE:
        return SharedKeys(own_access)
    return KeyFile(settings.api_keys)


def _made(name: str, namespace: str, role: Role) -> tuple[str, Key]:
    """A new key, and what is kept of it. Raises `UsageError`."""
    if not re.fullmatch(NAME, name) or not is_namespace(namespace):
        raise UsageError(f"{name!a} or {namespace!a} is no name.", "Use 1 to 64 letters, digits, _ . or -.")
    key = PREFIX + token_urlsafe(BYTES)
    return key, Key(name, _digest(key), namespace, role, datetime.now(UTC).isoformat(timespec="seconds"))


def _has_one(name: str) -> UsageError:
    return UsageError(f"{name} has a key.", f"`veridic keys remove {name}` takes it back first.")


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
