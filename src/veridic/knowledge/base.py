"""Opening a knowledge base: its corpus, its experience, its decision log, what people said of it, its threads."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import MissingExtra
from veridic.knowledge.connection import DEFAULT, KnowledgeStore
from veridic.knowledge.conversations import Threads
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.decisions import Decisions
from veridic.knowledge.experience import Experience
from veridic.knowledge.feedback import Feedback
from veridic.knowledge.store import Store
from veridic.learning.lessons import HALF_LIFE, MOST
from veridic.ports.embedding import Embedder
from veridic.settings import in_postgres


@dataclass(frozen=True)
class Knowledge:
    """One namespace of one knowledge base."""

    corpus: Corpus
    experience: Experience
    decisions: Decisions
    feedback: Feedback
    threads: Threads

    def close(self) -> None:
        """Close the file; nothing of it can be used afterwards."""
        self.corpus.store.close()


def begun_as_copy(path: Path, *, of: Path) -> None:
    """Make a knowledge base as a copy of another, once; nothing where it is there already or the other is not.

    Several processes may ask at once: the first that has finished makes it. Raises `StoreUnavailable`.
    """
    if not path.exists() and of.exists():
        with Store(of.absolute()) as source:
            source.copy_to(path.absolute())


def is_held(path: Path | str) -> bool:
    """Whether a knowledge base is at a path or an address. Raises as `open_knowledge`."""
    if not in_postgres(str(path)):
        return Path(path).expanduser().exists()
    with by_extra():
        from veridic.knowledge.postgres.transactions import is_made
    return is_made(str(path))


def open_store(path: Path | str, namespace: str = DEFAULT) -> KnowledgeStore:
    """Open one namespace's rows at a path or an address, and nothing that needs an embedder.

    Raises as `open_knowledge`.
    """
    if not in_postgres(str(path)):
        return Store(Path(path).expanduser().absolute(), namespace)
    with by_extra():
        from veridic.knowledge.postgres.transactions import PostgresStore
    return PostgresStore(str(path), namespace)


@contextmanager
def by_extra() -> Iterator[None]:
    """What is imported belongs to an extra. Raises `MissingExtra`."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(
            "A knowledge base in PostgreSQL needs packages that are not installed.", "pip install 'veridic[postgres]'"
        ) from error


def open_knowledge(
    path: Path | str,
    namespace: str,
    embedder: Embedder,
    *,
    log_days: int = 0,
    lessons: int = MOST,
    half_life: float = HALF_LIFE,
) -> Knowledge:
    """Open the knowledge base at `path`, making it when it is not there; the embedder is not used yet.

    It is a SQLite file, or a database at an address: `postgresql://USER@HOST/DATABASE`.

    With `log_days` runs that are older leave the decision log when one is added. At most so many `lessons` are kept;
    they lose half of their weight in `half_life` days.

    Raises `StoreDamaged` when the file is not ours, is broken or is of a newer version,
    `StoreUnavailable` when it is locked or cannot be written, and `MissingExtra` for an address without the packages.
    """
    store, index = open_store(path, namespace), None
    if in_postgres(str(path)):
        from veridic.knowledge.postgres.halfvec import HalfvecIndex

        index = HalfvecIndex(embedder)
    return Knowledge(
        corpus=Corpus(store, embedder, index),
        experience=Experience(store, embedder, most=lessons, half_life=half_life),
        decisions=Decisions(store, log_days),
        feedback=Feedback(store),
        threads=Threads(store),
    )
