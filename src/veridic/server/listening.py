"""Where a server listens, and what its address is called."""

import socket
from ipaddress import ip_address

from veridic.errors import InvalidSetting

IPV6 = ":"


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0: at a free one. Raises `InvalidSetting` where nothing can."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if IPV6 in host else socket.AF_INET)
    except OSError as error:
        why, _, _ = (error.strerror or "").partition(" (")
        raise InvalidSetting(f"{host}:{port} cannot be listened at: {why}.", "Choose another --port.") from error


def address_of(listening: socket.socket, host: str) -> str:
    """`http://127.0.0.1:8765`."""
    named = f"[{host}]" if IPV6 in host else host
    return f"http://{named}:{listening.getsockname()[1]}"


def is_this_machine(host: str) -> bool:
    """Whether an address, or a name, is of the loopback."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
