"""The page that people read: plain files, served as they are, to everybody; what it shows it asks for with a key."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

FILES = Path(__file__).parent / "page_files"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
POLICY += "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _page(_request: Request) -> Response:
    headers = {"content-security-policy": POLICY, "referrer-policy": "no-referrer", "x-content-type-options": "nosniff"}
    return FileResponse(FILES / "index.html", headers=headers)


ROUTES = [Route("/", _page), Mount("/page", StaticFiles(directory=FILES))]
