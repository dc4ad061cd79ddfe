"""A real headless Chromium before a real `veridic serve`; without browser or Playwright nothing here runs."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.page.serving import Served, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
EXAMPLES = Path(__file__).parents[2] / "examples"
DESKTOP, PHONE = (1360, 900), (320, 700)
AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
"""Where `make test-page` puts it."""


@pytest.fixture(scope="package")
def browser() -> "Iterator[Browser]":
    sync = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("there is no Chromium")
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(browser: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over the shipped examples whose answers wait for review."""
    with served(tmp_path_factory.mktemp("page"), EXAMPLES, write_back="review") as running:
        yield running


Opened = Callable[..., "Page"]


@pytest.fixture
def opened(browser: "Browser") -> Iterator[Opened]:
    """Opens the page of a server; whatever goes wrong in it, or asks another host, fails the test."""
    contexts, wrong = [], list[str]()

    def page_of(server: Served, view: str = "ask", size: tuple[int, int] = DESKTOP, **choices: object) -> "Page":
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **choices)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda told: wrong.append(told.text) if "Content Security Policy" in told.text else None)
        page.on("request", lambda sent: None if _own(sent.url, server) else wrong.append(sent.url))
        page.goto(f"{server.url}#{view}")
        return page

    yield page_of
    for context in contexts:
        context.close()
    assert wrong == []


def _own(url: str, server: Served) -> bool:
    return url.startswith((server.url.removesuffix("/"), "data:"))


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> "Callable[[Page, str], None]":
    """Keeps a picture of the page in the folder that PAGE_PICTURES names; without one nowhere."""

    def kept(page: "Page", name: str) -> None:
        if folder := os.environ.get("PAGE_PICTURES"):
            page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")

    return kept
