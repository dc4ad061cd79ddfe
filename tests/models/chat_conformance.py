"""What every chat model must do, whoever makes it; each adapter's test class inherits it."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from veridic.ports.chat import ChatModel, Prompt, Reply

PROMPT = Prompt("You answer in one sentence.", "The bridge opened in 1931. When did the bridge open?")


def ask(chat: ChatModel, *, max_tokens: int = 24, seconds: float = 60.0, pieces: list[str] | None = None) -> Reply:
    heard = [] if pieces is None else pieces
    deadline = time.time() + seconds
    return chat.write(PROMPT, max_tokens=max_tokens, temperature=0.0, seed=1, deadline=deadline, on_token=heard.append)


class ChatConformance:
    @pytest.fixture
    def chat(self) -> ChatModel:
        raise NotImplementedError

    def test_it_has_a_name(self, chat: ChatModel) -> None:
        assert chat.name
        assert isinstance(chat.follows_instructions, bool)

    def test_what_is_ready_is_not_fetched_again(self, chat: ChatModel) -> None:
        chat.prepare()
        told: list[tuple[int, int]] = []
        chat.prepare(lambda done, total: told.append((done, total)))
        assert told == []

    def test_it_writes_a_reply(self, chat: ChatModel) -> None:
        reply = ask(chat)
        assert reply.text
        assert reply.text == reply.text.strip()
        assert reply.prompt_tokens > 0
        assert 0 < reply.completion_tokens <= 24

    def test_the_pieces_are_the_text(self, chat: ChatModel) -> None:
        pieces: list[str] = []
        assert ask(chat, pieces=pieces).text == "".join(pieces)
        assert len(pieces) > 1

    def test_the_token_limit_cuts(self, chat: ChatModel) -> None:
        cut, whole = ask(chat, max_tokens=2), ask(chat)
        assert not cut.finished
        assert cut.completion_tokens < whole.completion_tokens
        assert len(cut.text) < len(whole.text)

    def test_a_deadline_that_is_over_gives_an_unfinished_reply(self, chat: ChatModel) -> None:
        assert not ask(chat, seconds=-1).finished

    def test_several_threads_may_write(self, chat: ChatModel) -> None:
        with ThreadPoolExecutor(3) as pool:
            replies = list(pool.map(lambda _: ask(chat, max_tokens=4), range(3)))
        assert all(reply.text for reply in replies)
