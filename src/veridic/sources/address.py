"""Which addresses an outside request may reach.

A name is resolved once, every address of the answer is judged, and the connection is made to
an address that was judged: a second answer of the name server is never asked for.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable, Sequence

from veridic.errors import AddressForbidden, InvalidSetting, SourceUnavailable
from veridic.runtime.deadline import within

Resolver = Callable[[str, int], Sequence[str]]
_IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
WEB_PORTS = frozenset((80, 443))
"""Ports of public hosts that need no leave; what answers elsewhere is often no web server."""
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """The numeric addresses of a name as the system tells them. Raises `OSError` or `UnicodeError`."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class AddressPolicy:
    """Public addresses at `WEB_PORTS`, and the pairs of host and port that the operator let through."""

    def __init__(self, allow_hosts: Iterable[str] = (), resolver: Resolver = resolve) -> None:
        """Take `host:port` pairs. Raises `InvalidSetting` when one has no port."""
        self._allowed = frozenset(_pair(entry) for entry in allow_hosts)
        self._resolver = resolver

    def addresses(self, host: str, port: int, *, deadline: float) -> list[str]:
        """The addresses a connection to `host:port` may use, at least one.

        Raises `AddressForbidden` when the pair is not allowed and any address of the answer is not
        public or the port is not the web's; `SourceUnavailable` when the name has no address; `DeadlineExceeded`.
        """
        allowed = (_bare(host), port) in self._allowed
        # No public name has a percent sign; a zone of an interface and an escape that someone may undo do.
        if not allowed and (port not in WEB_PORTS or "%" in host):
            raise _forbidden(host, port)
        found = self._resolved(host, port, deadline)
        if not allowed and not all(is_public(address) for address in found):
            raise _forbidden(host, port)
        return found

    def _resolved(self, host: str, port: int, deadline: float) -> list[str]:
        try:
            found = list(within(deadline, host, lambda: self._resolver(host, port)))
        except (OSError, UnicodeError) as error:
            raise SourceUnavailable(f"The name {host} cannot be resolved.", "Check the network.") from error
        if not found:
            raise SourceUnavailable(f"The name {host} has no address.", "Check the network.")
        return found


def _forbidden(host: str, port: int) -> AddressForbidden:
    return AddressForbidden(
        f"{host}:{port} is at an address outside requests may not reach.",
        f"If you trust it, add it: VERIDIC_ALLOW_HOSTS={host}:{port}.",
    )


def is_public(address: str) -> bool:
    """Whether an address is reachable for everyone, also when it is an IPv4 one wrapped in IPv6."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return all(
        form.is_global and not (form.is_multicast or form.is_reserved or getattr(form, "is_site_local", False))
        for form in _forms(parsed)
    )


def _forms(address: _IPAddress) -> list[_IPAddress]:
    """What to judge: the address, and the IPv4 addresses it may stand for (mapped, NAT64, 6to4, Teredo)."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    wrapped = [address.sixtofour, *(address.teredo or ())]
    return [address, *(form for form in wrapped if form is not None)]


def _pair(entry: str) -> tuple[str, int]:
    host, _, port = entry.rpartition(":")
    if not host or not port.isdecimal():
        raise InvalidSetting(f"Setting 'allow_hosts': {entry!r} is not host:port.", "Write it as 127.0.0.1:8080.")
    return _bare(host), int(port)


def _bare(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()
