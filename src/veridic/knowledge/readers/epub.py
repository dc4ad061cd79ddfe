"""Books (EPUB): the chapters in reading order, each under its title. Nothing is unpacked to disk."""

import posixpath
import zipfile
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import html
from veridic.knowledge.readers.archive import checked, tree
from veridic.knowledge.readers.counting import Count
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.tables import Tables
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"

_PAGES = frozenset(("application/xhtml+xml", "text/html"))
_FONTS = "font"
"""In the name of what may be encrypted in any book."""

Element = Any
"""An lxml element; lxml is not typed."""


def read_epub(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a book. Raises `DocumentUnreadable`, and whatever lxml raises on a corrupt one."""
    with checked(content, limits, "epub") as archive:
        book = _Book(archive)
        composer, count, tables = Composer(), Count(limits, depth=html.MAX_DEPTH), Tables(limits)
        for number, path in enumerate(book.chapters(), start=1):
            if number > limits.pages:
                raise limits.beyond("pages")
            place = Place("chapter", number, number)
            html.compose(html.page(archive.read(path), count, tables), composer, place, book.title_of(path))
        return composer.finish(book.title)


class _Book:
    """What an archive says of its parts; those that it names but does not hold are none."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())
        self._refuse_encrypted()
        root = self._part(CONTAINER)
        [package, *_] = [*_named(root, "rootfile")] if root is not None else [None]
        self._folder = posixpath.dirname(package.get("full-path", "")) if package is not None else ""
        self._package = self._part(package.get("full-path", "")) if package is not None else None
        if self._package is None:
            raise DocumentUnreadable("It is not an epub file.", "Download it again, or save it anew.")
        title = next(_named(self._package, "title"), None)
        self.title = clean(" ".join(title.itertext())) if title is not None else ""
        self._titles = dict(self._contents())

    def chapters(self) -> Iterator[str]:
        """The names of the chapters' parts, in reading order."""
        parts = {item.get("id"): item for item in _named(self._package, "item")}
        for reference in _named(self._package, "itemref"):
            item = parts.get(reference.get("idref"))
            if item is not None and item.get("media-type") in _PAGES:
                path = self._path(self._folder, item.get("href", ""))
                if path in self._names and "nav" not in (item.get("properties") or "").split():
                    yield path

    def title_of(self, path: str) -> str:
        """What the table of contents calls a chapter; empty where it does not."""
        return self._titles.get(path, "")

    def _contents(self) -> Iterator[tuple[str, str]]:
        """The part's name and the title of each chapter, the first there is, from either kind of table of contents."""
        found: dict[str, str] = {}
        for item in _named(self._package, "item"):
            path = self._path(self._folder, item.get("href", ""))
            is_contents = "nav" in (item.get("properties") or "").split() or item.get("media-type", "").endswith(
                "ncx+xml"
            )
            contents = self._part(path) if is_contents else None
            for target, title in _entries(contents) if contents is not None else ():
                found.setdefault(self._path(posixpath.dirname(path), target), title)
        yield from found.items()

    def _path(self, folder: str, target: str) -> str:
        """The name of a part in the archive, where it is asked for alone: one that leads out of it names none."""
        return posixpath.normpath(posixpath.join(folder, unquote(target.partition("#")[0])))

    def _part(self, path: str) -> Element | None:
        return tree(self._archive.read(path)) if path in self._names else None

    def _refuse_encrypted(self) -> None:
        told = self._part(ENCRYPTION)
        names = [one.get("URI", "") for one in _named(told, "CipherReference")] if told is not None else []
        if any(_FONTS not in name.lower() and not name.lower().endswith((".otf", ".ttf", ".woff")) for name in names):
            raise DocumentUnreadable("It is encrypted (DRM).", "Get a copy without copy protection.")


def _entries(contents: Element) -> Iterator[tuple[str, str]]:
    """Target and title of each entry of a table of contents."""
    for point in _named(contents, "navPoint"):
        target, label = next(_named(point, "content"), None), next(_named(point, "text"), None)
        if target is not None and label is not None:
            yield target.get("src", ""), " ".join("".join(label.itertext()).split())
    for link in _named(contents, "a"):
        yield link.get("href", ""), " ".join("".join(link.itertext()).split())


def _named(root: Element, name: str) -> Iterator[Element]:
    """The elements of a name, in whatever namespace."""
    yield from root.iter(f"{{*}}{name}")
