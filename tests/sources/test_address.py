import time
from collections.abc import Sequence

import pytest

from veridic.errors import AddressForbidden, DeadlineExceeded, InvalidSetting, SourceUnavailable
from veridic.sources.address import AddressPolicy, is_public

FORBIDDEN = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.8.8.8",  # noqa: S104
    "169.254.169.254", "169.254.170.2", "172.16.0.1", "172.31.255.255", "192.0.2.1", "192.168.0.1", "198.18.0.1",
    "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1",
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:7f00:1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::",
    "2001:0:102:304:0:0:80ff:fffe", "100::1", "not an address", "",
]  # fmt: skip
PUBLIC = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "172.32.0.1",
    "2606:4700:4700::1111",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]


def policy(*answer: str, allow: Sequence[str] = ()) -> AddressPolicy:
    return AddressPolicy(allow, lambda host, port: answer)


@pytest.mark.parametrize("address", FORBIDDEN)
def test_addresses_that_are_not_public(address: str, deadline: float) -> None:
    assert not is_public(address)
    with pytest.raises(AddressForbidden, match=r"VERIDIC_ALLOW_HOSTS=evil\.test:80"):
        policy(address).addresses("evil.test", 80, deadline=deadline)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str, deadline: float) -> None:
    assert policy(address).addresses("good.test", 443, deadline=deadline) == [address]


@pytest.mark.parametrize("host", ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost", "::1"])
def test_other_ways_to_write_loopback(host: str, deadline: float) -> None:
    with pytest.raises(AddressForbidden):
        AddressPolicy().addresses(host, 80, deadline=deadline)


def test_one_private_address_in_an_answer_is_enough(deadline: float) -> None:
    with pytest.raises(AddressForbidden):
        policy("93.184.216.34", "10.0.0.1").addresses("mixed.test", 80, deadline=deadline)


def test_the_allow_list_is_of_pairs(deadline: float) -> None:
    guard = policy("127.0.0.1", allow=["Search.Local:8080", "[::1]:9000"])
    assert guard.addresses("search.local", 8080, deadline=deadline) == ["127.0.0.1"]
    assert guard.addresses("::1", 9000, deadline=deadline) == ["127.0.0.1"]
    for host, port in (("search.local", 8081), ("127.0.0.1", 8080), ("other.local", 8080)):
        with pytest.raises(AddressForbidden):
            guard.addresses(host, port, deadline=deadline)


@pytest.mark.parametrize("entry", ["localhost", ":80", "host:", "host:http", ""])
def test_an_allowed_host_needs_a_port(entry: str) -> None:
    with pytest.raises(InvalidSetting, match="host:port"):
        AddressPolicy([entry])


def test_a_name_that_does_not_resolve(deadline: float) -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError("Name or service not known")

    with pytest.raises(SourceUnavailable, match=r"gone\.test"):
        AddressPolicy((), fail).addresses("gone.test", 80, deadline=deadline)
    with pytest.raises(SourceUnavailable):
        policy().addresses("empty.test", 80, deadline=deadline)


def test_a_name_server_that_does_not_answer() -> None:
    from threading import Event

    never = Event()

    def wait(host: str, port: int) -> list[str]:
        never.wait(30)
        return []

    with pytest.raises(DeadlineExceeded):
        AddressPolicy((), wait).addresses("slow.test", 80, deadline=time.time() + 0.05)
    never.set()
