"""`veridic ingest https://…` over the recorded world."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Veridic
from tests.knowledge.test_readers import docx_file
from veridic.api.documents import IngestReport, ingest, list_documents
from veridic.knowledge.web_pages import file_name
from veridic.resources import held_knowledge_base
from veridic.settings import Settings
from veridic_lab.evaluation.world import Behaviour, Served, World
from veridic_lab.evaluation.world.behaviour import Canned

PAGE = b"<html><title>Alder Bridge</title><body><p>The Alder Bridge was opened in 1932.</p></body></html>"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Served]:
    monkeypatch.setenv("VERIDIC_KB", str(tmp_path / "kb.sqlite"))
    with World([]).serve() as world:
        monkeypatch.setenv("VERIDIC_ALLOW_HOSTS", world.host_port)
        world.files["/bridge"] = Canned(200, PAGE, "text/html; charset=utf-8")
        yield world


def taken(*references: str) -> IngestReport:
    return ingest(*references)


def test_a_page_is_a_document_named_by_its_address(veridic: Veridic, served: Served) -> None:
    shown = veridic("ingest", f"{served.url}/bridge#history")
    assert (shown.status, shown.out, shown.err) == (0, "1 added\n", "")
    [held] = list_documents()
    assert (held.url, held.kind, held.title, held.media_type) == (
        f"{served.url}/bridge",
        "human",
        "Alder Bridge",
        "text/html",
    )
    assert held.ingested_at
    assert "1932" in veridic("ask", "When was the Alder Bridge opened?").out
    assert "1 document removed" in veridic("remove", f"{served.url}/bridge").out


def test_what_is_unchanged_is_skipped_and_what_changed_replaced(served: Served) -> None:
    url = f"{served.url}/bridge"
    taken(url)
    assert taken(url).unchanged == [url]
    served.files["/bridge"] = Canned(200, PAGE.replace(b"1932", b"1951"), "text/html")
    assert taken(url).replaced == [url]
    assert "1951" in held_knowledge_base(Settings.load()).corpus.document(url).text


def test_the_same_text_in_other_markup_is_unchanged(served: Served) -> None:
    served.files["/bridge"] = Canned(200, PAGE, "text/html")
    taken(f"{served.url}/bridge")
    served.files["/bridge"] = Canned(200, PAGE.replace(b"<p>", b"<p class='nonce-77'>"), "text/html")
    assert taken(f"{served.url}/bridge").unchanged == [f"{served.url}/bridge"]


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/a.docx", "application/octet-stream", docx_file()),
        ("/raw/notes.md", "text/plain", b"# Tea\n\nGreen tea is steamed."),
        ("/export?x=1", "text/csv; charset=iso-8859-1", "Brücke,Jahr\nMühl,1932\n".encode("latin-1")),
        ("/data.json", "application/json", b'{"bridge": "Alder"}'),
    ],
)
def test_a_file_is_read_by_its_kind(served: Served, path: str, kind: str, body: bytes) -> None:
    served.files[path.partition("?")[0]] = Canned(200, body, kind)
    report = taken(f"{served.url}{path}")
    assert (report.added, report.unreadable) == ([f"{served.url}{path}"], [])
    if "csv" in kind:
        assert "Mühl: Jahr is 1932." in held_knowledge_base(Settings.load()).corpus.document(f"{served.url}{path}").text


@pytest.mark.parametrize(
    ("behaviour", "told"),
    [
        ("bot_wall", "status 403"),
        ("bot_wall_200", "bot wall"),
        ("consent_page", "consent page"),
        ("server_error", "status 500"),
        ("huge", "sent more than 2000000 bytes"),
    ],
)
def test_what_cannot_be_had_is_in_the_report_and_the_rest_goes_in(
    served: Served, behaviour: Behaviour, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERIDIC_FILE_BYTES", "2000000")
    (tmp_path / "tea.md").write_text("Green tea is steamed.")
    served.behaviour = behaviour
    report = taken(f"{served.url}/bridge", str(tmp_path / "tea.md"))
    assert report.added == [str(tmp_path / "tea.md")]
    [problem] = report.unreadable
    assert problem.path == f"{served.url}/bridge"
    assert told in problem.reason


def test_a_kind_that_is_not_read_is_said(served: Served) -> None:
    served.files["/a"] = Canned(200, b"RIFF", "audio/wav")
    [problem] = taken(f"{served.url}/a").unreadable
    assert "kind is unknown" in problem.reason


def test_the_guard_judges_the_address_and_every_redirect(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.behaviour, served.redirect_to = "redirect", "http://127.0.0.1:9/secret"
    [problem] = taken(f"{served.url}/bridge").unreadable
    assert "127.0.0.1:9 is at an address outside requests may not reach" in problem.reason
    monkeypatch.setenv("VERIDIC_ALLOW_HOSTS", "")
    [problem] = taken(f"{served.url}/bridge").unreadable
    assert "may not reach" in problem.reason
    assert len(served.received) == 1


def test_an_address_with_a_password_is_refused_and_nothing_is_asked(served: Served) -> None:
    [problem] = taken(served.url.replace("://", "://clara:hunter2@") + "/bridge").unreadable
    assert "name or password" in problem.reason
    assert not served.received


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://x.org/a/report.pdf?v=2", "application/pdf", "report.pdf"),
        ("https://x.org/a/report", "application/pdf", "report.pdf"),
        ("https://x.org/", "text/html", "x.org.html"),
        ("https://x.org/notes.md", "text/plain", "notes.md"),
        ("https://x.org/page.php", "text/html", "page.php.html"),
        ("https://x.org/notes.csv", "", "notes.csv"),
        ("https://x.org/..%2f..%2fetc", "text/plain", "etc.txt"),
    ],
)
def test_how_it_is_read_follows_from_the_kind_and_else_from_the_address(url: str, media_type: str, name: str) -> None:
    assert str(file_name(url, media_type)) == name
