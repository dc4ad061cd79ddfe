"""Code within an answer, shown as code."""

from __future__ import annotations

from veridic.evidence.code_blocks import with_code_fenced
from veridic.evidence.grounding import unverified
from veridic.evidence.telling import marked
from veridic.ports.shapes import Sentence

COMMAND = "pip install --upgrade 'larch>=2'"


def sentences(answer: str, *texts: str) -> list[Sentence]:
    bare = Sentence(
        text="", start=0, end=0, verdict="supported", support=1.0, contradiction=None, citations=[], claims=[]
    )
    return [{**bare, "text": one, "start": answer.index(one), "end": answer.index(one) + len(one)} for one in texts]


def test_code_stands_in_a_fence_and_what_follows_keeps_its_place() -> None:
    answer = f"Use this: {COMMAND} It takes long."
    told, found = with_code_fenced(answer, sentences(answer, COMMAND, "It takes long."))
    assert told == f"Use this: \n```\n{COMMAND}\n```\n It takes long."
    assert told[found[0]["start"] : found[0]["end"]] == f"\n```\n{COMMAND}\n```\n"
    assert told[found[1]["start"] : found[1]["end"]] == "It takes long."


def test_a_fence_is_longer_than_any_within() -> None:
    code = "x = '''```'''; y = [1, 2];"
    assert with_code_fenced(code, sentences(code, code))[0] == f"\n````\n{code}\n````\n"


def test_prose_fenced_code_and_a_single_word_stay_as_they_are() -> None:
    for text in ("It was built in 1932.", "```\nls -l\n```", "lamp_password=4711"):
        assert with_code_fenced(text, sentences(text, text))[0] == text


def test_what_it_holds_cannot_act() -> None:
    code = '<img src="x" onerror="alert(1)"> <script>go();</script>'
    assert marked(*with_code_fenced(code, sentences(code, code))).strip() == f"```\n{code}\n```"


def test_nothing_is_said_of_an_unverified_sentence() -> None:
    [one] = sentences("a b", "a b")
    told = unverified(one)
    assert (told["verdict"], told["support"], told["citations"], told["text"]) == ("unverified", None, [], "a b")
