"""Who asks: keys, tokens, and a server without either."""

import hmac
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st
from jwt.algorithms import ECAlgorithm

from veridic.errors import InvalidSetting, NotAllowed, NotAuthenticated, UsageError
from veridic.server.callers import Caller, Callers
from veridic.server.keys import KeyFile
from veridic.server.tokens import namespace_of
from veridic.settings import Settings

SECRET = "a secret of the issuer, long enough for it"
SOON = int(time.time()) + 3600


def bearer(credential: str) -> dict[str, str]:
    return {"authorization": f"Bearer {credential}"}


def token(key: Any = SECRET, algorithm: str = "HS256", **claims: object) -> str:
    return jwt.encode({"sub": "anna", "exp": SOON, **claims}, key, algorithm=algorithm)


def signed_with_the_public_key_as_secret(public: bytes) -> str:
    """As one forges it against a server that takes the algorithm from the token; the library refuses to make one."""
    parts = [{"alg": "HS256", "typ": "JWT"}, {"sub": "anna", "exp": SOON}]
    signed = ".".join(urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode() for one in parts)
    digest = hmac.new(public, signed.encode(), "sha256").digest()
    return f"{signed}.{urlsafe_b64encode(digest).rstrip(b'=').decode()}"


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
    key = KeyFile(path).add("anna", "team", "asks")
    callers = Callers(Settings(api_keys=path))
    assert callers.caller(bearer(key), "10.0.0.7") == Caller("key:anna", "team", "asks")
    assert callers.caller({"x-api-key": key}, None).manages is False
    assert refused(callers, {})
    assert refused(callers, bearer(key[:-1]))
    assert refused(callers, {"authorization": key})


def test_the_file_holds_no_key_and_is_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "new" / "keys.json"
    key = KeyFile(path).add("anna", "team", "manages")
    assert key not in path.read_text()
    assert path.stat().st_mode & 0o077 == 0


def test_a_key_taken_back_in_another_process_counts_no_more(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    here, there = KeyFile(path), KeyFile(path)
    key = here.add("anna", "team", "asks")
    assert there.holder(key) is not None
    assert here.remove("anna")
    assert there.holder(key) is None
    assert not here.remove("anna")


def test_two_keys_of_one_name_and_odd_names_are_refused(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
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


def test_a_token_says_who_asks() -> None:
    callers = Callers(Settings(jwt_key=SECRET))
    assert callers.caller(bearer(token()), None) == Caller("token:anna", "anna", "manages")
    by_claim = Callers(Settings(jwt_key=SECRET, jwt_namespace="org", jwt_role="asks"))
    assert by_claim.caller(bearer(token(org="acme")), None) == Caller("token:anna", "acme", "asks")
    assert refused(by_claim, bearer(token()))
    assert refused(by_claim, bearer(token(org=["acme"])))


@pytest.mark.parametrize(
    "wrong",
    [
        token(exp=int(time.time()) - 3600),
        token(key="another secret that nobody told us of"),
        jwt.encode({"sub": "anna", "exp": SOON}, None, algorithm="none"),
        jwt.encode({"sub": "anna"}, SECRET),
        jwt.encode({"exp": SOON}, SECRET),
        token(nbf=SOON),
        token(aud="others"),
        "a.b.c",
        "",
    ],
    ids=[
        "expired",
        "other key",
        "unsigned",
        "no audience",
        "no subject",
        "not yet",
        "other audience",
        "no token",
        "empty",
    ],
)
def test_a_token_that_is_not_valid_lets_nobody_in(wrong: str) -> None:
    assert refused(Callers(Settings(jwt_key=SECRET)), bearer(wrong))


def test_issuer_and_audience_are_held_to() -> None:
    callers = Callers(Settings(jwt_key=SECRET, jwt_issuer="https://id", jwt_audience="veridic"))
    assert callers.caller(bearer(token(iss="https://id", aud="veridic")), None).namespace == "anna"
    assert refused(callers, bearer(token(iss="https://other", aud="veridic")))
    assert refused(callers, bearer(token(iss="https://id")))


def test_a_public_key_verifies_and_is_no_secret(tmp_path: Path) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    public = private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    path = tmp_path / "issuer.pem"
    path.write_bytes(public)
    callers = Callers(Settings(jwt_key=str(path)))
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    assert callers.caller(bearer(token(pem, "ES256")), None).namespace == "anna"
    assert refused(callers, bearer(token()))
    assert refused(callers, bearer(signed_with_the_public_key_as_secret(public)))


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(InvalidSetting, match="32 characters"):
        Callers(Settings(jwt_key="short"))


@settings(max_examples=30)
@given(st.lists(st.text(min_size=1), min_size=2, max_size=2, unique=True))
def test_two_claims_never_share_a_namespace(claims: list[str]) -> None:
    one, other = map(namespace_of, claims)
    assert one != other
    assert Settings(namespace=one).namespace == one


def test_a_claim_cannot_pose_as_one_made_from_another() -> None:
    assert namespace_of(namespace_of("auth0|anna")) != namespace_of("auth0|anna")
    assert namespace_of("acme") == "acme"


def test_published_keys_verify_and_an_issuer_that_is_gone_lets_nobody_in(caplog: pytest.LogCaptureFixture) -> None:
    private = ec.generate_private_key(ec.SECP256R1())
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    key = {**ECAlgorithm.to_jwk(private.public_key(), as_dict=True), "kid": "one", "use": "sig"}
    signed = jwt.encode({"sub": "anna", "exp": SOON}, pem, algorithm="ES256", headers={"kid": "one"})
    with publishing({"keys": [key]}) as url:
        callers = Callers(Settings(jwt_keys_url=url))
        assert callers.caller(bearer(signed), None).namespace == "anna"
        other = jwt.encode({"sub": "anna", "exp": SOON}, pem, algorithm="ES256", headers={"kid": "two"})
        assert refused(callers, bearer(other))
    assert refused(Callers(Settings(jwt_keys_url=url)), bearer(signed))
    assert "cannot be had" in caplog.text


@contextmanager
def publishing(keys: dict[str, Any]) -> Iterator[str]:
    """An issuer's address for its keys."""

    class Issuer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(keys).encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Issuer) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/keys"
        server.shutdown()
