"""Ways to make a server-side client visit what is not the world's to see: each is refused, asked directly or led to."""

import socket
from collections.abc import Callable, Sequence

import pytest

from tests.sources.conftest import ROWS, settings_for
from veridic.errors import AddressForbidden
from veridic.settings import Settings
from veridic.sources import address
from veridic.sources.border import border
from veridic.sources.transport import guarded_session
from veridic_lab.evaluation.world import Served, World

NAMES = {
    "metadata.google.internal": "169.254.169.254",
    "metadata": "169.254.169.254",
    "instance-data": "169.254.169.254",
    "intranet.test": "10.1.2.3",
    "router.test": "192.168.1.1",
    "wildcard.127.0.0.1.test": "127.0.0.1",
    "nat64.test": "64:ff9b::7f00:1",
    "mapped.test": "::ffff:10.0.0.1",
    "public.test": "93.184.216.34",
}
"""A name server of the test's own: nothing is asked outside."""

TRICKS = {
    "loopback": "http://127.0.0.1/",
    "loopback, another": "http://127.8.8.8/",
    "loopback, short": "http://127.1/",
    "loopback, shorter": "http://127.0.1/",
    "zero": "http://0/",
    "unspecified": "http://0.0.0.0/",
    "decimal": "http://2130706433/",
    "hexadecimal": "http://0x7f000001/",
    "hexadecimal parts": "http://0x7f.0x0.0x0.0x1/",
    "octal": "http://0177.0.0.1/",
    "octal with zeros": "http://00000177.0.0.1/",
    "mixed bases": "http://0x7f.0.0.01/",
    "trailing dot": "http://127.0.0.1./",
    "localhost": "http://localhost/",
    "localhost, capitals": "http://LOCALHOST/",
    "localhost, trailing dot": "http://localhost./",
    "ideographic full stops": "http://127。0。0。1/",
    "fullwidth full stops": "http://127．0．0．1/",
    "halfwidth full stops": "http://127｡0｡0｡1/",
    "fullwidth digits": "http://１２７.０.０.１/",
    "circled digits": "http://①②⑦.⓪.⓪.①/",
    "mathematical localhost": "http://𝓁ocalhost/",
    "percent-encoded": "http://%31%32%37%2e%30%2e%30%2e%31/",
    "private, ten": "http://10.0.0.1/",
    "private, 172.16": "http://172.16.0.1/",
    "private, 192.168": "http://192.168.0.1/",
    "carrier-grade NAT": "http://100.64.0.1/",
    "link-local": "http://169.254.1.1/",
    "benchmarking": "http://198.18.0.1/",
    "multicast": "http://224.0.0.1/",
    "broadcast": "http://255.255.255.255/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "metadata, decimal": "http://2852039166/",
    "metadata, hexadecimal": "http://0xA9FEA9FE/",
    "metadata, containers": "http://169.254.170.2/v2/credentials",
    "metadata, Google's name": "http://metadata.google.internal/computeMetadata/v1/",
    "metadata, bare name": "http://metadata/",
    "metadata, Amazon's name": "http://instance-data/latest/",
    "metadata, Alibaba": "http://100.100.100.200/",
    "metadata, IPv6": "http://[fd00:ec2::254]/",
    "IPv6 loopback": "http://[::1]/",
    "IPv6 loopback, long": "http://[0000:0000:0000:0000:0000:0000:0000:0001]/",
    "IPv6 unspecified": "http://[::]/",
    "IPv6 mapped": "http://[::ffff:127.0.0.1]/",
    "IPv6 mapped, hexadecimal": "http://[::ffff:7f00:1]/",
    "IPv6 mapped metadata": "http://[::ffff:a9fe:a9fe]/",
    "IPv6 compatible": "http://[::127.0.0.1]/",
    "IPv6 link-local with zone": "http://[fe80::1%25lo]/",
    "IPv6 link-local": "http://[fe80::1]/",
    "IPv6 unique local": "http://[fc00::1]/",
    "IPv6 site-local": "http://[fec0::1]/",
    "IPv6 multicast": "http://[ff02::1]/",
    "NAT64": "http://[64:ff9b::127.0.0.1]/",
    "NAT64, local use": "http://[64:ff9b:1::7f00:1]/",
    "6to4": "http://[2002:7f00:1::]/",
    "6to4 metadata": "http://[2002:a9fe:a9fe::1]/",
    "Teredo server": "http://[2001:0:7f00:1::]/",
    "Teredo client": "http://[2001:0:102:304:0:0:80ff:fffe]/",
    "name of a private host": "http://intranet.test/",
    "name of a private host, https": "https://router.test/",
    "name that holds its address": "http://wildcard.127.0.0.1.test/",
    "name with a NAT64 address": "http://nat64.test/",
    "name with a mapped address": "http://mapped.test/",
    "user name like a host": "http://public.test@127.0.0.1/",
    "user and password like a host": "http://public.test:80@10.0.0.1/",
    "encoded at sign": "http://public.test%2f@127.0.0.1/",
    "fragment before the host": "http://127.0.0.1#@public.test/",
    "query before the host": "http://127.0.0.1?@public.test/",
    "port of a mail server": "http://public.test:25/",
    "port of a database": "http://public.test:6379/",
    "port of ssh": "https://public.test:22/",
    "port too large": "http://public.test:70000/",
    "file": "file:///etc/passwd",
    "ftp": "ftp://public.test/",
    "gopher": "gopher://127.0.0.1:6379/_INFO",
    "data": "data:text/plain,secret",
    "dict": "dict://127.0.0.1:11211/stat",
    "ldap": "ldap://127.0.0.1/",
    "unix socket": "unix:/var/run/docker.sock",
    "http over unix": "http+unix://%2Fvar%2Frun%2Fdocker.sock/",
    "javascript": "javascript:alert(1)",
}


def names(host: str, port: int) -> Sequence[str]:
    """The test's own names, and what the system makes of numbers."""
    bare = host.rstrip(".").lower()
    if bare in NAMES:
        return [NAMES[bare]]
    digits = set(bare) <= set("0123456789abcdefx.:") or bare == "localhost"
    if not digits and "%" not in bare:
        raise socket.gaierror(f"no such name: {host}")
    return address.resolve(host, port)


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Where a connection was opened; none is really opened but to the world that serves the redirect."""
    from urllib3.util import connection

    opened: list[tuple[str, int]] = []
    real = connection.create_connection

    def connect(place: tuple[str, int], *args: object, **options: object) -> socket.socket:
        opened.append(place)
        return real(place, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(connection, "create_connection", connect)
    return opened


Get = Callable[[Settings, str], bytes]


@pytest.fixture
def get(deadline: float) -> Get:
    def ask(settings: Settings, url: str) -> bytes:
        with guarded_session(settings, deadline, resolver=names) as session, border("the place", deadline):
            return session.get(url).content

    return ask


def test_there_are_enough_of_them() -> None:
    assert len(TRICKS) == len(set(TRICKS.values())) >= 40


@pytest.mark.parametrize("url", TRICKS.values(), ids=TRICKS.keys())
def test_a_trick_is_refused(get: Get, connected: list[tuple[str, int]], url: str) -> None:
    with pytest.raises(AddressForbidden):
        get(Settings(), url)
    assert connected == []


@pytest.mark.parametrize("url", TRICKS.values(), ids=TRICKS.keys())
def test_a_redirect_to_a_trick_is_refused(
    served: Served, settings: Settings, get: Get, connected: list[tuple[str, int]], url: str
) -> None:
    # A header's bytes are UTF-8 here, as servers send them, and written as Latin-1 by the standard library.
    served.behaviour, served.redirect_to = "redirect", url.encode().decode("latin-1")
    with pytest.raises(AddressForbidden):
        get(settings, served.url)
    assert connected == [("127.0.0.1", served.port)]


def test_a_chain_of_redirects_is_followed_to_its_private_end_and_not_into_it(get: Get) -> None:
    with World(ROWS).serve() as last, World(ROWS).serve() as middle, World(ROWS).serve() as first:
        settings = settings_for(first, allow_hosts=(first.host_port, middle.host_port))
        first.behaviour, first.redirect_to = "redirect", f"{middle.url}/a"
        middle.behaviour, middle.redirect_to = "redirect", f"{last.url}/b"
        with pytest.raises(AddressForbidden):
            get(settings, first.url)
        assert (len(first.received), len(middle.received), len(last.received)) == (1, 1, 0)


def test_a_relative_redirect_stays_where_it_was_allowed(served: Served, settings: Settings, get: Get) -> None:
    served.behaviour, served.redirect_to = "redirect", "//169.254.169.254/latest/"
    with pytest.raises(AddressForbidden):
        get(settings, served.url)


def test_an_answer_that_changes_between_check_and_connection_changes_nothing(
    served: Served, deadline: float, connected: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the first answer is public, every later one is a host of the intranet."""
    answers = iter([["127.0.0.1"]])
    monkeypatch.setattr(address, "is_public", lambda found: found == "127.0.0.1")
    monkeypatch.setattr(address, "WEB_PORTS", (served.port,))

    def rebinding(host: str, port: int) -> Sequence[str]:
        return next(answers, ["10.0.0.1"])

    with guarded_session(Settings(), deadline, resolver=rebinding) as session:
        session.get(f"http://rebind.test:{served.port}/w/api.php")
        served.behaviour, served.redirect_to = "redirect", f"http://rebind2.test:{served.port}/"
        with pytest.raises(AddressForbidden):
            session.get(f"http://rebind2.test:{served.port}/w/api.php")
    assert connected == [("127.0.0.1", served.port)]


def test_one_private_address_among_public_ones_refuses_them_all(deadline: float, connected: list[object]) -> None:
    def mixed(host: str, port: int) -> Sequence[str]:
        return ["93.184.216.34", "10.0.0.1"]

    with guarded_session(Settings(), deadline, resolver=mixed) as session, pytest.raises(AddressForbidden):
        session.get("http://mixed.test/")
    assert connected == []
