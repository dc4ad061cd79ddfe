from hypothesis import given, settings
from hypothesis import strategies as some

from veridic.sources.faults import fault, main_text


@given(some.text(max_size=300).filter(lambda text: "<" not in text))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert main_text(text) == text


ODD = "ab <>/&;#x0p='\"\x00\ud800é!-"


@settings(deadline=None)
@given(some.sampled_from(["<html>", "<!DOCTYPE html>", "<body "]), some.text(ODD, max_size=200))
def test_any_markup_gives_some_text(begin: str, text: str) -> None:
    assert isinstance(main_text(begin + text), str)


def test_a_text_that_speaks_of_tags_stays_as_it_is() -> None:
    text = "The <p> element opens a paragraph, and 3 < 5."
    assert main_text(text) == text


def test_a_wall_is_still_seen_in_html() -> None:
    wall = "<html><title>Just a moment...</title><body>Checking your browser. Verify you are human.</body></html>"
    assert fault("", main_text(wall)) == "bot wall"


def test_a_page_without_a_word_is_empty() -> None:
    assert fault("", main_text("<!doctype html><html><body><script>let a = 1;</script></body></html>")) == "empty page"
