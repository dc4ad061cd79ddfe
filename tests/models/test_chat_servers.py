"""Models behind a server: what is sent, what is shown, how each failure is told."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from math import exp
from pathlib import Path
from typing import Any, ClassVar, Literal, TypedDict

import pytest

from tests.fakes.endpoint import Endpoint, Told
from tests.fakes.ollama import ollama_server
from tests.fakes.openai import openai_server
from tests.models.chat_conformance import PROMPT, ask
from veridic.errors import (
    MissingExtra,
    MissingKey,
    ModelBrokeOff,
    ModelError,
    ModelUnavailable,
    PromptTooLong,
    UnknownModel,
)
from veridic.models.chat.adapter import LangChainChat, Limits, _tokens_of
from veridic.models.chat.by_name import describe_chat, open_chat
from veridic.models.chat.providers import OpenAIBackend
from veridic.ports.chat import Reply
from veridic.ports.file_limits import room
from veridic.settings import Settings

KEY = "sk-very-secret"
SERVERS: dict[str, Callable[[], AbstractContextManager[Endpoint]]] = {"ollama": ollama_server, "openai": openai_server}


@pytest.fixture(params=SERVERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(provider: str) -> Iterator[Endpoint]:
    with SERVERS[provider]() as endpoint:
        yield endpoint


@pytest.fixture
def chat(provider: str, server: Endpoint) -> LangChainChat:
    return opened(f"{provider}:tiny", base_url=server.url, api_key=KEY)


def opened(model: str, **given: object) -> LangChainChat:
    chat = open_chat(Settings.load(model=model, **given))
    assert chat is not None
    return chat


def test_the_prompt_is_sent_as_two_messages(chat: LangChainChat, server: Endpoint) -> None:
    ask(chat)
    sent = [(message["role"], message["content"]) for message in server.requests[0]["messages"]]
    assert sent == [("system", PROMPT.system), ("user", PROMPT.user)]


def test_the_limits_are_sent_as_the_provider_names_them(chat: LangChainChat, server: Endpoint, provider: str) -> None:
    ask(chat, max_tokens=24)
    request = server.requests[0]
    if provider == "ollama":
        assert request["options"] == {"num_predict": 24, "temperature": 0.0, "seed": 1, "num_ctx": 4096}
        assert request["think"] is False
    else:
        assert (request["max_tokens"], request["temperature"], request["seed"]) == (24, 0.0, 1)


def test_a_schema_is_sent_as_the_provider_takes_it(chat: LangChainChat, server: Endpoint, provider: str) -> None:
    schema = {"title": "claims", "type": "object"}
    reply = chat.write(PROMPT, max_tokens=2, temperature=0.0, seed=1, deadline=time.time() + 60, schema=schema)
    assert reply.text
    assert not reply.finished
    request = server.requests[0]
    if provider == "ollama":
        assert request["format"] == schema
    else:
        asked = {"type": "json_schema", "json_schema": {"name": "claims", "schema": schema, "strict": True}}
        assert request["response_format"] == asked


def test_the_key_is_sent_and_never_shown(chat: LangChainChat, server: Endpoint) -> None:
    server.status, server.problem = 401, f"Incorrect key: {KEY}"
    with pytest.raises(MissingKey) as caught:
        ask(chat)
    assert server.keys == [f"Bearer {KEY}"]
    assert KEY not in f"{caught.value!s} {caught.value!r} {chat!r} {vars(chat)!r}"


@pytest.mark.parametrize(
    ("status", "problem", "expected"),
    [
        (401, "who are you", MissingKey),
        (403, "not you", MissingKey),
        (404, "what model", UnknownModel),
        (429, "slow down", ModelUnavailable),
        (500, "oh no", ModelUnavailable),
        (503, "loading", ModelUnavailable),
        (400, "This model's maximum context length is 512 tokens", PromptTooLong),
        (400, "no such option", ModelError),
    ],
)
def test_each_status_is_told_apart(
    chat: LangChainChat, server: Endpoint, status: int, problem: str, expected: type[ModelError]
) -> None:
    server.status, server.problem = status, problem
    with pytest.raises(ModelError) as caught:
        ask(chat)
    assert type(caught.value) is expected
    assert caught.value.mend
    assert (problem in str(caught.value)) == (problem == "no such option"), "its own reason where only it knows one"
    assert len(server.requests) == 1, "trying again is the graph's business"


def test_a_stream_that_breaks_off_is_worth_another_try(chat: LangChainChat, server: Endpoint) -> None:
    server.breaks_off = True
    with pytest.raises(ModelBrokeOff):
        ask(chat)


@pytest.mark.parametrize(
    ("status", "problem"), [(402, "pay"), (429, "insufficient_quota"), (400, "Credit balance too low")]
)
def test_no_credit_is_not_too_many_requests(chat: LangChainChat, server: Endpoint, status: int, problem: str) -> None:
    server.status, server.problem = status, problem
    with pytest.raises(ModelError, match="no credit left") as caught:
        ask(chat)
    assert not caught.value.retryable


@pytest.mark.parametrize("when", ["at once", "in mid-stream"])
def test_so_is_a_connection_that_is_reset(
    chat: LangChainChat, server: Endpoint, when: Literal["at once", "in mid-stream"]
) -> None:
    server.resets = when
    with pytest.raises(ModelBrokeOff, match="broke off its reply"):
        ask(chat)


def test_a_server_that_sends_no_stream_is_told_so() -> None:
    with openai_server() as server:
        message = {"role": "assistant", "content": "In 1931."}
        server.raw = [json.dumps({"id": "c1", "object": "chat.completion", "choices": [{"message": message}]})]
        with pytest.raises(ModelError, match=r"sent no stream for openai:tiny.*stream: true"):
            ask(opened("openai:tiny", base_url=server.url, api_key=KEY))


def test_a_stream_that_stalls_ends_at_the_deadline(chat: LangChainChat, server: Endpoint) -> None:
    chat.prepare()
    server.stalls_after = 1
    pieces: list[str] = []
    reply = ask(chat, seconds=1.0, pieces=pieces)
    assert (reply.text, reply.finished, pieces) == ("The bridge", False, ["The bridge"])


def test_a_deadline_that_is_over_asks_nobody(chat: LangChainChat, server: Endpoint) -> None:
    assert not ask(chat, seconds=-1).finished
    assert server.requests == []


def test_a_stream_without_end_ends_at_the_deadline(chat: LangChainChat, server: Endpoint) -> None:
    server.pieces = ["on "] * 1_000_000
    reply = ask(chat, max_tokens=1_000_000, seconds=1.0)
    assert not reply.finished


def test_a_reply_far_longer_than_asked_for_is_cut_and_its_stream_closed(chat: LangChainChat, server: Endpoint) -> None:
    server.pieces, server.keeps_to_limit = ["on and on " * 1_000] * 3_000, False
    pieces: list[str] = []
    reply = ask(chat, max_tokens=96, pieces=pieces)
    assert "far more than the 96 tokens" in reply.problem
    assert not reply.finished
    assert reply.text == "".join(pieces).rstrip()
    assert len(reply.text) <= room(96)
    assert server.left.wait(30)
    assert server.sent < 3_000


def test_a_line_without_end_is_not_waited_for(
    chat: LangChainChat, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.models.chat.wire.MOST_BYTES", 1_000_000)
    server.raw = ["on and on " * 10_000] * 500
    with pytest.raises(ModelError, match=r"sent more than 1 MB in one reply.*max_tokens"):
        ask(chat)
    assert server.left.wait(30)


def test_thinking_without_end_is_cut_too(chat: LangChainChat, server: Endpoint) -> None:
    server.pieces, server.keeps_to_limit = ["<think>", *["on and on " * 1_000] * 3_000], False
    reply = ask(chat, max_tokens=96)
    assert reply.text == ""
    assert "far more" in reply.problem
    assert server.left.wait(30)


def test_pieces_without_text_are_counted_too(
    chat: LangChainChat, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("veridic.models.chat.adapter.THOUGHT", 100)
    server.pieces, server.keeps_to_limit = [""] * 100_000, False
    assert "far more" in ask(chat, max_tokens=96, seconds=600).problem


def test_thinking_is_counted_and_not_shown(chat: LangChainChat, server: Endpoint) -> None:
    server.pieces = ["<th", "ink>Let me see", ".</thi", "nk>\n\nIn 1931", ". "]
    pieces: list[str] = []
    reply = ask(chat, pieces=pieces)
    assert (reply.text, "".join(pieces)) == ("In 1931.", "In 1931.")
    assert reply.completion_tokens > len(reply.text) // 4


class TestProbabilities:
    """Told of every token, asked for only where they are of use, and done without where a server has none."""

    SAID: ClassVar[list[Told]] = [
        ("In", {"In": 0.5, "At": 0.25}),
        (" 1931", {" 1931": 0.1, " 1932": 0.7}),
        (".", {}),
    ]

    @pytest.fixture
    def server(self, provider: str) -> Iterator[Endpoint]:
        with SERVERS[provider]() as endpoint:
            endpoint.writes = lambda _: self.SAID
            yield endpoint

    def reply_of(self, chat: LangChainChat, *, probabilities: bool = True) -> Reply:
        how: Any = {"max_tokens": 24, "temperature": 0.0, "seed": 1, "deadline": time.time() + 60}
        return chat.write(PROMPT, **how, probabilities=probabilities)

    def test_those_of_what_could_have_stood_there_too(self, chat: LangChainChat) -> None:
        reply = self.reply_of(chat)
        assert reply.text == "In 1931."
        assert [token.text for token in reply.tokens] == ["In", " 1931", "."]
        assert [round(exp(token.logprob), 6) for token in reply.tokens] == [0.5, 0.1, 1.0]
        others = reply.tokens[1].others.items()
        assert {text: round(exp(one), 6) for text, one in others} == {" 1931": 0.1, " 1932": 0.7}

    def test_nobody_asks_for_them_unless_told_to(self, chat: LangChainChat, server: Endpoint) -> None:
        assert self.reply_of(chat, probabilities=False).tokens == ()
        assert not server.requests[0].get("logprobs")
        self.reply_of(chat)
        assert (server.requests[1]["logprobs"], server.requests[1]["top_logprobs"]) == (True, 20)

    def test_a_server_that_tells_none_writes_all_the_same(self, chat: LangChainChat, server: Endpoint) -> None:
        server.tells_probabilities = False
        assert (self.reply_of(chat).text, self.reply_of(chat).tokens) == ("In 1931.", ())

    def test_a_server_that_refuses_them_is_asked_without_and_not_again(
        self, chat: LangChainChat, server: Endpoint
    ) -> None:
        server.tells_probabilities = None
        assert (self.reply_of(chat).text, chat.tells_probabilities) == ("In 1931.", False)
        assert [bool(one.get("logprobs")) for one in server.requests] == [True, False]

    def test_those_of_thinking_are_left_out(self, chat: LangChainChat, server: Endpoint) -> None:
        server.writes = lambda _: [("<think>", {}), ("Hm", {"Hm": 0.01}), ("</think>", {}), *self.SAID]
        assert [token.text for token in self.reply_of(chat).tokens] == ["In", " 1931", "."]

    @pytest.mark.parametrize("logprob", [-9999.0, 0.5])
    def test_what_is_no_probability_is_bounded(self, logprob: float) -> None:
        [token] = _tokens_of({"content": [{"token": "In", "logprob": logprob}]})
        assert 0.0 <= exp(token.logprob) <= 1.0


@pytest.mark.parametrize(
    "told",
    [
        None,
        "yes",
        {"tokens": ["In"], "token_logprobs": [-0.1]},
        {"content": [{"token": "In"}]},
        {"content": [{"token": "In", "logprob": float("nan")}]},
        [{"token": "In", "logprob": -0.1, "top_logprobs": "none"}],
    ],
)
def test_probabilities_in_another_form_are_none(told: object) -> None:
    assert list(_tokens_of(told)) == []


def test_a_trained_model_is_left_its_special_tokens() -> None:
    with openai_server() as server:
        server.models = ["selfrag-7b", "tiny"]
        for name in server.models:
            ask(opened(f"openai:{name}", base_url=server.url))
        assert [one.get("skip_special_tokens") for one in server.requests] == [False, None]


def test_reasoning_models_of_openai_are_not_asked_for_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    limits = Limits(24, 0.0, 1, 10, probabilities=True)
    asked = {name: OpenAIBackend(name, Settings.load(api_key=KEY)).arguments(limits) for name in ("o3-mini", "gpt-4o")}
    assert {name: "logprobs" in told for name, told in asked.items()} == {"o3-mini": False, "gpt-4o": True}


def test_thinking_that_never_ends_leaves_nothing(chat: LangChainChat, server: Endpoint) -> None:
    server.pieces = ["<think>", "on ", "and ", "on"]
    assert ask(chat, max_tokens=3).text == ""


def test_nothing_is_asked_before_it_must_be(chat: LangChainChat, server: Endpoint) -> None:
    chat.prepare()
    assert server.requests == []


def test_the_graphs_message_stream_does_not_carry_its_calls(chat: LangChainChat) -> None:
    from langgraph.graph import END, START, StateGraph

    class Words(TypedDict):
        text: str

    graph = StateGraph(Words)
    graph.add_node("write", lambda _: {"text": ask(chat).text})
    graph.add_edge(START, "write")
    graph.add_edge("write", END)
    streamed = list(graph.compile().stream({"text": ""}, stream_mode=["messages", "values"]))
    assert [mode for mode, _ in streamed] == ["values", "values"]


def test_nobody_there(provider: str, server: Endpoint) -> None:
    chat = opened(f"{provider}:tiny", base_url="http://127.0.0.1:9/v1")
    for called in (chat.prepare, lambda: ask(chat)):
        with pytest.raises(ModelUnavailable, match="ollama serve" if provider == "ollama" else "VERIDIC_BASE_URL"):
            called()


def test_what_a_proxy_reaches_is_not_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    opened("openai:tiny", base_url="http://models.invalid/v1").prepare()


def test_a_model_ollama_does_not_have() -> None:
    with ollama_server() as server, pytest.raises(UnknownModel, match="ollama pull big"):
        ask(opened("ollama:big", base_url=server.url))


def test_a_long_prompt_gets_a_window_that_holds_it() -> None:
    from veridic.ports.chat import Prompt

    with ollama_server() as server:
        chat = opened("ollama:tiny", base_url=server.url)
        chat.write(Prompt("", "word " * 8000), max_tokens=9, temperature=0, seed=1, deadline=time.time() + 60)
        assert server.requests[0]["options"]["num_ctx"] == 16384


@pytest.mark.parametrize("name", ["foo:bar", "foo", "", "openai:", "ollama: "])
def test_a_name_that_is_no_models(name: str) -> None:
    with pytest.raises(UnknownModel, match="embedded, extractive, ollama:NAME"):
        open_chat(Settings.load(model=name))


@pytest.mark.parametrize(("name", "meant"), [("embedded:x", "embedded"), ("extractiv", "extractive")])
def test_a_misspelt_model_is_met_with_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(UnknownModel, match=rf"Did you mean {meant}\?"):
        open_chat(Settings.load(model=name))


def test_extractive_is_no_model() -> None:
    assert open_chat(Settings.load(model="extractive")) is None


def test_a_key_that_is_missing() -> None:
    with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
        ask(opened("openai:gpt-4o-mini"))


def test_an_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(MissingExtra, match=r"veridic\[anthropic\]"):
        ask(opened("anthropic:claude", api_key=KEY))


@pytest.mark.parametrize(
    ("name", "trusted"),
    [
        ("ollama:llama3.2:3b", True),
        ("ollama:qwen2.5:0.5b", False),
        ("ollama:smollm2:135m", False),
        ("openai:Qwen/Qwen2.5-0.5B-Instruct", False),
        ("openai:gpt-4o-mini", True),
    ],
)
def test_small_models_are_not_trusted_with_instructions(name: str, *, trusted: bool) -> None:
    assert opened(name).follows_instructions is trusted


@pytest.mark.parametrize(
    ("file", "trusted"), [("qwen2.5-coder-0.5b-instruct-q8_0.gguf", False), ("Qwen2.5-Coder-1.5B-Q4_K_M.gguf", True)]
)
def test_so_are_weights_of_ones_own_by_the_name_of_their_file(tmp_path: Path, file: str, *, trusted: bool) -> None:
    (tmp_path / file).write_bytes(b"GGUF, and weights")
    chosen = Settings.load(model="embedded", weights=tmp_path / file)
    chat = open_chat(chosen)
    assert chat
    assert chat.follows_instructions is trusted
    assert describe_chat(chosen)[1].endswith(f"follows instructions: {'yes' if trusted else 'no'}")


@pytest.mark.parametrize(("said", "trusted"), [("yes", True), ("no", False)])
@pytest.mark.parametrize("model", ["embedded", "openai:gpt-5", "ollama:smollm2"])
def test_the_settings_have_the_last_word(model: str, said: Any, *, trusted: bool) -> None:
    chat = open_chat(Settings.load(model=model, follows_instructions=said))
    assert chat
    assert chat.follows_instructions is trusted


class TestDoctor:
    def test_a_server_that_has_the_model(self, provider: str, server: Endpoint) -> None:
        usable, text = describe_chat(Settings.load(model=f"{provider}:tiny", base_url=server.url, api_key=KEY))
        assert usable
        assert server.url in text
        assert KEY not in text

    def test_nobody_there(self, provider: str) -> None:
        settings = Settings.load(model=f"{provider}:tiny", base_url="http://user:pass@127.0.0.1:9/v1")
        usable, text = describe_chat(settings)
        assert not usable
        assert "does not answer" in text
        assert "pass" not in text

    def test_a_model_ollama_does_not_have(self) -> None:
        with ollama_server() as server:
            usable, text = describe_chat(Settings.load(model="ollama:big", base_url=server.url))
        assert not usable
        assert "ollama pull big" in text

    def test_a_key_that_is_refused(self) -> None:
        with openai_server() as server:
            server.status = 401
            usable, text = describe_chat(Settings.load(model="openai:tiny", base_url=server.url, api_key=KEY))
        assert not usable
        assert "VERIDIC_API_KEY" in text

    @pytest.mark.parametrize(("model", "usable"), [("extractive", True), ("foo:bar", False), ("openai:x", False)])
    def test_what_needs_no_asking(self, model: str, *, usable: bool) -> None:
        assert describe_chat(Settings.load(model=model))[0] is usable

    def test_weights_that_are_not_here_yet(self, tmp_path: object) -> None:
        usable, text = describe_chat(Settings.load(model="embedded", cache=tmp_path))
        assert not usable
        assert "93 MB" in text
