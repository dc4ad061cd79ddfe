"""Questions, answers and their sources, as a person sees them."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import EXAMPLES, PHONE, Opened
from tests.page.serving import Served, served
from veridic.api.history import list_runs, logged_run

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

Keep = Callable[["Page", str], None]
FOUNDED = "Who founded the Halden Ridge Observatory?"


def ask(page: "Page", question: str) -> None:
    """Ask, and wait for the whole answer."""
    turns = page.locator(".turn .path").count()
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn .path")).to_have_count(turns + 1, timeout=60_000)


def test_an_answer_opens_its_source_at_the_cited_span(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    expect(page.locator("#ask-lead")).to_contain_text("4 documents")
    keep(page, "ask")
    ask(page, FOUNDED)
    expect(page.locator(".outcome")).to_contain_text("Verified")
    expect(page.locator(".short .sentence")).to_have_text("Ingrid Solvang")
    expect(page.locator(".sources .where")).to_have_count(1)
    expect(page.locator(".sentence + .sign")).to_have_count(2)
    keep(page, "accepted")
    result = logged_run(list_runs(settings=server.settings)[0].run_id, settings=server.settings)
    for place, citation in ((".short .sentence", 0), (".told .sentence", 1)):
        page.locator(place).click()
        cited = result["sentences"][citation]["citations"][0]
        expect(page.locator("#source mark.cited")).to_have_text(cited["quote"])
        expect(page.locator("#source .terms")).to_contain_text(f"{cited['start']}–{cited['end']}")
        expect(page.locator("#source-title")).to_have_text("A short history of the observatory")
    keep(page, "source")
    page.keyboard.press("Escape")
    expect(page.locator("#source")).to_be_hidden()
    expect(page.locator(".told .sentence")).to_be_focused()


def test_the_path_shows_what_was_dropped_and_every_gate(opened: Opened, keep: Keep, tmp_path: Path) -> None:
    with served(tmp_path, EXAMPLES, write_back="review") as server:
        page = opened(server)
        ask(page, "When was the Halden Ridge Observatory founded?")
        page.get_by_text("How it got there").click()
        path = page.locator(".path")
        for title in (
            "Steps",
            "Documents kept",
            "Documents dropped",
            "Sentences kept and dropped",
            "What was read",
            "Drafts",
            "What was learned",
        ):
            expect(path.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(path.locator(".walked li").first).to_contain_text("analyze")
        expect(path.locator("tbody tr").first).to_contain_text("confidence")
        path.scroll_into_view_if_needed()
        keep(page, "path")


def test_where_nothing_holds_there_is_no_answer_and_the_reason(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    ask(page, "What does a parking permit cost in Oslo?")
    expect(page.locator(".outcome")).to_contain_text("No answer")
    expect(page.locator(".worth .reason")).to_contain_text("Nothing relevant was found")
    expect(page.locator(".short")).to_have_count(0)
    keep(page, "abstained")


def test_a_second_question_goes_on_from_the_first(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    ask(page, FOUNDED)
    ask(page, "Please tell me: who founded Halden Ridge observatory")
    expect(page.locator(".understood")).to_have_count(0)
    ask(page, "When did she found it?")
    last = page.locator(".turn").last
    expect(last.locator(".understood")).to_contain_text("Solvang")
    expect(last.locator("p").filter(has_text="1911")).to_contain_text("1911")
    keep(page, "conversation")
    page.get_by_role("button", name="New conversation").click()
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.get_by_label("Your question")).to_be_focused()


def test_documents_that_disagree_stand_side_by_side(opened: Opened, keep: Keep, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    told = "Parking at the harbour of Varnes costs {} euros per day."
    (folder / "a.md").write_text(f"# Port handbook\n\nThe office opens at 8:00. {told.format(4)}\n")
    (folder / "b.md").write_text(f"# Notice of the town\n\n{told.format(6)} Bicycles are free.\n")
    with served(tmp_path, folder, judges="small") as server:
        page = opened(server)
        ask(page, "How much does parking at the harbour of Varnes cost?")
        sides = page.locator(".conflict .side")
        expect(sides).to_have_count(2)
        expect(page.locator(".outcome")).to_contain_text("the sources disagree")
        assert {told.format(price) in one for price, one in zip((4, 6), sides.all_text_contents(), strict=True)} == {
            True
        }
        sides.nth(1).get_by_role("button").click()
        expect(page.locator("#source mark.cited")).to_have_text(told.format(6))
        keep(page, "conflict")


def test_code_stands_in_a_block_opens_its_source_and_is_copied(opened: Opened, keep: Keep, tmp_path: Path) -> None:
    folder, command = tmp_path / "documents", f"larch prune --older-than 30d --keep {'/var/log/larch/' * 12}"
    folder.mkdir()
    (folder / "larch.md").write_text(
        f"# Larch handbook\n\n## Deleting old logs\n\nThis command deletes old logs:\n\n```sh\n{command}\n```\n"
    )
    with served(tmp_path, folder) as server:
        page = opened(server, permissions=["clipboard-read", "clipboard-write"])
        ask(page, "Which command deletes old logs?")
        block = page.locator(".told pre.sentence")
        expect(block.locator("code")).to_have_text(command)
        expect(page.locator(".told")).not_to_contain_text("```")
        expect(page.locator(".sources")).not_to_contain_text("```")
        assert block.evaluate("(node) => node.scrollWidth > node.clientWidth")
        keep(page, "code")
        page.get_by_role("button", name="Copy").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        expect(page.locator("#status")).to_have_text("The code was copied.")
        assert page.evaluate("navigator.clipboard.readText()") == command
        block.focus()
        page.keyboard.press("Enter")
        expect(page.locator("#source mark.cited")).to_contain_text(command)
        page.keyboard.press("Escape")
        expect(block).to_be_focused()


def test_a_run_that_is_stopped_is_said_to_be(server: Served, opened: Opened) -> None:
    page = opened(server)
    page.route("**/veridic/ask", lambda _route: None)  # the server takes its time
    page.get_by_label("Your question").fill(FOUNDED)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn")).to_contain_text("Stopped.")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_a_run_is_asked_as_it_was_chosen(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    page.get_by_text("How it is answered").click()
    page.get_by_label("System").select_option("crag")
    page.get_by_label("Strictness").select_option("strict")
    page.get_by_label("Visiting Halden Ridge Observatory").check()
    keep(page, "choices")
    with page.expect_request("**/veridic/ask") as sent:
        ask(page, FOUNDED)
    asked = sent.value.post_data_json
    assert asked["system"] == "crag"
    assert asked["context"]["strictness"] == "strict"
    assert len(asked["context"]["scope"]) == 1
    page.get_by_text("How it got there").click()
    expect(page.locator(".path")).to_contain_text("crag")


def test_what_was_said_of_an_answer_is_kept(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    ask(page, "How many people work at the observatory?")
    page.get_by_role("button", name="Right").click()
    expect(page.locator(".became")).to_contain_text("Kept: you said that the answer is right.")
    assert list_runs(settings=server.settings)[0].said == "up"
    page.get_by_text("Correct it").click()
    page.get_by_label("The right short answer").fill("24 people")
    page.keyboard.press("Enter")
    expect(page.locator(".became")).to_contain_text("you said what is right, “24 people”")
    expect(page.get_by_role("button", name="Wrong")).to_have_attribute("aria-pressed", "true")
    assert list_runs(settings=server.settings)[0].said == "24 people"
    keep(page, "feedback")


def test_an_error_is_told_with_its_mend(server: Served, opened: Opened) -> None:
    page = opened(server)
    told = '{"error": "ModelUnavailable", "problem": "The model is away.", "mend": "Start it.", "retryable": true}'
    page.route("**/veridic/ask", lambda route: route.fulfill(status=500, body=told))
    page.get_by_label("Your question").fill(FOUNDED)
    page.keyboard.press("Enter")
    expect(page.locator(".turn .problem")).to_have_text("The model is away. Start it.")
    page.context.set_offline(True)
    expect(page.get_by_role("alert")).to_contain_text("offline")


def test_what_was_found_outside_is_quoted_with_its_link(server: Served, opened: Opened) -> None:
    page = opened(server)
    page.goto(server.url)
    source = (
        "({kind: 'outside', title: 'T', quote: 'Said there.', start: 0, end: 11, document_id: 'wikipedia:T', url: URL})"
    )
    for url, links in (("https://en.wikipedia.org/wiki/T", 1), ("javascript:alert(1)", 0)):
        citation = source.replace("URL", repr(url))
        page.evaluate(f"import('{server.url}page/source.js').then((source) => source.openSource({citation}))")
        expect(page.locator("#source mark.cited")).to_have_text("Said there.")
        assert page.locator("#source a").count() == links


def test_on_a_phone_the_source_opens_below(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server, size=PHONE, color_scheme="dark")
    ask(page, FOUNDED)
    keep(page, "phone-dark")
    page.locator(".told .sentence").click()
    expect(page.locator("#source mark.cited")).to_be_in_viewport()
    keep(page, "phone-dark-source")
