"""Judges at a service: the same verdicts as here, joined batches, and whatever fails leaves a run unverified."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.graph.world import World
from tests.models.judge_conformance import NEVER, CriticConformance, EvaluatorConformance
from tests.models.reader_conformance import ReaderConformance
from tests.served.judging import asking, at_port, forget_endpoints, served
from veridic.errors import CalibrationMismatch, DeadlineExceeded, JudgeBusy, JudgeFailed, UsageError
from veridic.models.by_settings import base_folder, open_deciding, open_reader
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.endpoint import Endpoint
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import OnnxReader
from veridic.models.remote import RemoteJudge, RemoteReader
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.models.trial import shipped_pairs
from veridic.ports.judging import Critic, Reader, RetrievalEvaluator
from veridic.ports.shapes import Result
from veridic.server.batching import Batcher
from veridic.server.judge_service import judges_app
from veridic.server.metrics import Metrics
from veridic.settings import Settings

JUDGE = SHIPPED / "judge"
QUESTION = "When was the Alder Bridge opened?"
ALL = 1_000_000
"""Tokens; what is read within fewer hangs on what was judged lately."""
VERIFIED = ("accepted", "corrected", "partial")
KEY = "a-key-that-nobody-guesses-0123456789"


@pytest.fixture(autouse=True)
def no_endpoint_stays() -> Iterator[None]:
    yield
    forget_endpoints()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("judges")) as found:
        yield found


@pytest.fixture(scope="module")
def endpoint(address: str) -> Iterator[Endpoint]:
    with asking(address) as found:
        yield found


class TestRemoteEvaluator(EvaluatorConformance):
    @pytest.fixture
    def subject(self, endpoint: Endpoint) -> RetrievalEvaluator:
        return TrainedEvaluator(RemoteJudge(JUDGE, endpoint))


class TestRemoteCritic(CriticConformance):
    @pytest.fixture
    def subject(self, endpoint: Endpoint) -> Critic:
        return TrainedCritic(RemoteJudge(JUDGE, endpoint))


class TestRemoteReader(ReaderConformance):
    @pytest.fixture
    def subject(self, endpoint: Endpoint) -> Reader:
        return RemoteReader(SHIPPED / "reader", endpoint)


def told(kind: str, count: int = 5) -> list[tuple[str, str]]:
    return [(one.first, one.second) for one in shipped_pairs() if one.kind == kind][:count]


@pytest.mark.parametrize("judges", ["small", "base"])
def test_verdicts_are_the_same_here_and_there(tmp_path: Path, judges: str) -> None:
    if judges == "base" and base_folder() is None:
        pytest.skip("needs the base judge")
    here = Settings(judges=judges, cache=tmp_path, threads=1, base_tokens=ALL)
    with served(tmp_path, judges=judges) as address, pytest.MonkeyPatch.context() as patch:
        if judges == "small":
            patch.setattr("veridic.models.by_settings.base_folder", lambda: None)
        there = Settings(judges=address, cache=tmp_path / "there", threads=1, base_tokens=ALL)
        (evaluator, critic), (far_evaluator, far_critic) = open_deciding(here), open_deciding(there)
        passages, statements = told("passage"), told("statement")
        assert evaluator.score(passages, deadline=NEVER) == far_evaluator.score(passages, deadline=NEVER)
        assert evaluator.usefulness(passages, deadline=NEVER) == far_evaluator.usefulness(passages, deadline=NEVER)
        assert critic.judge(statements, deadline=NEVER) == far_critic.judge(statements, deadline=NEVER)
        assert open_reader(here).read(passages, deadline=NEVER) == open_reader(there).read(passages, deadline=NEVER)
        assert evaluator.fingerprint == far_evaluator.fingerprint
        assert critic.thresholds("strict") == far_critic.thresholds("strict")


def test_what_is_fitted_to_base_comes_from_the_service_and_is_kept_for_when_it_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if base_folder() is None:
        pytest.skip("needs the base judge")
    with served(tmp_path, judges="base") as address:
        expected = open_deciding(Settings(judges=address, cache=tmp_path))[1].fingerprint
        monkeypatch.setattr("veridic.models.by_settings.base_folder", lambda: None)
        settings = Settings(judges=address, cache=tmp_path / "worker")
        assert open_deciding(settings)[1].fingerprint == expected
        assert not list(tmp_path.joinpath("worker").rglob("*.onnx"))
    assert open_deciding(settings)[1].fingerprint == expected
    assert open_reader(settings).gates
    with pytest.raises(JudgeFailed, match="raised ConnectError"):
        open_deciding(Settings(judges=address, cache=tmp_path / "elsewhere"))


def test_what_several_clients_ask_is_judged_in_one_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    judged = OnnxJudge.logits

    def counted(judge: OnnxJudge, pairs: Any, head: str, *, deadline: float) -> Any:
        calls.append(len(pairs))
        return judged(judge, pairs, head, deadline=deadline)

    monkeypatch.setattr(OnnxJudge, "logits", counted)
    clients, text = 4, "The bridge was opened in 1932. " * 4
    asked = [[(f"Who opened bridge {n}?", text)] for n in range(clients)]
    tokens = 2 + sum((len(first) + len(second)) // 4 for [(first, second)] in asked)
    with ExitStack() as stack, ThreadPoolExecutor(clients) as threads:
        address = stack.enter_context(served(tmp_path, tokens=tokens, age=600.0))
        judges = [RemoteJudge(JUDGE, stack.enter_context(asking(address))) for _ in asked]
        scored = threads.map(lambda one, pairs: one.logits(pairs, "relevance", deadline=NEVER), judges, asked)
        assert [len(one) for one in scored] == [1] * clients
        counts = httpx.get(f"{address}/metrics").text
    assert calls == [1, clients], "the pair that is judged first, and one of each client"
    assert "veridic_judges_call_requests_sum 5.0" in counts
    assert f'veridic_judges_requests_total{{status="200"}} {clients}.0' in counts


class Gate:
    """A model that says when it was called, and answers when it may."""

    def __init__(self) -> None:
        self.called, self.open = Event(), Event()
        self.pairs: list[tuple[str, str]] = []

    def work(self, pairs: Any, deadline: float) -> list[str]:
        self.called.set()
        self.open.wait(60)
        self.pairs += pairs
        return [first for first, _ in pairs]


@pytest.fixture
def gate() -> Iterator[tuple[Gate, Batcher]]:
    made, batcher = Gate(), Batcher(Metrics(), age=0, waiting=3)
    batcher.submit("first", made.work, [("first", "")], deadline=NEVER)
    made.called.wait(60)
    yield made, batcher
    made.open.set()
    batcher.close()
    assert not batcher.runs


def test_what_comes_while_a_model_is_busy_is_one_batch_and_each_gets_its_own(gate: tuple[Gate, Batcher]) -> None:
    model, batcher = gate
    answers = [batcher.submit("k", model.work, [(f"{n}", ""), (f"{n}!", "")], deadline=NEVER) for n in range(3)]
    model.open.set()
    assert [one.result(60) for one in answers] == [[f"{n}", f"{n}!"] for n in range(3)]


def test_calls_of_one_batch_are_made_side_by_side() -> None:
    met, batcher = Barrier(2), Batcher(Metrics(), age=0, threads=2)
    model = Gate()
    batcher.submit("first", model.work, [("first", "")], deadline=NEVER)
    model.called.wait(60)

    def work(pairs: Any, deadline: float) -> Any:
        met.wait(60)
        return pairs

    answers = [batcher.submit(key, work, [(key, "")], deadline=NEVER) for key in ("one", "other")]
    model.open.set()
    assert [one.result(60) for one in answers] == [[("one", "")], [("other", "")]]
    batcher.close()


def test_what_is_too_late_or_awaited_by_nobody_is_not_judged(gate: tuple[Gate, Batcher]) -> None:
    model, batcher = gate
    late = batcher.submit("k", model.work, [("late", "")], deadline=time.time() - 1)
    left = batcher.submit("k", model.work, [("left", "")], deadline=NEVER)
    asked = batcher.submit("k", model.work, [("asked", "")], deadline=NEVER)
    assert left.cancel()
    model.open.set()
    assert asked.result(60) == ["asked"]
    with pytest.raises(DeadlineExceeded):
        late.result(60)
    assert [first for first, _ in model.pairs] == ["first", "asked"]


def test_a_full_queue_takes_no_more(gate: tuple[Gate, Batcher]) -> None:
    model, batcher = gate
    for _ in range(3):
        batcher.submit("k", model.work, [("a", "b")], deadline=NEVER)
    with pytest.raises(JudgeBusy):
        batcher.submit("k", model.work, [("a", "b")], deadline=NEVER)


def test_what_a_model_raises_reaches_all_who_asked_and_the_next_are_judged(gate: tuple[Gate, Batcher]) -> None:
    model, batcher = gate
    failed = [batcher.submit("bad", lambda *_: [][1], [("a", "b")], deadline=NEVER) for _ in range(2)]
    model.open.set()
    for one in failed:
        assert isinstance(one.exception(60), IndexError)
    assert batcher.submit("k", model.work, [("a", "b")], deadline=NEVER).result(60) == ["a"]


def test_a_busy_service_refuses_and_a_slow_one_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called, go_on = Event(), Event()

    def slow(*_: Any, **__: Any) -> list[Any]:
        called.set()
        go_on.wait(60)
        return []

    monkeypatch.setattr(OnnxJudge, "logits", slow)
    with ExitStack() as stack:
        address = stack.enter_context(served(tmp_path, waiting=1))
        stack.callback(go_on.set)
        endpoint = stack.enter_context(asking(address))
        called.wait(60)
        judge = RemoteJudge(JUDGE, endpoint)
        with pytest.raises(DeadlineExceeded, match="in the time given"):
            judge.logits([("a", "b")], "relevance", deadline=time.time() + 0.2)
        with pytest.raises(JudgeFailed, match="refuses \\(503\\): More waits"):
            judge.logits([("c", "d")], "relevance", deadline=NEVER)
        asked = {"fingerprint": judge.fingerprint, "head": "nli", "pairs": [["a", "b"]]}
        assert httpx.post(f"{address}/judge", json=asked).headers["retry-after"] == "1"
        health = httpx.get(f"{address}/health")
        assert (health.status_code, health.json()["live"], health.json()["ready"]) == (503, True, False)


def test_a_service_that_is_ready_says_so(endpoint: Endpoint, address: str) -> None:
    TrainedEvaluator(RemoteJudge(JUDGE, endpoint)).score([("Who?", "Nobody else.")], deadline=NEVER)
    RemoteReader(SHIPPED / "reader", endpoint).read([("Who?", "Nobody else.")], deadline=NEVER)
    assert endpoint.get("/health")["ready"]
    told = endpoint.get("/info")
    assert [one["fingerprint"] for one in told["judges"]] == [OnnxJudge().fingerprint]
    assert told["readers"] == [OnnxReader().fingerprint]


@pytest.mark.parametrize("name", ["judge", "reader"])
def test_other_weights_than_are_expected_are_refused(endpoint: Endpoint, tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(SHIPPED / name, tmp_path / name, ignore=shutil.ignore_patterns("*.onnx"))
    for file, more in (("card.json", {"nearness": False}), ("calibration.json", {})):
        told = json.loads((folder / file).read_text())
        (folder / file).write_text(json.dumps({**told, "fingerprint": "f" * 16, **more}))
    asked: Any = partial(RemoteJudge(folder, endpoint).logits, head="nli") if name == "judge" else None
    asked = asked or RemoteReader(folder, endpoint).read
    with pytest.raises(CalibrationMismatch, match="refuses \\(409\\)"):
        asked([("Who?", "Nobody.")], deadline=NEVER)


def test_a_wrong_key_opens_nothing_and_is_told_nowhere(tmp_path: Path) -> None:
    pairs = [("Who?", "Nobody.")]
    with served(tmp_path, key=KEY) as address:
        for key in ("", "wrong-key-0123456789abcdef"):
            with asking(address, key) as endpoint, pytest.raises(JudgeFailed, match="refuses \\(401\\)") as raised:
                RemoteJudge(JUDGE, endpoint).logits(pairs, "relevance", deadline=NEVER)
            assert KEY not in str(raised.value)
            assert not key or key not in str(raised.value)
        for path in ("/info", "/metrics"):
            assert httpx.get(address + path).status_code == 401
        assert httpx.get(f"{address}/health").status_code in (200, 503)
        with asking(address, KEY) as endpoint:
            assert len(RemoteJudge(JUDGE, endpoint).logits(pairs, "relevance", deadline=NEVER)) == 1


def test_without_a_key_other_machines_are_not_served(address: str) -> None:
    refused = httpx.get(f"{address}/info", headers={"x-forwarded-for": "203.0.113.7"})
    assert refused.status_code == 403
    assert "VERIDIC_JUDGES_KEY" in refused.json()["mend"]


def test_a_service_of_a_service_there_is_not(tmp_path: Path) -> None:
    batcher = Batcher(metrics := Metrics())
    with pytest.raises(UsageError, match="elsewhere"):
        judges_app(Settings(judges="http://127.0.0.1:9", cache=tmp_path), batcher, metrics)
    batcher.close()


ONE = [[[0, 1]], [0.5], []]


@pytest.mark.parametrize(
    "body",
    [
        "no JSON",
        "[]",
        '{"told": []}',
        *(
            json.dumps({"fingerprint": OnnxJudge().fingerprint, "told": said})
            for said in ([], [ONE, ONE], [[[[0, 1]], [], []]], [[[], [], []]], [[[[0, 1]], [[1, 2, 3]], []]], [0.5])
        ),
        f'{{"fingerprint": "{OnnxJudge().fingerprint}", "told": [[[[0, 1]], [NaN], []]]}}',
        json.dumps({"fingerprint": "f" * 16, "told": [ONE]}),
    ],
)
def test_an_answer_that_is_no_judgement_is_none(body: str) -> None:
    app = Starlette(routes=[Route("/judge", lambda _: Response(body), methods=["POST"])])
    with at_port(app) as address, asking(address) as endpoint, pytest.raises(JudgeFailed):
        RemoteJudge(JUDGE, endpoint).logits([("a", "b")], "relevance", deadline=NEVER)


def test_a_text_that_cannot_be_sent_is_a_judge_that_failed(endpoint: Endpoint) -> None:
    with pytest.raises(JudgeFailed, match="raised TypeError"):
        RemoteJudge(JUDGE, endpoint).logits([("a", "\ud800")], "relevance", deadline=NEVER)


def test_a_judgement_is_one(tmp_path: Path) -> None:
    body = {"fingerprint": OnnxJudge().fingerprint, "told": [ONE]}
    app = Starlette(routes=[Route("/judge", lambda _: JSONResponse(body), methods=["POST"])])
    with at_port(app) as address, asking(address) as endpoint:
        [found] = RemoteJudge(JUDGE, endpoint).logits([("a", "b")], "relevance", deadline=NEVER)
    assert found.rows.tolist() == [0.5]


def test_a_service_that_is_down_is_told(address: str) -> None:
    with at_port(Starlette()) as gone:
        pass
    with asking(gone) as endpoint, pytest.raises(JudgeFailed, match="raised ConnectError"):
        RemoteJudge(JUDGE, endpoint).logits([("a", "b")], "relevance", deadline=NEVER)


class Dying:
    """An application that answers so many requests and fails all after them."""

    def __init__(self, app: Any) -> None:
        self.app, self.lives, self.asked = app, 1000, 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        dead = Response("gone", 502)
        await (self.app if self.asked <= self.lives else dead)(scope, receive, send)


def test_a_run_whose_service_dies_verifies_nothing(tmp_path: Path) -> None:
    metrics = Metrics()
    batcher = Batcher(metrics, age=0)
    app = Dying(judges_app(Settings(judges="small", cache=tmp_path, threads=1), batcher, metrics))

    def asked(lives: int) -> Result:
        app.lives, app.asked = lives, 0
        judge, reader = RemoteJudge(JUDGE, endpoint), RemoteReader(SHIPPED / "reader", endpoint)
        evaluator, critic = TrainedEvaluator(judge), TrainedCritic(judge)
        world = World(tmp_path / f"{lives}.sqlite", reader=reader, evaluator=evaluator, critic=critic)
        return world.ask(QUESTION, strictness="loose")

    with at_port(app) as address, asking(address) as endpoint:
        healthy = asked(1000)
        assert healthy["outcome"] in VERIFIED
        assert "1932" in healthy["answer"]
        needed = app.asked
        assert needed >= 3
        for lives in range(needed):
            result = asked(lives)
            assert result["outcome"] in ("unverified", "abstained")
            assert any("502" in one["problem"] for one in result["failures"])
    batcher.close()
