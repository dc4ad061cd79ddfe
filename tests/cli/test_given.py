"""The text that is checked, from files of every kind."""

from pathlib import Path

from veridic.cli.check import given_text
from veridic.knowledge.readers.html import read_html
from veridic.ports.file_limits import DEFAULT_LIMITS
from veridic.text.assertions import asserted_in

PAGE = """<html><body><h1>The bridge is old</h1><p>It was opened in 1932.</p><ul><li>It is long.</li></ul>
<h2>It was built slowly</h2><p>It took two years.</p><h2>Dogs are welcome</h2></body></html>"""


def test_what_a_reader_knows_to_be_a_heading_is_no_claim(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    text = given_text(str(tmp_path / "page.html"), DEFAULT_LIMITS)
    found = asserted_in(text)
    assert [one.place.text for one in found if one.reason == "heading"] == [
        "# The bridge is old",
        "# It was built slowly",
        "# Dogs are welcome",
    ]
    assert len([one for one in found if one.reason is None]) == 3
    assert text.replace("# ", "") == read_html(PAGE.encode()).text


def test_a_text_is_checked_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The bridge\n\nIt was opened in 1932.")
    assert given_text(str(tmp_path / "text.txt"), DEFAULT_LIMITS) == "The bridge\n\nIt was opened in 1932."
