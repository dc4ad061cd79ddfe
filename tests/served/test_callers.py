"""Who asks: keys, and a server without them."""

import asyncio
import time
from pathlib import Path

import pytest

from veridic.errors import InvalidSetting, NotAllowed, NotAuthenticated, StoreUnavailable, UsageError
from veridic.server import auth
from veridic.server.callers import Caller, Callers
from veridic.server.keys import KeyFile, Keys
from veridic.settings import Settings

SECRET = "a secret of the issuer, long enough for it"
SOON = int(time.time()) + 3600


def bearer(credential: str) -> dict[str, str]:
    return {"authorization": f"Bearer {credential}"}


def refused(callers: Callers, headers: dict[str, str]) -> bool:
    try:
        callers.caller(headers, "127.0.0.1")
    except NotAuthenticated:
        return True
    return False


def test_a_server_without_keys_serves_its_own_machine_alone() -> None:
    callers = Callers(Settings(namespace="mine"))
    for host in ("127.0.0.1", "::1", "localhost", None):
        assert callers.caller({}, host) == Caller("anybody", "mine", "manages")
    for host, headers in (
        ("10.0.0.7", {}),
        ("example.org", {}),
        ("127.0.0.1", {"x-forwarded-for": "10.0.0.7"}),
        ("127.0.0.1", {"forwarded": "for=10.0.0.7"}),
    ):
        with pytest.raises(NotAllowed, match="veridic keys add"):
            callers.caller(headers, host)
    assert Callers(Settings(open_to="all")).caller({}, "10.0.0.7").namespace == "default"


@pytest.mark.parametrize(
    ("headers", "served"),
    [
        ({"host": "127.0.0.1:8765", "origin": "http://127.0.0.1:8765"}, True),
        ({"host": "localhost:8765", "origin": "http://localhost:5199"}, True),
        ({"host": "[::1]:8765"}, True),
        ({"host": "localhost:2024", "origin": "https://smith.langchain.com"}, True),
        ({"host": "127.0.0.1:8765", "origin": "https://evil.example"}, False),
        ({"host": "127.0.0.1:8765", "origin": "null"}, False),
        ({"host": "127.0.0.1:8765", "origin": "http://127.0.0.1.evil.example"}, False),
        ({"host": "evil.example:8765", "origin": "http://evil.example:8765"}, False),
        ({"host": "evil.example:8765"}, False),
        ({"host": "["}, False),
        ({"host": "localhost", "origin": "http://["}, False),
    ],
)
def test_no_page_of_another_site_asks_a_server_without_keys(headers: dict[str, str], served: bool) -> None:
    callers = Callers(Settings())
    if served:
        assert callers.caller(headers, "127.0.0.1").manages
    else:
        with pytest.raises(NotAllowed):
            callers.caller(headers, "127.0.0.1")


def test_a_key_says_who_asks_and_whose_documents(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key = Keys(lambda: KeyFile(path)).add("anna", "team", "asks")
    callers = Callers(Settings(api_keys=path))
    assert callers.caller(bearer(key), "10.0.0.7") == Caller("key:anna", "team", "asks")
    assert callers.caller({"x-api-key": key}, None).manages is False
    assert refused(callers, {})
    assert refused(callers, bearer(key[:-1]))
    assert refused(callers, {"authorization": key})


def test_the_file_holds_no_key_and_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "new" / "keys.json"
    key = Keys(lambda: KeyFile(path)).add("anna", "team", "manages")
    assert key not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


def test_a_key_taken_back_in_another_process_counts_no_more(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    here, there = Keys(lambda: KeyFile(path)), Keys(lambda: KeyFile(path))
    key = here.add("anna", "team", "asks")
    assert there.holder(key) is not None
    assert here.remove("anna")
    assert there.holder(key) is None
    assert not here.remove("anna")


def test_two_keys_of_one_name_and_odd_names_are_refused(tmp_path: Path) -> None:
    keys = Keys(lambda: KeyFile(tmp_path / "keys.json"))
    keys.add("anna", "team", "asks")
    for name, namespace in (("anna", "other"), ("", "team"), ("a b", "team"), ("ben", "../x"), ("ben", "")):
        with pytest.raises(UsageError):
            keys.add(name, namespace, "asks")
    assert [one.name for one in keys.held()] == ["anna"]


@pytest.mark.parametrize("content", ["", "{}", '[{"name": "anna"}]', "[1]"])
def test_a_file_that_is_none_of_ours_lets_nobody_in(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    with pytest.raises(InvalidSetting, match="no file of API keys"):
        Callers(Settings(api_keys=path)).caller(bearer("x"), None)


def test_a_missing_file_lets_nobody_in(tmp_path: Path) -> None:
    assert refused(Callers(Settings(api_keys=tmp_path / "none.json")), bearer("x"))


def test_a_langgraph_server_is_told_of_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_asked: object) -> Caller:
        raise StoreUnavailable("The database does not answer.", "Try again.")

    monkeypatch.setattr(auth.callers(), "caller", away)
    with pytest.raises(auth.Auth.exceptions.HTTPException) as raised:
        asyncio.run(auth.authenticate({}, {}))
    assert (raised.value.status_code, raised.value.detail) == (503, "The database does not answer. Try again.")


def test_a_server_that_says_nothing_of_where_from_is_asked_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aegra gives the headers alone, as text."""
    here = {"type": "http", "client": ("127.0.0.1", 5)}
    monkeypatch.setattr(auth, "callers", lambda: Callers(Settings(namespace="mine")))
    assert asyncio.run(auth.authenticate({b"host": b"localhost"}, here))["namespace"] == "mine"  # type: ignore[typeddict-item]
    with pytest.raises(auth.Auth.exceptions.HTTPException, match="veridic keys add"):
        asyncio.run(auth.authenticate({"host": "localhost"}))
