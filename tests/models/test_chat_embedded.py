"""The embedded model for real: it writes, is locked, is cancelled, and ends with its process."""

import json
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from tests.models.chat_conformance import ChatConformance, ask
from veridic.errors import PromptTooLong, WeightsDamaged
from veridic.models.chat.adapter import LangChainChat
from veridic.models.chat.by_name import describe_chat, open_chat
from veridic.models.chat.embedded import EmbeddedBackend
from veridic.ports.chat import ChatModel, Prompt
from veridic.settings import Settings

LONG = "word " * 3500


class TestEmbedded(ChatConformance):
    @pytest.fixture
    def chat(self, embedded: LangChainChat) -> ChatModel:
        return embedded


def test_the_same_seed_writes_the_same(embedded: LangChainChat) -> None:
    assert ask(embedded).text == ask(embedded).text


def test_it_is_not_trusted_with_instructions(embedded: LangChainChat) -> None:
    assert not embedded.follows_instructions


def test_a_reply_is_held_to_its_schema(embedded: LangChainChat) -> None:
    prompt, deadline = Prompt("", "Tell me about bridges."), time.time() + 60
    grade = {"type": "string", "enum": ["full", "partial", "none"]}
    schema = {"title": "grade", "type": "object", "properties": {"grade": grade}, "required": ["grade"]}
    reply = embedded.write(prompt, max_tokens=48, temperature=0, seed=1, deadline=deadline, schema=schema)
    assert json.loads(reply.text)["grade"] in ("full", "partial", "none")


@pytest.mark.usefixtures("embedded")
@pytest.mark.parametrize("key", ["", "-", "embedded"])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/models", "/completion", "/props"])
def test_its_server_lets_nobody_else_in(path: str, key: str) -> None:
    model = EmbeddedBackend(Settings.load(threads=1)).open(lambda _done, _total: None)
    base = str(model.openai_api_base).removesuffix("/v1")  # type: ignore[attr-defined]
    assert base.startswith("http://127.0.0.1:")
    headers = {"authorization": f"Bearer {key}"} if key else {}
    assert httpx.get(base + path, headers=headers).status_code == 401


def test_a_prompt_over_the_window_is_refused_not_cut(embedded: LangChainChat) -> None:
    with pytest.raises(PromptTooLong, match="evidence_tokens"):
        embedded.write(Prompt("", "word " * 5000), max_tokens=4, temperature=0, seed=1, deadline=time.time() + 60)


def test_a_call_past_its_deadline_leaves_the_server_free(embedded: LangChainChat) -> None:
    for _ in range(3):
        late = embedded.write(Prompt("", LONG), max_tokens=4, temperature=0, seed=1, deadline=time.time() + 0.1)
        assert not late.finished
    assert ask(embedded, max_tokens=4).text


def test_doctor_finds_it_usable(embedded: LangChainChat) -> None:
    usable, text = describe_chat(Settings.load(model=embedded.name))
    assert usable
    assert "SmolLM2" in text


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF" + bytes(1000))
    chat = open_chat(Settings.load(model="embedded", weights=path))
    assert chat is not None
    with pytest.raises(WeightsDamaged, match=r"mine\.gguf"):
        chat.prepare()


LEAVING_AT_ONCE = """
from veridic.models.chat.by_name import open_chat
from veridic.settings import Settings

open_chat(Settings.load(model="embedded", threads=1)).prepare()
"""
LEAVING = """
import contextlib, threading, time
from veridic.errors import ModelUnavailable
from veridic.models.chat.by_name import open_chat
from veridic.ports import Prompt
from veridic.settings import Settings

chat = open_chat(Settings.load(model="embedded", threads=1))
chat.prepare()
def write(seconds):
    with contextlib.suppress(ModelUnavailable):
        chat.write(Prompt("", "word " * 3500), max_tokens=4, temperature=0, seed=1, deadline=time.time() + seconds)
write(0.1)
threading.Thread(target=lambda: write(60), daemon=True).start()
write(0.2)
"""


@pytest.mark.usefixtures("embedded")
@pytest.mark.parametrize("program", [LEAVING_AT_ONCE, LEAVING], ids=["at once", "while the model is reading"])
def test_a_process_ends_in_silence(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
