"""The review queue, documents, checks of a text, and who may see what."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import EXAMPLES, Opened
from tests.page.serving import Served, served
from tests.page.test_answers import FOUNDED, Keep, ask
from veridic.api.documents import list_documents
from veridic.api.remembered import list_records
from veridic.server.keys import KeyFile, Keys

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

HOSTILE = """# Notes <script>parent.document.title = "taken"</script>

The <img src=x onerror="alert(1)"> harbour of Varnes was opened in 1902 by <b>Marta Quell</b>. <script>alert(2)</script>

Marta Quell was born in 1861 in Varnes.

See <a href="javascript:alert(3)">the harbour of Varnes</a>.
"""


def statuses(server: Served) -> dict[str, str]:
    """The questions of the records that are held, with their statuses."""
    held = list_records(settings=server.settings)
    return {one.record.question: one.record.status for one in held if one.record}


def test_an_answer_that_waits_is_approved_and_another_rejected(opened: Opened, keep: Keep, tmp_path: Path) -> None:
    with served(tmp_path, EXAMPLES, write_back="review") as server:
        page = opened(server)
        other = "When was the first observation made?"
        ask(page, FOUNDED)
        ask(page, other)
        page.get_by_role("link", name="Review").click()
        expect(page.get_by_role("heading", name="Review", exact=True)).to_be_focused()
        expect(page.locator(".record")).to_have_count(2)
        keep(page, "review")
        first = page.get_by_role("article", name=FOUNDED)
        first.locator(".short .sentence").click()
        expect(page.locator("#source mark.cited")).to_have_text("Ingrid Solvang")
        page.keyboard.press("Escape")
        first.get_by_role("button", name="Approve").click()
        expect(first).to_contain_text("Approved: it counts from now on.")
        second = page.get_by_role("article", name=other)
        second.get_by_text("Reject …").click()
        second.get_by_label("Why").fill("It was in April.")
        keep(page, "review-rejecting")
        second.get_by_role("button", name="Reject it").click()
        expect(second).to_contain_text("rejected")
        assert statuses(server) == {FOUNDED: "active", other: "rejected"}
        page.get_by_label("Show").select_option("rejected,withdrawn")
        expect(page.locator(".record")).to_have_count(1)
        page.get_by_text("Scores and what became of it").click()
        expect(page.locator(".events")).to_contain_text("It was in April.")


def test_documents_are_taken_in_opened_and_removed_with_what_rests_on_them(
    opened: Opened, keep: Keep, tmp_path: Path
) -> None:
    with served(tmp_path, EXAMPLES, write_back="probation") as server:
        page = opened(server, "documents")
        expect(page.locator(".row-card")).to_have_count(4)
        good = {"name": "lake.md", "mimeType": "text/markdown", "buffer": b"# Lake\n\nLake Orrin is 212 metres deep.\n"}
        bad = {"name": "lake.bin", "mimeType": "application/octet-stream", "buffer": b"\0\1"}
        page.get_by_label("Take in documents").set_input_files([good, bad])
        expect(page.locator(".report")).to_contain_text("Taken in: lake.md")
        expect(page.locator(".report .problem")).to_contain_text("lake.bin was not taken in. Its kind is unknown.")
        expect(page.locator(".row-card")).to_have_count(5)
        assert [one.name for one in tmp_path.glob("kb.uploads/default/*")] == ["lake.md"]
        keep(page, "documents")
        page.get_by_role("button", name="Lake", exact=True).click()
        expect(page.locator("#source .document")).to_contain_text("212 metres")
        page.get_by_role("link", name="Ask", exact=True).click()
        ask(page, "How deep is Lake Orrin?")
        expect(page.locator(".short")).to_contain_text("212 metres")
        page.get_by_role("link", name="Documents").click()
        page.get_by_role("button", name="Remove Lake").click()
        expect(page.get_by_role("dialog")).to_contain_text("Withdrawn with it: 1 learned answer")
        expect(page.get_by_role("button", name="Cancel")).to_be_focused()
        keep(page, "removing")
        page.get_by_role("button", name="Remove it").click()
        expect(page.locator("#documents .became")).to_contain_text("1 learned answer that rested on it was withdrawn")
        assert [one.title for one in list_documents(settings=server.settings) if one.title == "Lake"] == []


def test_queued_files_are_shown_with_why_they_failed_and_tried_again(opened: Opened, server: Served) -> None:
    """The queue's own routes are tested over a database; here its answers are given."""
    job = {"id": 7, "path": "/in/b.pdf", "state": "failed", "attempts": 5, "outcome": "", "changed_at": "2026-01-01"}
    failed = [{**job, "reason": "It is <b>damaged</b>."}]
    done = [{**job, "id": 6, "path": "/in/a.md", "state": "done", "attempts": 1, "outcome": "added", "reason": ""}]
    sent = list[str]()

    def answered(route: "Route") -> None:
        counts = {"waiting": 0, "running": 0, "done": 1, "failed": len(failed), "workers": 2}
        route.fulfill(json={"counts": counts, "jobs": failed + done if "limit" in route.request.url else failed})

    def retried(route: "Route") -> None:
        sent.append(route.request.url)
        failed.clear()
        route.fulfill(json={"id": 7})

    page = opened(server)
    page.route(re.compile(r"/jobs\?"), answered)
    page.route(re.compile(r"/retry$"), retried)
    page.get_by_role("link", name="Documents").click()
    queued = page.locator("#jobs")
    expect(queued.locator(".count")).to_have_text("0 waiting · 0 running · 1 done · 1 failed · 2 workers")
    expect(queued.locator("li").first).to_contain_text("/in/b.pdf")
    expect(queued.locator(".problem")).to_have_text("It is <b>damaged</b>.")
    queued.get_by_role("button", name="Try /in/b.pdf again").click()
    expect(queued.locator("li")).to_have_count(1)
    assert [url.rpartition("/veridic/")[2] for url in sent] == ["jobs/7/retry"]


def test_files_that_are_dropped_are_taken_in(opened: Opened, tmp_path: Path) -> None:
    with served(tmp_path, None) as server:
        page = opened(server, "documents")
        expect(page.locator("#documents")).to_contain_text("There is none yet.")
        transfer = page.evaluate_handle(
            "() => { const held = new DataTransfer(); held.items.add(new File(['Lake Orrin is deep.'], 'lake.txt'));"
            " return held; }"
        )
        page.dispatch_event(".drop", "drop", {"dataTransfer": transfer})
        expect(page.locator(".row-card")).to_have_count(1)


def test_what_a_document_holds_acts_nowhere(opened: Opened, keep: Keep, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    shutil.copytree(EXAMPLES, folder)
    (folder / "<img src=x onerror=alert(4)>.txt").write_text(HOSTILE)
    with served(tmp_path, folder, write_back="review", min_confidence="0") as server:
        page = opened(server)
        ask(page, "When was Marta Quell born?")
        ask(page, "Who opened the harbour of Varnes?")
        ask(page, "<img src=x onerror=alert(5)> In which year was the harbour of Varnes opened?")
        for sentence in page.locator(".sentence[role=button]").all():
            sentence.click()
            expect(page.locator("#source .document")).to_contain_text('<img src=x onerror="alert(1)">')
        for summary in page.get_by_text("How it got there").all():
            summary.click()
        keep(page, "hostile")
        for view, place in (("Review", "review"), ("Documents", "documents"), ("Status", "condition")):
            page.get_by_role("link", name=view).click()
            expect(page.locator(f"#{place} .card").first).to_be_visible()
        page.get_by_role("link", name="Check").click()
        check(page, HOSTILE)
        assert page.locator("main img, main b, aside b, main script, aside script, a[href^=javascript]").count() == 0
        assert "Veridic" in page.title()


def check(page: "Page", text: str) -> None:
    """Check a text, and wait for what is said of it."""
    page.get_by_label("The text").fill(text)
    page.get_by_role("button", name="Check it").click()
    expect(page.locator(".tallies")).to_be_visible(timeout=60_000)


def test_each_claim_of_a_text_is_marked_and_opens_its_source(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server, "check")
    soup = "The cafe 𝔸 serves soup."
    check(
        page,
        "Halden Ridge Observatory was founded in 1911 by the astronomer Ingrid Solvang, who had mapped variable stars "
        f"from a hut on the same ridge for nine years. {soup} "
        "The Halden Ridge Observatory was not founded in 1911 by Ingrid Solvang. Is it open?",
    )
    marked = page.locator(".checked-text .sentence")
    verdicts = marked.evaluate_all("all => all.map(one => [one.dataset.verdict, one.textContent])")
    assert [verdict for verdict, _ in verdicts] == ["supported", "not_found", "contradicted"]
    assert verdicts[1][1] == soup
    expect(page.locator(".claims > li")).to_have_count(3)
    expect(page.get_by_role("heading", name="What the documents say of it")).to_be_focused()
    keep(page, "check")
    page.locator(".claims").get_by_role("button", name="Open the source").nth(1).click()
    expect(page.locator("#source mark.cited")).to_contain_text("was founded in 1911 by the astronomer Ingrid Solvang")


@pytest.fixture
def keyed(browser: object, tmp_path: Path) -> "Callable[[str], tuple[Served, str]]":
    """A server that asks for keys, with one for a role."""
    held = []

    def made(role: str) -> tuple[Served, str]:
        file = tmp_path / "keys.json"
        key = Keys(lambda: KeyFile(file)).add("somebody", "default", role)  # type: ignore[arg-type]
        running = served(tmp_path, EXAMPLES, api_keys=str(file))
        held.append(running)
        return running.__enter__(), key

    yield made
    for one in held:
        one.__exit__(None, None, None)


def test_a_key_is_asked_for_and_kept_in_the_tab(keyed: Callable, opened: Opened, keep: Keep) -> None:
    server, key = keyed("manages")
    page = opened(server)
    expect(page.get_by_role("dialog")).to_contain_text("This server asks for a key")
    page.get_by_label("Your key").fill("vk_wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("The key is not known here")
    keep(page, "key")
    page.get_by_label("Your key").fill(key)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("#ask-lead")).to_contain_text("4 documents")
    page.reload()
    ask(page, FOUNDED)
    expect(page.locator(".short")).to_contain_text("Ingrid Solvang")
    assert page.evaluate("Object.values(localStorage)") == []


def test_who_only_asks_is_shown_nothing_to_manage(keyed: Callable, opened: Opened) -> None:
    server, key = keyed("asks")
    page = opened(server, "documents")
    page.get_by_label("Your key").fill(key)
    page.keyboard.press("Enter")
    expect(page.locator(".row-card")).to_have_count(4)
    expect(page.get_by_role("link", name="Review")).to_be_hidden()
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    expect(page.get_by_label("Take in documents")).to_have_count(0)
    page.get_by_role("link", name="Status").click()
    expect(page.locator("#condition")).to_contain_text("asks, and does not manage")
