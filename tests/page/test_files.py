"""The page's own files: nothing in them makes markup of a text, and nothing is fetched from elsewhere."""

import re

import pytest

from veridic.server.static_page import FILES, POLICY

MARKUP = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|DOMParser|srcdoc")
ELSEWHERE = re.compile(r"""(?:https?:)?//[a-z0-9-]+\.[a-z]""")
INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=)|\bstyle=|\bon[a-z]+=", re.IGNORECASE)
NAMES = sorted(one.name for one in FILES.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_a_file_makes_no_markup_and_names_no_other_host(name: str) -> None:
    text = (FILES / name).read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not MARKUP.search(text)
    assert not ELSEWHERE.search(text)


def test_the_page_has_nothing_inline() -> None:
    assert not INLINE.search((FILES / "index.html").read_text(encoding="utf-8"))
    assert "unsafe" not in POLICY


def test_the_page_names_files_that_are_there() -> None:
    texts = [(FILES / name).read_text(encoding="utf-8") for name in NAMES]
    named = {one for text in texts for one in re.findall(r'(?:from "\./|="page/)([\w.]+)"', text)}
    assert named <= set(NAMES)
    assert set(NAMES) - named == {"index.html"}
