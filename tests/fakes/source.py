"""An evidence source without a network."""

from collections.abc import Sequence

from veridic.errors import PageMissing, VeridicError
from veridic.ports.shapes import Passage
from veridic.ports.sources import Found
from veridic.runtime.deadline import remaining
from veridic.sources.passages import Page, all_passages, best_passages


class FakeSource:
    """Finds passages in the pages it was given, or raises what it was given."""

    def __init__(self, name: str, pages: Sequence[Page] = (), error: VeridicError | None = None) -> None:
        self.name = name
        self.queries: list[str] = []
        self._pages = pages
        self._error = error

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        remaining(deadline, self.name)
        self.queries.append(query)
        if self._error:
            raise self._error
        held = {word for page in self._pages for word in f"{page.title} {page.text}".lower().split()}
        if limit < 1 or not held & set(query.lower().replace("?", "").split()):
            return Found([], [])
        return best_passages(self._pages, query, source=self.name, limit=limit)

    def page(self, key: str, *, deadline: float) -> list[Passage]:
        """The page whose id, without the source's name, or whose title is `key`."""
        remaining(deadline, self.name)
        if self._error:
            raise self._error
        for page in self._pages:
            if key in (page.document_id.partition(":")[2], page.title):
                return all_passages(page, source=self.name)
        raise PageMissing("There is no such page.", "Name another.")
