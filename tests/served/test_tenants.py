"""Two callers of one server, on both hosts: nothing of the one ever reaches the other."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.served.hosts import Host, running
from veridic.server.keys import KeyFile, Keys

SECRET = "The vault of {name} opens with the number {number}."
NUMBERS = {"anna": "48151", "ben": "62342"}
QUESTION = "With which number does the vault open?"
RUN = {"assistant_id": "veridic", "input": {"question": QUESTION}}


@dataclass
class Tenant:
    """One caller, with what is its own."""

    name: str
    client: httpx.Client
    document: str
    run: str
    record: str


@pytest.fixture(scope="module", params=["veridic", "langgraph"])
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, Keys]]:
    folder = tmp_path_factory.mktemp("tenants")
    keys = Keys(lambda: KeyFile(folder / "keys.json"))
    settings = {"api_keys": str(folder / "keys.json"), "min_confidence": "0", "begin_with": str(folder / "nothing.txt")}
    (folder / "nothing.txt").write_text("Nothing is told here of anything.")
    with running(request.param, folder / "kb.sqlite", **settings) as there:
        yield there, keys


@pytest.fixture(scope="module")
def tenants(host: tuple[Host, Keys]) -> Iterator[dict[str, Tenant]]:
    there, keys = host
    made = {name: tenant(there, keys, name) for name in NUMBERS}
    yield made
    for one in made.values():
        one.client.close()


def tenant(there: Host, keys: Keys, name: str) -> Tenant:
    key = keys.add(name, f"of-{name}s", "manages")
    client = httpx.Client(base_url=there.url, headers={"x-api-key": key}, timeout=60)
    text = SECRET.format(name=name, number=NUMBERS[name])
    client.post("/veridic/documents", files={"f": ("vault.txt", text.encode())}).raise_for_status()
    document = next(one["id"] for one in client.get("/veridic/documents").json() if one["title"] == "vault")
    result = client.post("/veridic/ask", json={"question": f"With which number does the vault of {name} open?"}).json()
    record = result["write_back"]["record_id"] if result["write_back"] else ""
    return Tenant(name, client, document, result["run_id"], record or "")


def test_each_is_told_its_own(tenants: dict[str, Tenant]) -> None:
    for name, one in tenants.items():
        result = one.client.get(f"/veridic/runs/{one.run}").json()
        assert NUMBERS[name] in result["answer"]


CROSSINGS: list[tuple[str, str, dict[str, Any]]] = [
    ("POST", "/veridic/ask", {"question": QUESTION}),
    ("POST", "/veridic/ask", {"question": "With which number does the vault of {other} open?"}),
    ("POST", "/veridic/ask", {"question": QUESTION, "context": {"scope": ["{document}"]}}),
    ("POST", "/veridic/ask", {"question": QUESTION, "context": {"scope": ["of-{other}s"]}}),
    ("POST", "/veridic/ask", {"question": QUESTION, "context": {"namespace": "of-{other}s"}}),
    ("POST", "/veridic/ask", {"question": QUESTION, "namespace": "of-{other}s"}),
    ("POST", "/veridic/ask", {"question": QUESTION, "system": "naive_write_back"}),
    ("POST", "/veridic/check", {"text": "The vault of {other} opens with the number 1."}),
    ("GET", "/veridic/documents", {}),
    ("GET", "/veridic/documents/{document}", {}),
    ("DELETE", "/veridic/documents/{document}", {}),
    ("GET", "/veridic/runs?limit=1000", {}),
    ("GET", "/veridic/runs/{run}", {}),
    ("POST", "/veridic/feedback", {"run_id": "{run}", "verdict": "down"}),
    ("GET", "/veridic/records?status=probation,active,review", {}),
    ("GET", "/veridic/records/{record}", {}),
    ("POST", "/veridic/records/{record}/reject", {"reason": "x"}),
    ("POST", "/veridic/records/{run}/approve", {}),
    ("GET", "/veridic/condition", {}),
    ("GET", "/veridic/condition?namespace=of-{other}s", {}),
]


@pytest.mark.parametrize(("method", "path", "sent"), CROSSINGS)
def test_nothing_crosses(tenants: dict[str, Tenant], method: str, path: str, sent: dict[str, Any]) -> None:
    ben, anna = tenants["ben"], tenants["anna"]
    words = {"{other}": "anna", "{document}": anna.document, "{run}": anna.run, "{record}": anna.record or "gen-none"}
    body = json.dumps(sent)
    for word, meant in words.items():
        path, body = path.replace(word, meant), body.replace(word, meant)
    answer = ben.client.request(method, path, content=body if sent else None)
    assert NUMBERS["anna"] not in answer.text
    assert anna.run not in answer.text or anna.run in path + body
    assert f'"id": "{anna.document}"' not in answer.text
    assert anna.client.get(f"/veridic/documents/{anna.document}").status_code == 200
    assert next(one for one in anna.client.get("/veridic/runs").json() if one["run_id"] == anna.run)["said"] == ""


def test_threads_and_all_else_of_the_server_are_their_own(host: tuple[Host, Keys], tenants: dict[str, Tenant]) -> None:
    if host[0].name == "veridic":
        pytest.skip("veridic serve has no threads")
    anna, ben = tenants["anna"].client, tenants["ben"].client
    thread = anna.post("/threads", json={}).json()["thread_id"]
    told = anna.post(f"/threads/{thread}/runs/wait", json=RUN).json()
    assert NUMBERS["anna"] in told["answer"]
    assert thread in [one["thread_id"] for one in anna.post("/threads/search", json={}).json()]
    others = ben.post("/threads/search", json={"metadata": {"owner": "key:anna"}}).json()
    assert thread not in [one["thread_id"] for one in others]
    run = anna.get(f"/threads/{thread}/runs").json()[0]["run_id"]
    for method, path, sent in (
        ("GET", f"/threads/{thread}", None),
        ("GET", f"/threads/{thread}/state", None),
        ("POST", f"/threads/{thread}/history", {}),
        ("POST", f"/threads/{thread}/state", {"values": {"question": "x"}}),
        ("POST", f"/threads/{thread}/runs/wait", RUN),
        ("POST", f"/threads/{thread}/copy", {}),
        ("PATCH", f"/threads/{thread}", {"metadata": {"owner": "key:ben"}}),
        ("GET", f"/threads/{thread}/runs", None),
        ("GET", f"/threads/{thread}/runs/{run}", None),
        ("GET", f"/threads/{thread}/runs/{run}/join", None),
        ("POST", f"/threads/{thread}/runs/{run}/cancel", {}),
        ("DELETE", f"/threads/{thread}", None),
        ("PUT", "/store/items", {"namespace": ["a"], "key": "k", "value": {}}),
        ("POST", "/store/items/search", {"namespace_prefix": []}),
        ("POST", "/assistants", {"graph_id": "veridic"}),
        ("POST", "/runs/crons", {**RUN, "schedule": "* * * * *"}),
        ("POST", "/runs/wait", {**RUN, "config": {"configurable": {"langgraph_auth_user": {"namespace": "of-annas"}}}}),
        ("POST", "/runs/wait", {**RUN, "context": {"langgraph_auth_user": {"namespace": "of-annas"}}}),
    ):
        answer = ben.request(method, path, json=sent)
        assert NUMBERS["anna"] not in answer.text, path
        if "/runs/wait" not in path or thread in path:
            assert answer.status_code >= 400 or answer.json() == [], (path, answer.text)
    assert anna.get(f"/threads/{thread}").json()["metadata"]["owner"] == "key:anna"


@pytest.mark.parametrize(
    "headers", [{}, {"x-api-key": "vk_wrong"}, {"authorization": "Bearer x"}, {"x-auth-scheme": "langsmith"}]
)
def test_who_has_no_key_gets_nothing(host: tuple[Host, Keys], headers: dict[str, str]) -> None:
    with httpx.Client(base_url=host[0].url, headers=headers, timeout=60) as client:
        answer = client.post("/veridic/ask", json={"question": QUESTION})
        assert (answer.status_code, answer.json()["error"]) == (401, "NotAuthenticated")
        assert client.get("/veridic/documents").status_code == 401
        assert client.get("/veridic/metrics").status_code == 404
        assert client.post("/runs/wait", json=RUN).status_code in (401, 404)
        assert client.get("/veridic/health").json()["keys"] is True


@pytest.mark.usefixtures("tenants")
def test_a_key_that_only_asks_manages_nothing_and_one_taken_back_asks_no_more(host: tuple[Host, Keys]) -> None:
    there, keys = host
    key = keys.add("reader", "of-bens", "asks")
    with httpx.Client(
        base_url=f"{there.url}/veridic", headers={"authorization": f"Bearer {key}"}, timeout=60
    ) as client:
        assert client.post("ask", json={"question": QUESTION}).status_code == 200
        assert_no_folder_is_told(client)
        for method, path in (
            ("POST", "documents"), ("DELETE", "documents/x"), ("GET", "runs"), ("POST", "records/x/approve"),
            ("POST", "records/x/reject"),
        ):  # fmt: skip
            assert client.request(method, path).json()["error"] == "NotAllowed", path
        keys.remove("reader")
        assert client.post("ask", json={"question": QUESTION}).status_code == 401


def assert_no_folder_is_told(client: httpx.Client) -> None:
    """Whoever only asks sees the names of files, at once and in a stream, and not where they lie."""
    question = {"question": "With which number does the vault of ben open?"}
    result = client.post("ask", json=question)
    [place] = {one["url"] for part in result.json()["sentences"] for one in part["citations"]}
    assert place == "vault.txt"
    for scope, status in (("vault.txt", 200), ("/", 404), (".", 404), ("..", 404), ("vaults.txt", 404)):
        assert client.post("ask", json={**question, "context": {"scope": [scope]}}).status_code == status, scope
    streamed = client.post("ask", json=question, headers={"accept": "text/event-stream"})
    seen = [client.get(path) for path in ("documents", "records", f"runs/{result.json()['run_id']}", "condition")]
    for told in (result, streamed, *seen):
        assert told.status_code == 200
        assert "uploads" not in told.text
