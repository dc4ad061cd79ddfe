"""What shares words with a query, of what may be found, best first."""

from tests.fakes.statuses import give_status
from tests.knowledge.conftest import Opener
from veridic.knowledge import ranking
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest_texts


def found(corpus: Corpus, query: str, limit: int) -> list[str]:
    """Texts by shared words."""
    with corpus.store.reading() as connection:
        ids = ranking.match(connection, query, limit)
        return [connection.execute("SELECT text FROM chunks WHERE id = ?", (one,)).fetchone()["text"] for one in ids]


def test_better_matches_that_may_not_be_found_leave_their_places(opener: Opener) -> None:
    ours, theirs = opener(namespace="ours").corpus, opener(namespace="theirs").corpus
    better = [Text(f"better{number}", "note", "alder bridge") for number in range(20)]
    ingest_texts(better, theirs)
    ingest_texts(better, ours)
    for one in better:
        give_status(ours, ours.document(one.url).id, "review")
    worse = [f"An alder stands {'far ' * number}from here." for number in range(3)]
    ingest_texts([Text(text, "note", text) for text in worse], ours)
    assert found(ours, "alder bridge", 2) == worse[:2]
    assert found(ours, "alder bridge", 5) == worse
    assert found(theirs, "alder bridge", 20) == ["alder bridge"] * 20


def test_fewer_matches_than_wanted_are_all_found(opener: Opener) -> None:
    corpus = opener().corpus
    ingest_texts([Text("a", "a", "alpha beta"), Text("b", "b", "beta gamma")], corpus)
    assert sorted(found(corpus, "beta", 9)) == ["alpha beta", "beta gamma"]
    assert found(corpus, "delta", 9) == []
    assert found(corpus, "beta", 0) == []
