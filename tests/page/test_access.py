"""For everybody: keyboard alone, narrow and dark, what rules of accessibility find, paper."""

from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import AXE, DESKTOP, PHONE, Opened
from tests.page.serving import Served
from tests.page.test_answers import FOUNDED, Keep, ask
from tests.page.test_managing import check

pytest.importorskip("playwright")
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

VIEWS = ("ask", "check", "review", "documents", "condition")
SHOWN = {"ask": ".path", "check": ".tallies", "review": ".record", "documents": ".row-card", "condition": ".card"}


def show(page: "Page", view: str) -> None:
    """Go to a view and wait for what it shows, with everything in it opened."""
    page.evaluate("view => { location.hash = view }", view)
    if view == "ask":
        ask(page, FOUNDED)
    elif view == "check":
        check(page, "The observatory was founded in 1911. An adult ticket costs 15 euros. The cafe serves soup.")
    expect(page.locator(f"#view-{view} {SHOWN[view]}").first).to_be_visible()
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
    expect(page.locator("#choices-form .field").first).to_be_attached()


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_view_fits_and_breaks_no_rule(
    server: Served, opened: Opened, keep: Keep, size: tuple[int, int], colours: str
) -> None:
    page = opened(server, size=size, color_scheme=colours)
    for view in VIEWS:
        show(page, view)
        wide = page.evaluate("document.scrollingElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, view
        broken_rules(page, view)
        keep(page, f"{view}-{size[0]}-{colours}")
    page.goto(f"{server.url}#ask")
    page.reload()
    ask(page, FOUNDED)
    page.locator(".told .sentence").click()
    expect(page.locator("#source mark.cited")).to_be_visible()
    broken_rules(page, "source")


def broken_rules(page: "Page", view: str) -> None:
    """What axe-core finds, where `make test-page` brought it."""
    if not AXE.exists():
        return
    page.evaluate(AXE.read_text(encoding="utf-8"))
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("tags => axe.run(document, { runOnly: tags })", tags)
    told = [(one["id"], [node["html"][:160] for node in one["nodes"]][:3]) for one in found["violations"]]
    assert told == [], view


def test_everything_is_done_by_keyboard(server: Served, opened: Opened) -> None:
    page = opened(server)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.keyboard.type("Who founded")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("the Halden Ridge Observatory?")
    page.keyboard.press("Enter")
    expect(page.locator(".path")).to_be_visible(timeout=60_000)
    sentence = page.locator(".told .sentence")
    until_focused(page, sentence)
    page.keyboard.press("Enter")
    expect(page.locator("#source-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(sentence).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".told .cite")).to_be_focused()
    page.keyboard.press("Space")
    expect(page.locator("#source mark.cited")).to_be_visible()


def until_focused(page: "Page", target: object) -> None:
    """Go back with Shift and Tab until something has the focus."""
    for _ in range(30):
        page.keyboard.press("Shift+Tab")
        if target.evaluate("one => one === document.activeElement"):  # type: ignore[attr-defined]
            return
    raise AssertionError("the keyboard does not reach it")


def test_colours_are_chosen_and_kept(server: Served, opened: Opened) -> None:
    page = opened(server, color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_role("button", name="Colours: Automatic").click()
    page.get_by_role("button", name="Colours: Light").click()
    assert page.evaluate(ground) != light
    page.reload()
    expect(page.get_by_role("button", name="Colours: Dark")).to_be_visible()
    assert page.evaluate(ground) != light


def test_the_page_is_there_before_the_server_says_how_it_is(server: Served, opened: Opened) -> None:
    page = opened(server, "check")
    page.route("**/veridic/condition", lambda _route: None)  # it loads its models
    page.goto(f"{server.url}#ask")
    page.reload()
    ask(page, FOUNDED)
    expect(page.locator(".short")).to_contain_text("Ingrid Solvang")


def test_the_address_without_its_last_stroke_leads_to_the_page(server: Served, opened: Opened) -> None:
    page = opened(server)
    page.goto(server.url.removesuffix("/"))
    assert page.url == server.url


def test_on_paper_there_is_the_answer_with_its_sources(server: Served, opened: Opened, keep: Keep) -> None:
    page = opened(server)
    ask(page, FOUNDED)
    page.emulate_media(media="print")
    expect(page.locator(".sources q").last).to_be_visible()
    for hidden in (".top", "#ask-form", ".feedback"):
        expect(page.locator(hidden)).to_be_hidden()
    keep(page, "paper")
