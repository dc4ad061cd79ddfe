"""Text as a terminal, a Markdown renderer and a program get it."""

import json
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.text.test_hidden import ANYTHING
from veridic.exporting.outgoing import for_a_line, for_json, for_markdown, for_terminal, link

BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
FENCE = "```"
ADDRESSES = ("http://evil.example", "www.evil.example", "a@evil.example")

MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from(
            "[ ] ( ) ! < > & ` `` ``` ~~~ \\ : # * _ | \n \n\n \t http://evil.example www.evil.example a@evil.example "
            "javascript:alert(1) data:text/html,x <img <script> </script> <!-- --> <http://evil.example> &colon; &#58; "
            "[1]: [1] ![x](http://evil.example) [x]: > - 1. evil // / \" ' \x00 = ---".split(" ")
        ),
        st.sampled_from(["    ", " ", "text", "\r", "\r\n"]),
        st.text(max_size=3),
    ),
    max_size=24,
).map("".join)


def rendered(markdown: str) -> list[Token]:
    """Every token a renderer sees that lets all links through and knows tables and HTML."""
    renderer = MarkdownIt("commonmark").enable("table")
    renderer.validateLink = lambda _: True  # type: ignore[method-assign]
    return list(_all(renderer.parse(markdown)))


def _all(tokens: Iterable[Token]) -> Iterable[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or ())


def acting(markdown: str) -> list[str]:
    """The types of what would act: links, images, HTML."""
    return [one.type for one in rendered(markdown) if one.type in ("link_open", "image", "html_block", "html_inline")]


@given(ANYTHING)
def test_no_control_or_bidi_character_reaches_a_terminal(text: str) -> None:
    for told in (for_terminal(text), for_a_line(text)):
        assert not BIDI.intersection(told)
        assert all(unicodedata.category(one) not in ("Cc", "Cs") or one in "\n\t" for one in told)
        assert not any(0xE0000 <= ord(one) < 0xE1000 for one in told)
    assert len(for_a_line(text).splitlines()) <= 1


@settings(max_examples=30)
@given(st.recursive(ANYTHING | st.floats() | st.booleans(), lambda one: st.lists(one) | st.dictionaries(ANYTHING, one)))
def test_any_content_is_a_json_document_that_can_be_written(content: object) -> None:
    told = for_json(content)
    told.encode()
    assert json.loads(told) == json.loads(for_json(json.loads(told)))


@given(MARKDOWN)
@example("[1]: http://evil.example\n\n[1]")
@example("\\[x](http://evil.example)")
@example("` http://evil.example")
@example(f"<div>\n{FENCE}\n</div>\n\n{FENCE}\n![x](http://evil.example)\n{FENCE}\n")
@example(f"\r\r{FENCE}\nx\n{FENCE}\n![x](http://evil.example)\n<img src=x>")
@example(f"- {FENCE}\n<script>\n{FENCE}\n<img src=x>")
def test_nothing_in_a_text_acts_in_markdown(text: str) -> None:
    assert acting(for_markdown(text)) == []


@given(MARKDOWN, MARKDOWN)
@example("See", "(http://evil.example)")
@example("See", ": http://evil.example")
@example(f"{FENCE}\nx\n{FENCE}", "\n![x](http://evil.example)")
def test_nor_beside_a_mark_of_ours(before: str, after: str) -> None:
    told = for_markdown(before + after, {len(before): " [1][2]"})
    assert acting(told) == []
    assert told.count(" [1][2]") >= 1


def outside_code(markdown: str) -> str:
    """What is read outside code: renderers make links of bare addresses there, after they read the Markdown."""
    told = []
    for one in rendered(markdown):
        if one.type == "inline":
            told += [" " if child.type == "code_inline" else child.content or " " for child in one.children or ()]
    return "".join(told)


@given(MARKDOWN)
@example("`http://evil.example")
@example("https&colon;//evil.example")
def test_an_address_stands_in_code_alone(text: str) -> None:
    told = outside_code(for_markdown(text))
    assert [one for one in ADDRESSES if one in told] == []


@pytest.mark.parametrize(
    "text",
    [
        "It was opened in 1932 [sic], 5 < 6 & 7 > 6; see C:\\Users\\x and [1].",
        f"Use this:\n\n{FENCE}\ncurl https://a.example/x[0](y) <b>\n{FENCE}\n\nand *that*.",
        "- one\n- two",
    ],
)
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    assert for_markdown(text) == text


def test_the_whole_text_can_still_be_read() -> None:
    text = "![x](http://evil.example/p.png) <img src=x onerror=alert(1)> [y](javascript:alert(1)) a@b.example"
    [line] = [one for one in rendered(for_markdown(text)) if one.type == "inline"]
    assert "".join(child.content for child in line.children or ()) == text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,<script>", "/x/[a](b).md", "http://a b", ""])
def test_only_addresses_of_the_web_are_links(url: str) -> None:
    assert link(url) == ""


def test_a_cited_address_is_a_link() -> None:
    [opened] = [one for one in rendered(link("https://a.example/x_(y)?q=*1*")) if one.type == "link_open"]
    assert opened.attrs["href"] == "https://a.example/x_(y)?q=*1*"
