"""The outside collection beside documents, in one file."""

import time
from pathlib import Path

from tests.fakes.knowledge import passage
from tests.knowledge.conftest import Opener
from veridic.knowledge.ingest import ingest
from veridic.ports.shapes import Passage

TEXT = "Ferries crossed the Alder before there was a bridge."


def kept(opener: Opener, namespace: str = "default", **changes: str) -> None:
    given = passage("wikipedia:Alder", TEXT, kind="outside")
    given |= {"retrieved_at": "2026-01-01T00:00:00+00:00", **changes}  # type: ignore[typeddict-item]
    opener(namespace=namespace).corpus.keep_outside([given], since=0.0, deadline=time.time() + 20)


def found(opener: Opener, namespace: str = "default") -> list[Passage]:
    [passages] = opener(namespace=namespace).corpus.search_outside(
        ["ferries"], limit=5, since=0.0, deadline=time.time() + 20
    )
    return passages


def test_one_namespace_does_not_see_what_another_keeps(opener: Opener) -> None:
    kept(opener, "ours")
    assert [one["text"] for one in found(opener, "ours")] == [TEXT]
    assert found(opener, "theirs") == []
    kept(opener, "theirs")
    assert found(opener, "ours")[0]["document_id"] != found(opener, "theirs")[0]["document_id"]


def test_ingesting_and_pruning_leave_it_alone(opener: Opener, folder: Path) -> None:
    kept(opener, url=str(folder / "gone.md"))
    ingest([folder], opener().corpus, prune=True)
    assert [one["text"] for one in found(opener)] == [TEXT]


def test_the_dense_index_does_not_hold_it(opener: Opener, folder: Path) -> None:
    ingest([folder], opener().corpus)
    kept(opener)
    [ordinary] = opener().corpus.search([TEXT], limit=50, deadline=time.time() + 20)
    assert TEXT not in [one["text"] for one in ordinary]


def test_a_passage_whose_text_changed_is_replaced(opener: Opener) -> None:
    kept(opener)
    kept(opener, text="Ferries still cross the Alder.", retrieved_at="2026-02-01T00:00:00+00:00")
    assert [one["text"] for one in found(opener)] == ["Ferries still cross the Alder."]


def test_a_page_kept_again_loses_what_it_no_longer_says(opener: Opener) -> None:
    def part(text: str, start: int, date: str, url: str = "https://example.org/alder") -> Passage:
        given = passage(f"wikipedia:Alder#{url}{start}", text, kind="outside")
        return given | {"url": url, "retrieved_at": date}  # type: ignore[return-value]

    first, second = "2026-01-01T00:00:00+00:00", "2026-02-01T00:00:00+00:00"
    corpus = opener().corpus
    corpus.keep_page([part("Ferries crossed.", 0, first), part("Ferries were slow.", 20, first)], since=0.0)
    corpus.keep_page([part("Ferries are red.", 0, first, "https://example.org/alder#top")], since=0.0)
    corpus.keep_page([part("Ferries crossed.", 0, second), part("Ferries were cheap.", 25, second)], since=0.0)
    dates = {one["text"]: one["retrieved_at"] for one in found(opener)}
    assert dates == {"Ferries crossed.": second, "Ferries were cheap.": second, "Ferries are red.": first}
