"""Books (EPUB): the chapters in reading order. Nothing is unpacked to disk."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote
from zipfile import ZipFile

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import html
from veridic.knowledge.readers.archive import checked, tree
from veridic.knowledge.readers.counting import Markup
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"

_PAGES = frozenset(("application/xhtml+xml", "text/html"))
_FONTS = (".otf", ".ttf", ".woff", ".woff2")
"""What may be encrypted in any book."""

Element = Any
"""An lxml element; lxml is not typed."""


def read_epub(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a book. Raises `DocumentUnreadable`, and whatever lxml raises on a corrupt one."""
    with checked(content, limits, "epub") as archive:
        _refuse_encrypted(archive)
        folder, package = _package(archive)
        composer, count = Composer(limits), Markup(limits, depth=html.MAX_DEPTH)
        for number, path in enumerate(_chapters(archive, folder, package), start=1):
            if number > limits.pages:
                raise limits.beyond("pages")
            page = html.page(archive.read(path), count)
            html.compose(page, composer, Place("chapter", number, number))
        title = next(_named(package, "title"), None)
        return composer.finish(clean(" ".join(title.itertext())) if title is not None else "")


def _package(archive: ZipFile) -> tuple[str, Element]:
    """The list of a book's parts, and the folder that it stands in."""
    container = _part(archive, CONTAINER)
    path = next((one.get("full-path", "") for one in _named(container, "rootfile")), "")
    package = _part(archive, path)
    if package is None:
        raise DocumentUnreadable("It is not an epub file.", "Download it again, or save it anew.")
    return posixpath.dirname(path), package


def _chapters(archive: ZipFile, folder: str, package: Element) -> Iterator[str]:
    """The names of the chapters' parts, in reading order; a name that leads out of the archive names none."""
    parts = {item.get("id"): item for item in _named(package, "item")}
    for reference in _named(package, "itemref"):
        item = parts.get(reference.get("idref"))
        if item is not None and item.get("media-type") in _PAGES and item.get("properties") != "nav":
            path = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
            if path in archive.namelist():
                yield path


def _refuse_encrypted(archive: ZipFile) -> None:
    encrypted = (one.get("URI", "").lower() for one in _named(_part(archive, ENCRYPTION), "CipherReference"))
    if any(not name.endswith(_FONTS) for name in encrypted):
        raise DocumentUnreadable("It is encrypted (DRM).", "Get a copy without copy protection.")


def _part(archive: ZipFile, path: str) -> Element | None:
    return tree(archive.read(path)) if path in archive.namelist() else None


def _named(root: Element | None, name: str) -> Iterator[Element]:
    """The elements of a name, in whatever namespace."""
    return iter(()) if root is None else root.iter(f"{{*}}{name}")
