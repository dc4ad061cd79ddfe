"""Checkers and rerankers of text-embeddings-inference, over a server that answers as it is documented to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.fakes.tei import Tei, by_chance
from tests.models.hub_conformance import LONG, PAIRS, HubConformance
from tests.models.judge_conformance import NEVER, CriticConformance
from tests.served.judging import asking, at_port, forget_endpoints
from veridic.errors import CalibrationMismatch, DeadlineExceeded, JudgeFailed, NotUsable, UnknownModel
from veridic.graph.usable import look_at_judges
from veridic.models.by_settings import open_judges
from veridic.models.judges_by_name import judge_named
from veridic.models.opened import HUB
from veridic.models.scorers import TrainedCritic
from veridic.models.tei import TeiScorer
from veridic.models.trial import shipped_pairs
from veridic.ports.judging import Critic
from veridic.settings import Settings

NAMES = {2: ("entailment", "not_entailment"), 3: ("entailment", "neutral", "contradiction")}
TWO = {"0": "not_entailment", "1": "entailment"}
KEY = "a-key-that-nobody-guesses-0123456789"


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """What is opened in a test and closed after it."""
    with ExitStack() as opened:
        yield opened


@pytest.fixture(autouse=True)
def nothing_is_open() -> Iterator[None]:
    HUB.clear()
    yield
    forget_endpoints()


def asked_at(server: Tei, stack: ExitStack, key: str = "") -> TeiScorer:
    return TeiScorer(stack.enter_context(asking(stack.enter_context(at_port(server.app)), key)))


class TestTwoLabels(HubConformance):
    @pytest.fixture(autouse=True)
    def _closing(self, stack: ExitStack) -> None:
        self.stack = stack

    def scorer(self, folder: Path, labels: tuple[int | str, ...]) -> TeiScorer:
        """A server whose labels have these numbers, the yes first."""
        names = {str(number): name for number, name in zip(labels, NAMES[len(labels)], strict=True)}
        return asked_at(Tei(by_chance(len(labels)), names), self.stack)


class TestThreeLabels(TestTwoLabels):
    labels = (2, 0, 1)
    two_way = False


TRUE = [(one.first, one.second) for one in shipped_pairs() if one.label]


def knowing(texts: Sequence[str]) -> list[float]:
    """Two logits that tell the trial's pairs apart, of which a part may be asked."""
    held = any(second == texts[1] and texts[0] in first for first, second in TRUE)
    return [0.0, (3.0 if held else -3.0) + by_chance(1)(texts)[0] / 8]


class TestCritic(CriticConformance):
    @pytest.fixture
    def subject(self, stack: ExitStack, tmp_path: Path) -> Critic:
        server = Tei(knowing, TWO)
        server.limit, server.most = 512, 32
        address = stack.enter_context(at_port(server.app))
        return open_judges(Settings(critic=f"tei:{address}", cache=tmp_path))[1]


def test_a_reranker_is_asked_by_the_query_and_calibrates_itself(stack: ExitStack, tmp_path: Path) -> None:
    held = {(first, second) for first, second in TRUE}
    server = Tei(lambda pair: [2.0 if tuple(pair) in held else by_chance(1)(pair)[0] / 4], {"0": "LABEL_0"}, "reranker")
    server.limit = 512
    address = stack.enter_context(at_port(server.app))
    evaluator, _ = open_judges(Settings(evaluator=f"tei:{address}", cache=tmp_path))
    assert evaluator.gates
    server.asked.clear()
    asked = [("Who?", "Anna."), ("When?", "In May."), ("Who?", "Ben.")]
    found = evaluator.score(asked, deadline=NEVER)
    ranked = [body for path, body in server.asked if path == "/rerank"]
    assert [(one["query"], one["texts"]) for one in ranked] == [("Who?", ["Anna.", "Ben."]), ("When?", ["In May."])]
    alone = [evaluator.score([pair], deadline=NEVER)[0] for pair in asked]
    assert found == alone
    tried = judge_named(f"tei:{address}", Settings(cache=tmp_path))
    assert tried.critic is None
    assert tried.evaluator
    assert tried.evaluator.fingerprint == evaluator.fingerprint


def test_a_known_checker_is_asked_in_its_own_words(stack: ExitStack) -> None:
    server = Tei(by_chance(2), {"0": "LABEL_0", "1": "LABEL_1"})
    server.model = "yaxili96/FactCG-DeBERTa-v3-Large"
    scorer = asked_at(server, stack)
    [found] = scorer.logits([("The tower is red.", "It is red.")], "nli", deadline=NEVER)
    [inputs] = [body["inputs"] for path, body in server.asked if path == "/predict"]
    [[text]] = inputs
    assert text.startswith("The tower is red.\n\nChoose your answer")
    no, yes = by_chance(2)([text])
    assert found.rows[0, 0] - found.rows[0, 1] == pytest.approx(yes - no)


def test_nothing_is_sent_in_larger_batches_than_are_taken(stack: ExitStack) -> None:
    server = Tei(by_chance(2), TWO)
    server.most = 3
    found = asked_at(server, stack).logits([*PAIRS, (LONG, "It is old.")], "nli", deadline=NEVER)
    assert len(found) == len(PAIRS) + 1
    assert max(len(body["inputs"]) for path, body in server.asked if path == "/predict") == 3


@pytest.mark.parametrize(
    ("kind", "labels"), [("embedding", {}), ("classifier", {"0": "joy", "1": "anger"})], ids=["embedder", "feelings"]
)
def test_a_model_that_judges_nothing_is_refused(stack: ExitStack, kind: str, labels: dict[str, str]) -> None:
    scorer = asked_at(Tei(by_chance(2), labels, kind), stack)
    assert not TrainedCritic(scorer).gates
    with pytest.raises(UnknownModel):
        scorer.logits([("a", "b")], "nli", deadline=NEVER)


def test_a_key_is_sent_and_a_wrong_one_told_nowhere(stack: ExitStack) -> None:
    server = Tei(by_chance(2), TWO, key=KEY)
    assert asked_at(server, stack, KEY).logits([("a", "b")], "nli", deadline=NEVER)
    with pytest.raises(JudgeFailed, match="refuses \\(401\\)") as raised:
        asked_at(server, stack, "wrong-key-0123456789").logits([("a", "b")], "nli", deadline=NEVER)
    assert "0123456789" not in str(raised.value)


def test_whatever_fails_is_a_judge_that_failed(stack: ExitStack) -> None:
    server = Tei(by_chance(2), TWO)
    scorer = asked_at(server, stack)
    assert scorer.logits([("a", "b")], "nli", deadline=NEVER)
    server.fails = "overloaded"
    with pytest.raises(JudgeFailed, match="refuses \\(429\\): Model is overloaded"):
        scorer.logits([("c", "d")], "nli", deadline=NEVER)
    with pytest.raises(DeadlineExceeded):
        scorer.logits([("a", "b")], "nli", deadline=1.0)
    server.fails, server.logits = "", lambda _texts: [float("nan"), 0.0]
    with pytest.raises(JudgeFailed):
        scorer.logits([("e", "f")], "nli", deadline=NEVER)


def test_another_model_at_the_same_address_is_refused(stack: ExitStack) -> None:
    server = Tei(by_chance(2), TWO)
    scorer = asked_at(server, stack)
    assert scorer.logits([("a", "b")], "nli", deadline=NEVER)
    server.model = "somebody/other"
    with pytest.raises(CalibrationMismatch, match="another model"):
        scorer.logits([("a", "b")], "nli", deadline=NEVER)


def test_a_server_that_is_down_at_first_gates_when_it_is_up(stack: ExitStack, tmp_path: Path) -> None:
    server = Tei(knowing, TWO, key=KEY)
    server.limit = 512
    settings = Settings(critic=f"tei:{stack.enter_context(at_port(server.app))}", cache=tmp_path)
    _, critic = open_judges(settings)
    assert not critic.gates
    assert critic.fingerprint == ""
    server.key = ""
    assert critic.gates
    assert len(critic.fingerprint) == 16


def test_a_graph_takes_one_by_its_address() -> None:
    look_at_judges({"critic": "tei:http://127.0.0.1:9"})
    with pytest.raises(NotUsable):
        look_at_judges({"critic": "http://127.0.0.1:9"})
