"""Runs written down: what stands in each format, and that nothing a text says can act in it."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.exporting.results import FILE, WIKIPEDIA, citation, result
from tests.exporting.test_outgoing import ADDRESSES, MARKDOWN, acting, outside_code, rendered
from tests.text.test_hidden import ANYTHING
from veridic.errors import UsageError
from veridic.exporting.files import FORMATS, POLICY, export_result, export_runs
from veridic.exporting.views import view_of
from veridic.ports.shapes import Logged, Result
from veridic.text.hidden import shown

UNHURRIED = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
WHEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
CODE = 'def founded() -> int:\n    return 1911  # ``` "**'
HOSTILE = st.one_of(
    MARKDOWN,
    ANYTHING,
    st.lists(
        st.sampled_from(
            '" # & $ ~ ^ _ <script>alert(1)</script> </style> --> "> \' onload=x '
            "<!-- ]]> &lt; &#x3c; <img/src=x> </blockquote></li></article> \n \n\n # [1] - 1. a".split(" ")
        ),
        max_size=16,
    ).map(" ".join),
)
TAGS = frozenset("html head meta title style body article h1 h2 p pre ul li a strong em code".split())
VOID = frozenset(("meta",))


def written(suffix: str, *results: Result) -> str:
    return FORMATS[suffix]([view_of(one, WHEN) for one in results])


def hostile(draw: Callable[[], str]) -> Result:
    """A result that says something hostile wherever it says something."""
    cited = [
        citation(url, document_id=draw(), start=number, title=draw(), location=draw(), quote=draw())
        for number, url in enumerate((draw(), f"https://a.example/{draw()}", WIKIPEDIA))
    ]
    conflict = {"claim": draw(), "supporting": cited[0], "contradicting": cited[1]}
    return result(
        (draw(), cited[:2]),
        (draw(), cited[1:]),
        question=draw(),
        between=draw(),
        missing=draw(),
        conflicts=[conflict],
        reason=draw(),
        run_id=draw(),
        standalone=draw(),
        system=draw(),
        sources={"sent": [{"source": draw(), "query": draw()}]},
    )


class Page(HTMLParser):
    """The tags of a page, each ended in its turn, and its texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.texts[tag][-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_code_that_stands_in_a_fence_is_written_without_it(suffix: str) -> None:
    code = "```\nlarch prune --older-than 30d\n```"
    written_down = written(suffix, result((code, [citation("a.md", quote=code)])))
    assert written_down.count("larch prune --older-than 30d") == 3
    assert written_down.count("```") == (2 if suffix == ".md" else 0)


@UNHURRIED
@given(st.data())
def test_nothing_breaks_out_of_the_page(data: st.DataObject) -> None:
    told = hostile(lambda: data.draw(HOSTILE))
    page = Page(written(".html", told, told))
    assert page.open == []
    assert set(page.tags) <= TAGS
    assert (page.tags["article"], page.tags["h1"], page.tags["style"]) == (2, 2, 1)
    for tag, name, value in page.attributes:
        assert name in {"a": ("href",)}.get(tag, ("lang", "charset", "name", "content", "http-equiv"))
        assert name != "href" or str(value).startswith(("http://", "https://"))
    asked = " ".join(shown(" ".join(told["question"].split())).split())
    assert [" ".join(text.split()) for text in page.texts["h1"]] == [asked] * 2


@UNHURRIED
@given(st.data())
def test_nothing_breaks_out_of_the_markdown(data: st.DataObject) -> None:
    told = hostile(lambda: data.draw(HOSTILE))
    markdown = written(".md", told, told)
    tokens = rendered(markdown)
    links = [one for one in tokens if one.type == "link_open"]
    assert {str(one.attrs["href"]).partition("//")[0] for one in links} <= {"http:", "https:"}
    assert set(acting(markdown)) <= {"link_open"}
    assert not {"table_open", "html_block", "hr", "code_block", "ordered_list_open", "blockquote_open"} & {
        one.type for one in tokens
    }
    titles = [tokens[at + 1].content for at, one in enumerate(tokens) if one.type == "heading_open" and one.tag == "h2"]
    assert titles == ["Sentence by sentence", "Sources disagree", "Sources"] * 2
    assert sum(one.type == "heading_open" and one.tag == "h1" for one in tokens) == 2
    told_items = 2 * (2 * 2 + 1 + len(view_of(told, WHEN).sources) + len(view_of(told, WHEN).facts))
    assert sum(one.type == "list_item_open" for one in tokens) in (told_items, told_items - 2 * 2)  # an empty claim
    bare = outside_code(markdown)
    for one in links:
        for address in (str(one.attrs["href"]), unquote(str(one.attrs["href"]))):
            bare = bare.replace(address, "")
    assert [one for one in ADDRESSES if one in bare and one != "http://evil.example"] == []


def test_an_answer_is_told_with_its_numbers_verdicts_and_sources() -> None:
    told = result(
        ("1911", [{**citation(start=50, quote="1911"), "end": 54}]),
        ("It was founded in 1911.", [citation()]),
        ("It closed in 1950.", [citation(WIKIPEDIA, document_id="wikipedia:1", title="Forth Bridge")]),
        between="\n\n",
    )
    markdown = written(".md", told)
    assert markdown.startswith(
        "# When was it founded?\n\n1911 [1]\n\nIt was founded in 1911. [1]\n\nIt closed in 1950. [2]\n\n**verified, "
    )
    assert "- asked: 2026-03-01 12:30 UTC\n- system: veridic\n- run: run-1\n" in markdown
    assert "- *supported 0.97*: It closed in 1950. [2]" in markdown
    assert (
        f"- [1] **A short history**, {FILE}, line 5, characters 48-68, document, taken in 2026-03-01: "
        "“It was founded in 1911.”"
    ) in markdown
    assert f"- [2] **Forth Bridge**, <{WIKIPEDIA}>" in markdown
    page = Page(written(".html", told))
    assert page.texts["h1"] == ["When was it founded?"]
    assert [value for _, name, value in page.attributes if name == "href"] == [WIKIPEDIA]
    assert page.texts["h2"] == ["Sentence by sentence", "Sources"]
    assert any("“It was founded in 1911.”" in text for text in page.texts["li"])
    assert POLICY in written(".html", told)


@pytest.mark.parametrize(("asked", "told"), [("when was it founded", False), ("When was that?", True)])
def test_what_was_understood_is_told_where_it_is_something_else(asked: str, *, told: bool) -> None:
    one = result(("In 1911.", [citation()]), question=asked, standalone="When was it founded?")
    for suffix in (".md", ".html"):
        assert ("understood as" in written(suffix, one)) is told


def test_code_stays_code() -> None:
    told = result((CODE, [citation(quote=CODE)]))
    [block] = [one for one in rendered(written(".md", told)) if one.type == "fence"]
    assert block.content == f"{CODE}\n"
    assert Page(written(".html", told)).texts["pre"][0].strip() == CODE


def test_nothing_cited_is_said(tmp_path: Path) -> None:
    nothing = result(("I don't know.", []), outcome="abstained", confidence=None)
    assert "## Sources" not in written(".md", nothing)
    assert "I don't know." in export_result(nothing, tmp_path / "none.md").read_text()


def test_json_is_the_result_itself(tmp_path: Path) -> None:
    told = result(("It was.", [citation()]))
    assert json.loads(export_result(told, tmp_path / "one.json").read_text()) == told
    runs = [Logged("run-1", WHEN.isoformat(), "accepted", told)] * 2
    assert json.loads(export_runs(runs, tmp_path / "two.json").read_text()) == [told, told]


def test_bibtex_is_refused_with_what_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.md for Markdown, \.html for HTML, or \.json"):
        export_result(result(("It was.", [citation()])), tmp_path / "answer.bib")


@pytest.mark.parametrize("name", ["answer.pdf", "answer", "none/answer.md", "there.md", ""])
def test_where_it_cannot_go_is_said_and_nothing_is_written_over(tmp_path: Path, name: str) -> None:
    (tmp_path / "there.md").write_text("mine")
    with pytest.raises(UsageError) as raised:
        export_result(result(("It was.", [])), tmp_path / name)
    assert raised.value.mend
    assert [one.read_text() for one in tmp_path.iterdir()] == ["mine"]
