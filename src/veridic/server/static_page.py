"""The page that people read: plain files, served as they are, to everybody; what it shows it asks for with a key."""

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

FILES = Path(__file__).parent / "page_files"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
POLICY += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-cache",  # a newer server's files never meet an older one's
}


class _Files(StaticFiles):
    """The page's files, each with the headers of the page."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - Starlette's own signature
        response = super().file_response(*args, **kwargs)
        response.headers.update(HEADERS)
        return response


def _page(_request: Request) -> Response:
    return FileResponse(FILES / "index.html", headers=HEADERS)


def moved(_request: Request) -> Response:
    """The page lies in a folder, so that its own addresses are relative."""
    return RedirectResponse("veridic/")


ROUTES = [Route("/", _page), Mount("/page", _Files(directory=FILES))]
