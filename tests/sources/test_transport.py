"""The guarded session over real sockets."""

import http.server
import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.sources.conftest import ROWS, settings_for
from veridic.errors import AddressForbidden, DeadlineExceeded, InvalidSetting, SourceRefused, SourceUnavailable
from veridic.settings import Settings
from veridic.sources import address, transport
from veridic.sources.border import border
from veridic.sources.transport import guarded_session
from veridic_lab.evaluation.world import Behaviour, Served, World


class Names:
    """A name server whose answers come in turn, the last one again and again."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers[min(len(self.asked), len(self.answers)) - 1]


def get(settings: Settings, url: str, deadline: float, names: address.Resolver = address.resolve) -> bytes:
    with guarded_session(settings, deadline, resolver=names) as session, border("the place", deadline):
        return session.get(url).content


def test_an_allowed_place_is_reached(served: Served, settings: Settings, deadline: float) -> None:
    url = f"{served.url}/w/api.php?action=query&list=search&srsearch=Warsaw"
    assert b'"Warsaw"' in get(settings, url, deadline)
    assert served.received[0].headers["User-Agent"].startswith("veridic/")


def test_a_source_is_told_whom_to_write_to(served: Served, deadline: float) -> None:
    get(settings_for(served, contact="kb@example.org"), served.url + "/w/api.php", deadline)
    assert "(kb@example.org)" in served.received[0].headers["User-Agent"]
    with pytest.raises(InvalidSetting, match="contact"):
        settings_for(served, contact="x\r\nHost: evil")


def test_nothing_private_is_reached_without_leave(served: Served, deadline: float) -> None:
    with pytest.raises(AddressForbidden):
        get(Settings(), f"{served.url}/w/api.php", deadline)
    assert not served.received


def test_a_redirect_to_another_port_is_refused(served: Served, settings: Settings, deadline: float) -> None:
    with World(ROWS).serve() as other:
        served.behaviour, served.redirect_to = "redirect", f"{other.url}/w/api.php"
        with pytest.raises(AddressForbidden):
            get(settings, served.url, deadline)
        assert len(served.received) == 1
        assert not other.received


@pytest.mark.parametrize("target", ["file:///etc/passwd", "gopher://127.0.0.1/", "ftp://127.0.0.1/x", "data:,x"])
def test_a_redirect_to_another_scheme_is_refused(
    served: Served, settings: Settings, deadline: float, target: str
) -> None:
    served.behaviour, served.redirect_to = "redirect", target
    with pytest.raises(AddressForbidden):
        get(settings, served.url, deadline)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "gopher://x/", "//127.0.0.1/", "nonsense", "http://", "unix:/x"])
def test_other_schemes_are_refused(settings: Settings, deadline: float, url: str) -> None:
    with pytest.raises(AddressForbidden):
        get(settings, url, deadline)


@pytest.mark.parametrize("trick", ["http://169.254.169.254/", "http://[::ffff:127.0.0.1]:9/", "http://localhost:9/"])
def test_redirects_to_private_addresses_are_refused(
    served: Served, settings: Settings, deadline: float, trick: str
) -> None:
    served.behaviour, served.redirect_to = "redirect", trick
    with pytest.raises(AddressForbidden):
        get(settings, served.url, deadline)


def test_an_allowed_host_as_user_name_lets_nothing_through(served: Served, settings: Settings, deadline: float) -> None:
    with World(ROWS).serve() as other:
        with pytest.raises(AddressForbidden):
            get(settings, f"http://{served.host_port}@{other.host_port}/", deadline)
        assert not other.received


def test_redirects_are_counted(served: Served, settings: Settings, deadline: float) -> None:
    served.behaviour, served.redirect_to = "redirect", served.url
    with pytest.raises(SourceRefused, match="redirects"):
        get(settings, served.url, deadline)
    assert len(served.received) == transport.MAX_REDIRECTS + 1


def loopback_is_public(monkeypatch: pytest.MonkeyPatch, served: Served) -> None:
    """127.0.0.1 stands for a public host, and the world's port and the one after it for the web's."""
    monkeypatch.setattr(address, "is_public", lambda found: found == "127.0.0.1")
    monkeypatch.setattr(address, "WEB_PORTS", (served.port, served.port + 1))


def test_the_connection_goes_to_the_address_that_was_judged(
    served: Served, deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback_is_public(monkeypatch, served)
    names = Names(["127.0.0.1"], ["127.0.0.2"])
    get(Settings(), f"http://rebind.test:{served.port}/w/api.php", deadline, names)
    assert names.asked == ["rebind.test"]
    assert served.received[0].headers["Host"] == f"rebind.test:{served.port}"


def test_an_answer_that_changes_is_judged_again_for_the_next_connection(
    served: Served, deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback_is_public(monkeypatch, served)
    names = Names(["127.0.0.1"], ["127.0.0.2"])
    served.behaviour, served.redirect_to = "redirect", f"http://rebind.test:{served.port + 1}/"
    with pytest.raises(AddressForbidden):
        get(Settings(), f"http://rebind.test:{served.port}/", deadline, names)
    assert names.asked == ["rebind.test", "rebind.test"]


def test_proxies_of_the_environment_are_not_used(
    served: Served, settings: Settings, deadline: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    get(settings, f"{served.url}/w/api.php", deadline)
    assert len(served.received) == 1


def test_a_huge_body_is_not_read(served: Served, settings: Settings, deadline: float) -> None:
    served.behaviour = "huge"
    with pytest.raises(SourceRefused, match="more than"):
        get(settings, served.url, deadline)


def test_a_small_body_that_unpacks_to_a_huge_one_is_not_read(
    served: Served, settings: Settings, deadline: float
) -> None:
    served.behaviour = "bomb"
    with pytest.raises(SourceRefused, match="more than"):
        get(settings, served.url, deadline)


@pytest.mark.parametrize("slow", ["drip", "drip_headers"])
def test_a_drip_ends_at_the_deadline(served: Served, settings: Settings, slow: Behaviour) -> None:
    served.behaviour = slow
    with pytest.raises(DeadlineExceeded):
        get(settings, served.url, time.time() + 0.3)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [("bot_wall", SourceRefused), ("rate_limited", SourceUnavailable), ("server_error", SourceUnavailable)],
)
def test_statuses(
    served: Served, settings: Settings, deadline: float, behaviour: Behaviour, expected: type[Exception]
) -> None:
    served.behaviour = behaviour
    with pytest.raises(expected, match="status"):
        get(settings, f"{served.url}/?api_key=tvly-secret", deadline)


def test_a_place_that_is_not_there(deadline: float) -> None:
    with World([]).serve() as served:
        settings = settings_for(served)
    with pytest.raises(SourceUnavailable, match="takes no connection") as raised:
        get(settings, f"{served.url}/?api_key=tvly-secret", deadline)
    assert "secret" not in str(raised.value)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl to make a certificate")
    path = tmp_path_factory.mktemp("tls") / "pinned.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=pinned.test",
         "-addext", "subjectAltName=DNS:pinned.test", "-keyout", path, "-out", path.with_suffix(".crt")],
        check=True, capture_output=True,
    )  # fmt: skip
    return path


@pytest.fixture
def secure(certificate: Path) -> Iterator[tuple[int, list[str | None]]]:
    """The port of an https server, and the names that clients ask it for."""
    asked: list[str | None] = []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.with_suffix(".crt"), certificate)
    context.sni_callback = lambda sock, name, ctx: asked.append(name)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda request, client: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server.server_address[1], asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_certificates_are_checked_against_the_name(
    secure: tuple[int, list[str | None]], certificate: Path, deadline: float
) -> None:
    port, asked = secure
    settings = Settings(allow_hosts=(f"pinned.test:{port}", f"other.test:{port}"))
    with guarded_session(settings, deadline, resolver=Names(["127.0.0.1"])) as session:
        session.verify = str(certificate.with_suffix(".crt"))
        with pytest.raises(SourceUnavailable, match="status 501"):
            session.get(f"https://pinned.test:{port}/")
        with pytest.raises(SourceRefused, match="certificate"):
            session.get(f"https://other.test:{port}/")
    assert asked == ["pinned.test", "other.test"]
