"""API keys: who they were given to and their digests, never the keys themselves, in a file or in the database."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from tempfile import NamedTemporaryFile

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


class KeyFile:
    """A file of keys, as `Access` holds them. Raises `InvalidSetting` for a file that is none of ours."""

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser()

    def keys(self) -> list[Key]:
        """See `Access.keys`; without a file there is none."""
        try:
            return KEYS.validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            raise InvalidSetting(
                f"{self._path} is no file of API keys.", "Name another with VERIDIC_API_KEYS, or make it anew."
            ) from error

    def key_of(self, sha256: str) -> Key | None:
        """See `Access.key_of`."""
        return next((one for one in self.keys() if one.sha256 == sha256), None)

    def put_key(self, key: Key) -> bool:
        """See `Access.put_key`."""
        with self._changing() as held:
            is_new = all(one.name != key.name for one in held)
            if is_new:
                self._write([*held, key])
            return is_new

    def drop_key(self, name: str) -> bool:
        """See `Access.drop_key`."""
        with self._changing() as held:
            left = [one for one in held if one.name != name]
            self._write(left)
            return len(left) < len(held)

    @contextmanager
    def _changing(self) -> Iterator[list[Key]]:
        """What is held now, while no other process changes it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self._path}.lock"):
            yield self.keys()

    def _write(self, held: Iterable[Key]) -> None:
        """Put a file in its place at once, for its owner's eyes alone."""
        with NamedTemporaryFile("w", dir=self._path.parent, prefix=".keys-", delete=False, encoding="utf-8") as fresh:
            json.dump([asdict(one) for one in held], fresh, indent=1)
        os.replace(fresh.name, self._path)


class Keys:
    """The keys of a server, asked for at every request: what another process changes counts from the next one on."""

    def __init__(self, opened: Callable[[], Access | KeyFile]) -> None:
        """`opened` gives what holds them; it is called when a key is first asked for. What it raises is raised."""
        self._opened = opened

    def holder(self, key: str) -> Key | None:
        """Who has this key; None where nobody does."""
        return self._opened().key_of(_digest(key))

    def held(self) -> list[Key]:
        """Every key, oldest first."""
        return self._opened().keys()

    def add(self, name: str, namespace: str, role: Role) -> str:
        """Make a key for somebody and return it; it is written nowhere. Raises `UsageError`."""
        if not re.fullmatch(NAME, name) or not is_namespace(namespace):
            raise UsageError(f"{name!a} or {namespace!a} is no name.", "Use 1 to 64 letters, digits, _ . or -.")
        key = PREFIX + token_urlsafe(BYTES)
        made = Key(name, _digest(key), namespace, role, datetime.now(UTC).isoformat(timespec="seconds"))
        if not self._opened().put_key(made):
            raise UsageError(f"{name} has a key.", f"`veridic keys remove {name}` takes it back first.")
        return key

    def remove(self, name: str) -> bool:
        """Take somebody's key back; whether there was one."""
        return self._opened().drop_key(name)


def keys_of(settings: Settings) -> Keys | None:
    """The keys that the settings name; None where nobody is asked for one. Nothing is opened yet."""
    if settings.api_keys is None:
        return None
    return Keys(own_access if settings.api_keys == IN_DATABASE else partial(KeyFile, settings.api_keys))


def _digest(key: str) -> str:
    return sha256(key.encode()).hexdigest()
