"""The scripted fake and the adapters for servers keep the same promises."""

from collections.abc import Iterator
from math import log
from time import time
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.fake_chat_models import FakeListChatModel, GenericFakeChatModel
from langchain_ollama import ChatOllama
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from tests.fakes.chat import ScriptedChat
from tests.fakes.langchain import LimitedChat, StreamingChat
from tests.fakes.ollama import ollama_server
from tests.fakes.openai import openai_server
from tests.models.chat_conformance import PROMPT, ChatConformance, ask
from veridic.models.chat.by_name import open_chat
from veridic.models.chat.handed import handed_chat
from veridic.ports.chat import ChatModel
from veridic.settings import Settings


class TestScripted(ChatConformance):
    @pytest.fixture
    def chat(self) -> ChatModel:
        return ScriptedChat(always="The bridge opened in 1931.")


class TestOllama(ChatConformance):
    @pytest.fixture
    def chat(self) -> Iterator[ChatModel | None]:
        with ollama_server() as server:
            yield open_chat(Settings.load(model="ollama:tiny", base_url=server.url))


class TestOpenAI(ChatConformance):
    @pytest.fixture
    def chat(self) -> Iterator[ChatModel | None]:
        with openai_server() as server:
            yield open_chat(Settings.load(model="openai:tiny", base_url=server.url))


class TestHandedInWithoutLimits(ChatConformance):
    @pytest.fixture
    def chat(self) -> ChatModel:
        return handed_chat(StreamingChat(), Settings.load())


class TestHandedInWithLimits(ChatConformance):
    @pytest.fixture
    def chat(self) -> ChatModel:
        return handed_chat(LimitedChat(), Settings.load())


class TestHandedInOllama(ChatConformance):
    @pytest.fixture
    def chat(self) -> Iterator[ChatModel]:
        with ollama_server() as server:
            yield handed_chat(ChatOllama(model="tiny", base_url=server.url), Settings.load())


class TestHandedInOpenAI(ChatConformance):
    @pytest.fixture
    def chat(self) -> Iterator[ChatModel]:
        with openai_server() as server:
            yield handed_chat(ChatOpenAI(model="tiny", base_url=server.url, api_key=SecretStr("k")), Settings.load())


def test_a_model_that_is_handed_in_tells_probabilities_where_it_has_fields_for_them() -> None:
    with openai_server() as server:
        server.writes = lambda _: [("Yes", {"Yes": 0.5})]
        chat = handed_chat(ChatOpenAI(model="tiny", base_url=server.url, api_key=SecretStr("k")), Settings.load())
        how: Any = {"max_tokens": 4, "temperature": 0.0, "seed": 1, "deadline": time() + 60, "probabilities": True}
        [token] = chat.write(PROMPT, **how).tokens
        assert (token.text, token.logprob) == ("Yes", pytest.approx(log(0.5)))
    assert handed_chat(StreamingChat(), Settings.load()).write(PROMPT, **how).tokens == ()


@pytest.mark.parametrize(
    "model", [FakeListChatModel(responses=["Yes."]), GenericFakeChatModel(messages=iter(["Yes."]))]
)
def test_langchains_own_fakes_will_do(model: BaseChatModel) -> None:
    assert ask(handed_chat(model, Settings.load())).text == "Yes."
