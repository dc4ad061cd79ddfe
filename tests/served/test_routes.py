"""The routes, on both hosts alike."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.served.hosts import EXAMPLES, Host, running
from veridic import __version__

QUESTION = "Who founded the Halden Ridge Observatory?"
FOLLOW_UP = "And when was it founded?"


@pytest.fixture(scope="module", params=["veridic", "langgraph"])
def host(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with running(
        request.param, tmp_path_factory.mktemp("served") / "kb.sqlite", begin_with=EXAMPLES, request_bytes="100000"
    ) as there:
        yield there


@pytest.fixture
def client(host: Host) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{host.url}/veridic", timeout=60) as made:
        yield made


def test_a_question_is_answered_at_once(client: httpx.Client) -> None:
    result = client.post("ask", json={"question": QUESTION}).json()
    assert (result["short_answer"], result["outcome"]) == ("Ingrid Solvang", "accepted")


def test_the_steps_come_before_the_result(client: httpx.Client) -> None:
    events = list(streamed(client, {"question": QUESTION}))
    names = [name for name, _ in events]
    assert names[0] == "step"
    assert {"analysis", "documents", "readings", "outcome"} <= set(names)
    assert names[-1] == "result"
    assert events[-1][1]["short_answer"] == "Ingrid Solvang"


def test_a_conversation_is_gone_on_with(client: httpx.Client) -> None:
    first = client.post("ask", json={"question": QUESTION}).json()
    messages = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": first["answer"]},
        {"role": "user", "content": FOLLOW_UP},
    ]
    second = client.post("ask", json={"messages": messages}).json()
    assert "Halden Ridge" in second["standalone"]
    assert "1911" in second["short_answer"]


def test_a_conversation_is_the_servers_to_keep_where_it_has_a_name(client: httpx.Client) -> None:
    client.post("ask", json={"question": QUESTION, "thread": "kept"}).raise_for_status()
    second = client.post("ask", json={"question": FOLLOW_UP, "thread": "kept"}).json()
    assert "Halden Ridge" in second["standalone"]
    assert "Halden Ridge" not in client.post("ask", json={"question": FOLLOW_UP, "thread": "new"}).json()["standalone"]
    refused = client.post("ask", json={"question": QUESTION, "thread": "no name"})
    assert (refused.status_code, refused.json()["error"]) == (400, "UsageError")


@pytest.mark.parametrize(
    ("sent", "error", "said"),
    [
        ({"question": " "}, "InvalidQuestion", "The question is empty."),
        ({"question": QUESTION, "context": {"max_retrys": 1}}, "InvalidSetting", "max_retries?"),
        ({"question": QUESTION, "context": {"max_retries": 99}}, "InvalidSetting", "less than or equal to 5"),
        ({"question": QUESTION, "context": {"namespace": "other"}}, "InvalidSetting", "no choice 'namespace'"),
        ({"question": QUESTION, "settings": {}}, "InvalidInput", "settings"),
        ({"qestion": QUESTION}, "InvalidInput", "Did you mean question?"),
        ({"question": QUESTION, "system": "crags"}, "UnknownSystem", "crag"),
        ({"messages": [{"role": "nobody", "content": "x"}]}, "InvalidInput", "cannot be read"),
        ({}, "InvalidQuestion", "The question is empty."),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(
    client: httpx.Client, sent: dict[str, Any], error: str, said: str
) -> None:
    answer = client.post("ask", json=sent)
    told = answer.json()
    assert (answer.status_code, told["error"]) == (400, error)
    assert said in f"{told['problem']} {told['mend']}"


@pytest.mark.parametrize(
    ("method", "path", "status", "problem", "mend"),
    [
        ("GET", "nothing", 404, "There is nothing at /veridic/nothing (Not Found).", "routes.md"),
        ("GET", "ask", 405, "/veridic/ask takes no GET.", "It takes POST."),
        ("PUT", "documents", 405, "/veridic/documents takes no PUT.", "It takes "),
    ],
)
def test_where_nothing_is_is_said_as_every_error(
    client: httpx.Client, method: str, path: str, status: int, problem: str, mend: str
) -> None:
    answer = client.request(method, path)
    told = answer.json()
    assert (answer.status_code, told["error"], told["problem"]) == (status, "UsageError", problem)
    assert mend in told["mend"]


def test_langgraphs_own_routes_answer_as_they_do(host: Host) -> None:
    answer = httpx.get(f"{host.url}/threads/nothing")
    assert "problem" not in answer.text


def test_an_error_in_a_stream_is_an_event(client: httpx.Client) -> None:
    name, told = list(streamed(client, {"question": " "}))[-1]
    assert (name, told["error"]) == ("error", "InvalidQuestion")


def test_what_is_no_json_is_refused(client: httpx.Client) -> None:
    answer = client.post("ask", content=b"{")
    assert (answer.status_code, answer.json()["error"]) == (400, "InvalidInput")


def test_a_request_that_is_too_large_is_refused_announced_or_not(client: httpx.Client) -> None:
    whole = json.dumps({"question": "x" * 200_000}).encode()
    for content in (whole, iter([whole])):
        answer = client.post("ask", content=content)
        assert (answer.status_code, answer.json()["error"]) == (413, "RequestTooLarge")


def test_a_text_is_checked(client: httpx.Client) -> None:
    report = client.post("check", json={"text": "An adult ticket costs 12 euros. It rained in Oslo."}).json()
    assert [claim["verdict"] for claim in report["claims"]] == ["supported", "not_found"]


def test_a_run_is_shown_and_spoken_of(client: httpx.Client) -> None:
    run = client.post("ask", json={"question": "What does an adult ticket cost?"}).json()["run_id"]
    assert client.get(f"runs/{run}").json()["run_id"] == run
    said = client.post("feedback", json={"run_id": run, "verdict": "up"}).json()
    assert (said["verdict"], said["followed"][0]) == ("up", "Kept: you said that the answer is right.")
    listed = next(one for one in client.get("runs").json() if one["run_id"] == run)
    assert (listed["said"], listed["record_id"]) == ("up", said["record_id"])
    assert client.get("runs/none").status_code == 404
    assert client.post("feedback", json={"run_id": "none", "verdict": "up"}).status_code == 404
    assert client.get("runs?limit=0").status_code == 400


def test_a_document_comes_is_opened_and_goes(client: httpx.Client) -> None:
    text = b"The Blue Door is a cafe in Halden. The Blue Door opens at seven in the morning."
    report = client.post("documents", files={"file": ("../../blue door.txt", text)}).json()
    [path] = report["added"]
    assert Path(path).name == "blue door.txt"
    assert Path(path).parent.name == "default"
    [held] = [one for one in client.get("documents").json() if one["url"] == path]
    assert client.get(f"documents/{held['id']}").json()["text"] == text.decode()
    result = client.post("ask", json={"question": "When does the Blue Door open?"}).json()
    scoped = {"question": "When does the Blue Door open?", "context": {"scope": ["blue door.txt"]}}
    assert client.post("ask", json=scoped).json()["short_answer"] == result["short_answer"] != ""
    scoped["context"]["scope"] = ["blue dor.txt"]
    refused = client.post("ask", json=scoped)
    assert (refused.status_code, refused.json()["error"]) == (404, "DocumentMissing")
    assert refused.json()["mend"] == "Did you mean blue door.txt?"
    [place] = {(one["url"], one["quote"]) for part in result["sentences"][:1] for one in part["citations"]}
    assert place[0] == path
    assert client.delete(f"documents/{held['id']}").json()["removed"][0]["id"] == held["id"]
    assert not Path(path).exists()
    assert client.get(f"documents/{held['id']}").status_code == 404
    assert client.delete(f"documents/{held['id']}").status_code == 404


def test_a_file_that_cannot_be_read_is_named_with_why(client: httpx.Client) -> None:
    answer = client.post("documents", files={"file": ("broken.pdf", b"%PDF-1.7 nothing")})
    assert answer.status_code == 422
    [problem] = answer.json()["unreadable"]
    assert (answer.json()["error"], answer.json()["retryable"]) == ("DocumentUnreadable", False)
    assert answer.json()["problem"] == f"No file was taken in. broken.pdf: {problem['reason']}"
    assert client.post("documents").status_code == 400
    assert client.post("documents", files={"file": (".env", b"x")}).status_code == 400


def test_a_file_that_cannot_be_read_leaves_the_one_before_it(client: httpx.Client) -> None:
    [path] = client.post("documents", files={"file": ("rules.html", b"<p>Dogs stay out.</p>")}).json()["added"]
    for name, content in (("rules.html", b"\x00\xff" * 50), ("tool.exe", b"MZ")):
        assert client.post("documents", files={"file": (name, content)}).status_code == 422
    assert Path(path).read_bytes() == b"<p>Dogs stay out.</p>"
    assert [one.name for one in Path(path).parent.iterdir() if one.name.startswith((".before", "tool"))] == []


def test_a_page_of_another_site_puts_nothing_in(client: httpx.Client) -> None:
    from_elsewhere = {"origin": "https://evil.example"}
    answer = client.post("documents", files={"file": ("lie.txt", b"The moon is cheese.")}, headers=from_elsewhere)
    assert (answer.status_code, answer.json()["error"]) == (403, "NotAllowed")
    assert not any("lie" in one["title"] for one in client.get("documents").json())


def test_what_was_learned_is_listed_and_decided_about(client: httpx.Client) -> None:
    client.post("ask", json={"question": "When was the Halden Ridge Observatory founded?"})
    [first, *_] = client.get("records?status=probation").json()
    assert client.get(f"records/{first['id']}").json()["id"] == first["id"]
    assert client.post(f"records/{first['id']}/approve").json() == {first["id"]: "active"}
    assert client.post(f"records/{first['id']}/reject", json={"reason": "old"}).json() == {first["id"]: "rejected"}
    assert client.post("records/none/approve").status_code == 404
    assert client.get("records?status=nonsense").status_code == 400


def test_the_server_says_how_it_is(client: httpx.Client) -> None:
    assert client.get("health").json() == {"status": "ok", "version": __version__, "keys": False}
    assert client.get("ready").json() == {"status": "ready", "unreachable": []}
    told = client.get("condition").json()
    assert told["holds"]["documents"] >= 4
    assert "path" not in told["holds"]
    assert "veridic" in client.get("choices").json()["systems"]


def test_the_page_is_served_and_lets_in_nothing_of_others(client: httpx.Client) -> None:
    page = client.get("")
    assert "<title>Veridic" in page.text
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert client.get("page/../app.py").status_code == 404


def test_whoever_asks_for_the_server_alone_is_led_to_the_page(host: Host) -> None:
    if host.name == "langgraph":
        pytest.skip("there something else is at the root")
    assert "<title>Veridic" in httpx.get(host.url, follow_redirects=True).text


def test_nothing_blocked_the_loop(host: Host, client: httpx.Client) -> None:
    client.get("health")
    found = [at for at, line in enumerate(host.log) if "Blocking" in line or "Traceback" in line]
    assert not found, "".join(host.log[found[0] :])


def streamed(client: httpx.Client, question: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The events of a run, with what they hold."""
    with client.stream("POST", "ask", json=question, headers={"accept": "text/event-stream"}) as answer:
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield name, json.loads(line.removeprefix("data: "))
