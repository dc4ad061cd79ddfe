"""A server that speaks as a model trained as Self-RAG: its probabilities are the scores, its tokens are nowhere shown.

The model is behind real HTTP, as it is served; what it says to each prompt is written here.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.fakes.endpoint import Endpoint, Told
from tests.fakes.openai import openai_server
from tests.graph.world import World
from veridic.graph.builder import build_graph
from veridic.graph.systems import SYSTEMS
from veridic.models.chat.by_name import open_chat
from veridic.models.chat.handed import handed_chat
from veridic.ports.method import Method
from veridic.ports.shapes import Result
from veridic.settings import Settings

HOW = "How was the Alder Bridge opened and what became of the toll?"
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
SECOND = "The toll was abolished in 1967 after a strike of the ferrymen."
TOKENS = ("[Retrieval]", "[No Retrieval]", "[Relevant]", "[Fully supported]", "[Utility:", "</s>", "<paragraph>")
Says = Callable[[str], list[Told]]
Ran = tuple[list[str], Result]


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with openai_server() as endpoint:
        endpoint.models = ["selfrag-7b"]
        yield endpoint


@pytest.fixture
def world(tmp_path: Path, server: Endpoint) -> World:
    return World(tmp_path / "kb.sqlite", chat=open_chat(Settings.load(model="openai:selfrag-7b", base_url=server.url)))


def need(share: float) -> list[Told]:
    """That evidence is needed, with this probability."""
    likelier = "[Retrieval]" if share > 0.5 else "[No Retrieval]"
    return [(likelier, {"[Retrieval]": share, "[No Retrieval]": 1 - share})]


def written(text: str, *, supported: float = 0.8) -> list[Told]:
    """A sentence with its tokens, as probable as they come."""
    words = [(word if number == 0 else f" {word}", {}) for number, word in enumerate(text.split())]
    ended = [
        ("[Fully supported]", {"[Fully supported]": supported, "[No support / Contradictory]": 1 - supported}),
        ("[Utility:5]", {"[Utility:5]": 0.5, "[Utility:1]": 0.5}),
        ("</s>", {}),
    ]
    return [("[Relevant]", {"[Relevant]": 0.75, "[Irrelevant]": 0.25}), *words, *ended]


def speaking(server: Endpoint, decides: Says, writes: Says) -> None:
    """Let the server answer a prompt that ends with what is written so far, and one that ends with a passage."""

    def said(request: dict[str, Any]) -> list[Told]:
        prompt = request["messages"][-1]["content"]
        response = prompt.partition("### Response:")[2]
        given = response.endswith(("</paragraph>", "[No Retrieval]"))
        return writes(response) if given else decides(response)

    server.writes = said


def ask(world: World, question: str, *, method: Method = Method(), **choices: Any) -> Ran:  # noqa: B008 - frozen
    graph = build_graph(world.resources(), system="self_rag", method=method)
    context = SYSTEMS["self_rag"].schema(**{"passages": 1, **choices})
    state = graph.invoke({"question": question}, context=context)
    return state["result"]["path"], state["result"]


def test_the_scores_are_means_over_the_probabilities_of_the_tokens(world: World, server: Endpoint) -> None:
    speaking(server, lambda _: need(0.9), lambda _: written(TRUE))
    _, result = ask(world, "When was the Alder Bridge opened?")
    [candidate] = result["candidates"]
    assert candidate["relevance"] == pytest.approx(0.75)
    assert candidate["support"] == pytest.approx(0.8)
    assert candidate["usefulness"] == pytest.approx(0.5)
    # f of equation 4 over its weights: P(segment) = 1, ISUSE = 0 on the scale of -1 to 1, moved to 0.5
    assert candidate["score"] == pytest.approx((1.0 + 0.75 + 0.8 + 0.5) / 4)
    assert result["analysis"]["need"] == pytest.approx(0.9)


def test_of_a_server_that_tells_no_probabilities_the_tokens_count_as_they_are(world: World, server: Endpoint) -> None:
    server.tells_probabilities = False
    speaking(server, lambda _: need(0.9), lambda _: written(TRUE))
    [candidate] = ask(world, "When was the Alder Bridge opened?")[1]["candidates"]
    assert (candidate["relevance"], candidate["support"], candidate["usefulness"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(("share", "retrieves"), [(0.3, True), (0.1, False)])
def test_a_threshold_is_held_against_the_probability_and_not_against_what_was_written(
    world: World, server: Endpoint, share: float, retrieves: bool
) -> None:
    speaking(server, lambda _: need(share), lambda _: written(TRUE))
    path, _ = ask(world, "When was the Alder Bridge opened?", method=Method(retrieve_from=0.2))
    assert ("retrieve" in path) is retrieves


def test_before_each_sentence_is_decided_anew_and_the_last_one_leads_the_search(world: World, server: Endpoint) -> None:
    """The edges decide - retrieve and grade_segments - decide, twice."""
    speaking(
        server,
        lambda so_far: need(0.9) if len(so_far) < len(TRUE + SECOND) else need(0.0),
        lambda so_far: written(SECOND if TRUE in so_far.partition("[Retrieval]")[0] else TRUE),
    )
    path, result = ask(world, HOW, method=Method(segments=2))
    round_of = ["decide", "retrieve", "evaluate", "write_segments", "grade_segments"]
    assert path == ["analyze", *round_of, *round_of, "finish"]
    assert result["queries"][-1] == f"{HOW} {TRUE}"
    assert (result["outcome"], result["answer"]) == ("accepted", f"{TRUE} {SECOND}")


def test_what_is_at_hand_may_do_for_the_next_sentence(world: World, server: Endpoint) -> None:
    """The edge decide - write_segments."""
    speaking(
        server,
        lambda so_far: need(0.0) if TRUE in so_far else need(0.9),
        lambda so_far: written(SECOND if TRUE in so_far.partition("[Retrieval]")[0] else TRUE),
    )
    path, result = ask(world, HOW, method=Method(segments=2))
    assert path.count("retrieve") == 1
    assert [path[at + 1] for at, node in enumerate(path) if node == "decide"] == ["retrieve", "write_segments"]
    assert result["answer"] == f"{TRUE} {SECOND}"


def test_an_answer_begun_without_evidence_may_want_it_later(world: World, server: Endpoint) -> None:
    begun = "It is a fine bridge."
    speaking(
        server,
        lambda so_far: need(0.9) if begun in so_far else need(0.0),
        lambda so_far: written(TRUE) if "<paragraph>" in so_far else written(begun),
    )
    path, result = ask(world, HOW, method=Method(segments=2))
    assert [path[at + 1] for at, node in enumerate(path) if node == "decide"] == ["write_segments", "retrieve"]
    assert result["answer"] in (TRUE, f"{begun} {TRUE}")
    assert {one["text"]: one["verdict"] for one in result["sentences"]}[TRUE] == "supported"


@pytest.mark.parametrize(("retrieval", "times"), [("always", 2), ("never", 0)])
def test_a_run_may_settle_it_for_each_sentence(world: World, server: Endpoint, retrieval: str, times: int) -> None:
    speaking(
        server,
        lambda _: pytest.fail("nothing is to be decided"),
        lambda so_far: written(SECOND if TRUE in so_far.partition("[Retrieval]")[0] else TRUE),
    )
    path, _ = ask(world, HOW, retrieval=retrieval, method=Method(segments=2))
    assert path.count("retrieve") == times


def test_a_model_that_fails_in_mid_answer_goes_on_with_what_is_at_hand(world: World, server: Endpoint) -> None:
    def said(request: dict[str, Any]) -> list[Told]:
        server.status = 503 if len(server.requests) == 2 else 200
        return written(TRUE) if request["messages"][-1]["content"].endswith("</paragraph>") else need(0.9)

    server.writes = said
    path, result = ask(world, HOW, method=Method(segments=2))
    assert "decide" in {failure["node"] for failure in result["failures"]}
    assert path[path.index("decide", 3) + 1] == "write_segments"
    assert TRUE in result["answer"]


def leaks(told: object) -> list[str]:
    """The reflection tokens that stand in it."""
    text = json.dumps(told, default=repr)
    return [token for token in TOKENS if token in text]


@pytest.mark.parametrize("handed", [False, True])
@pytest.mark.parametrize("system", ["self_rag", "veridic", "standard_rag", "hybrid_self_rag", "adaptive"])
def test_no_stream_of_a_graph_carries_a_token(world: World, server: Endpoint, system: str, handed: bool) -> None:
    """Through every mode that a client may choose, pieces of drafts among them; of every system that writes."""
    server.writes = lambda _: [*need(0.9), *written(TRUE)]
    if handed:
        model = ChatOpenAI(model="selfrag-7b", base_url=server.url, api_key=SecretStr("k"))
        world.chat = handed_chat(model, Settings.load())
    graph = build_graph(world.resources(), system=system)
    modes = ["custom", "messages", "updates", "values", "debug"]
    found = list(graph.stream({"question": "hello, what is the Alder Bridge?"}, stream_mode=modes))
    assert server.requests
    assert leaks(found) == []
    drafts = "".join(item["text"] for mode, item in found if mode == "custom" and item["event"] == "token")
    assert system == "self_rag" or TRUE in drafts


class TestDoubt:
    """A sentence that is doubted is looked for and written again from what was found: by the critic, or as in FLARE."""

    QUESTION = "When was the Alder Bridge opened?"
    OLD = "When was the Alder Bridge opened? In a year of old."
    FOUND = "In spring 1932 Emil Stark held the speech when Clara Voss opened the Alder Bridge."
    WRONG = "Emil Stark held the speech in spring 1955."

    @pytest.fixture
    def server(self) -> Iterator[Endpoint]:
        with openai_server() as endpoint:
            yield endpoint

    @pytest.fixture
    def world(self, tmp_path: Path, server: Endpoint) -> World:
        settings = Settings.load(model="openai:tiny", base_url=server.url, follows_instructions="yes")
        texts = {"Alder Bridge": self.OLD, "Speeches": self.FOUND}
        return World(tmp_path / "kb.sqlite", texts=texts, chat=open_chat(settings))

    def told(self, text: str, word: str = "", share: float = 0.2) -> list[Told]:
        """A text whose one word has this probability."""
        words = [one if number == 0 else f" {one}" for number, one in enumerate(text.split())]
        return [(one, {one: share} if one.strip(" .") == word else {one: 0.99}) for one in words]

    def writes(self, server: Endpoint, doubted: list[Told], then: list[Told]) -> None:
        """Let the server write one thing from the old passage, another from the one that is looked for."""
        server.writes = lambda request: then if "speech" in request["messages"][-1]["content"] else doubted

    def test_a_sentence_with_an_improbable_word_is_looked_for_without_it(self, world: World, server: Endpoint) -> None:
        self.writes(server, self.told(self.WRONG, "1955"), self.told(self.FOUND))
        path, result = ask(world, self.QUESTION, method=Method(trigger="confidence"))
        assert path.count("retrieve") == 2
        assert result["queries"][-1] == f"{self.QUESTION} Emil Stark held the speech in spring"
        assert (result["outcome"], result["answer"], result["retries"]) == ("accepted", self.FOUND, 0)

    @pytest.mark.parametrize(("least", "times"), [(0.1, 1), (0.4, 2)])
    def test_from_what_probability_a_word_is_sure_is_a_number_of_the_method(
        self, world: World, server: Endpoint, least: float, times: int
    ) -> None:
        said = self.told("In a year of old.", "year")
        self.writes(server, said, said)
        path, _ = ask(world, self.QUESTION, method=Method(trigger="confidence", sure_from=least, segments=1))
        assert path.count("retrieve") == times

    def test_a_server_that_tells_no_probabilities_is_not_doubted_by_them(self, world: World, server: Endpoint) -> None:
        server.tells_probabilities = None
        self.writes(server, self.told(self.WRONG, "1955"), self.told(self.FOUND))
        path, result = ask(world, self.QUESTION, method=Method(trigger="confidence", segments=1))
        assert path.count("retrieve") == 1
        assert [one["problem"] for one in result["failures"]] == ["openai:tiny tells no probabilities."]

    def test_by_default_the_critic_doubts_and_nobody_asks_for_probabilities(
        self, world: World, server: Endpoint
    ) -> None:
        self.writes(server, self.told(self.WRONG, "1955"), self.told(self.FOUND))
        path, result = ask(world, self.QUESTION)
        assert [path[at + 1] for at, node in enumerate(path) if node == "decide"] == ["retrieve", "retrieve"]
        assert result["queries"][-1] == f"{self.QUESTION} {self.WRONG}"
        assert (result["outcome"], result["answer"], result["retries"]) == ("accepted", self.FOUND, 0)
        assert not any(request.get("logprobs") for request in server.requests)

    def test_what_is_supported_is_not_doubted_by_the_critic_however_improbable(
        self, world: World, server: Endpoint
    ) -> None:
        self.writes(server, self.told("In a year of old.", "year"), [])
        assert ask(world, self.QUESTION)[0].count("retrieve") == 1

    def test_from_the_passages_that_gave_the_doubted_sentence_it_is_not_written_again(
        self, world: World, server: Endpoint
    ) -> None:
        world.texts = {"Alder Bridge": self.OLD}
        self.writes(server, self.told(self.WRONG), [])
        path, result = ask(world, self.QUESTION)
        assert path.count("retrieve") == 2
        assert len(server.requests) == 1
        assert (result["outcome"], result["answer"]) == ("unverified", self.WRONG)

    @pytest.mark.parametrize("trigger", ["critic", "confidence"])
    def test_a_writer_that_is_always_doubted_comes_to_an_end(
        self, world: World, server: Endpoint, trigger: Any
    ) -> None:
        counted = iter(range(1000))
        server.writes = lambda _: self.told(f"Emil Stark built part {next(counted)} of it.", "Stark", 0.1)
        method = Method(trigger=trigger, segments=10)
        path, result = ask(world, HOW, method=method, call_budget=1000, max_retries=5)
        assert result["outcome"] == "unverified"
        assert path.count("write_segments") <= 2 * 10 + 5
