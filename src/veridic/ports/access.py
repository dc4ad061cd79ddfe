"""Who may ask a server, and how often: what servers that share a knowledge base share of it."""

from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["asks", "manages"]


@dataclass(frozen=True)
class Key:
    """Who has a key, and what for."""

    name: str
    sha256: str
    namespace: str
    role: Role
    created: str
    """ISO 8601, UTC."""


class Access(Protocol):
    """Keys and counts of all servers of one knowledge base, whatever the namespace. Raises `StoreUnavailable`."""

    def keys(self) -> list[Key]:
        """Every key, oldest first."""

    def key_of(self, sha256: str) -> Key | None:
        """The key with this digest."""

    def put_key(self, key: Key) -> bool:
        """Keep a key; False where its name has one."""

    def drop_key(self, name: str) -> bool:
        """Take somebody's key back; whether there was one."""

    def hit(self, sender: str, most: int, seconds: float, *, now: float | None = None) -> bool:
        """Count a request, unless its sender made `most` in the last `seconds`; whether it was counted.

        What was counted in the window before this one weighs as much as of it lies within the last `seconds`. `now`, in
        seconds since the epoch, is what the store's own clock says where none is given.
        """
