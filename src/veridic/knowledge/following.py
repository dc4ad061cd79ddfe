"""Folders that are followed: what changes in them is taken in."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path

from veridic.errors import DocumentMissing
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import ingest
from veridic.knowledge.intake import IngestReport
from veridic.knowledge.readers import files
from veridic.ports.file_limits import FileLimits

QUIET_MS = 400
"""A batch ends when nothing changed for so long."""

LONGEST_BATCH_MS = 3_000

HEARTBEAT_MS = 500
"""So often an empty batch says that nothing changed."""

Changes = AbstractSet[str]
"""Absolute paths that were added, changed or removed together."""


def watched(roots: Sequence[Path]) -> Iterator[Changes]:
    """Batches of changes at or beneath these paths, as the system tells them, without an end.

    The first, of nothing, says that they are followed from now on.
    """
    from watchfiles import watch

    batches = watch(
        *[root for root in roots if root.exists()],
        watch_filter=None,
        debounce=LONGEST_BATCH_MS,
        step=QUIET_MS,
        rust_timeout=HEARTBEAT_MS,
        yield_on_timeout=True,
    )
    for batch in batches:
        yield {path for _, path in batch}


def followed(
    roots: Sequence[Path], corpus: Corpus, changes: Iterable[Changes], *, prune: bool, limits: FileLimits
) -> Iterator[IngestReport]:
    """Take in all that is there at the first batch, then what each batch names; a report each time there was any.

    A file that was read while it was being written changes again when it is whole, and is read again. Raises as
    `ingest` does at the first batch; afterwards what cannot be read is in the report.
    """
    batches = iter(changes)
    if next(batches, None) is None:
        return
    yield ingest(roots, corpus, prune=prune, limits=limits)
    for batch in batches:
        paths = [path for path in map(Path, sorted(batch)) if _concerns(path, roots, prune=prune)]
        if paths:
            with suppress(DocumentMissing):  # what came and went was never held
                yield ingest(paths, corpus, prune=prune, limits=limits)


def _concerns(path: Path, roots: Sequence[Path], *, prune: bool) -> bool:
    """Whether a change is of something that is read; of what is gone, where that is removed."""
    if not any(_is_seen(path, root) for root in roots):
        return False
    return path.is_dir() or (files.known(path) if path.exists() else prune)


def _is_seen(path: Path, root: Path) -> bool:
    """Whether a path is at or beneath another, and nothing between is hidden."""
    return path.is_relative_to(root) and not any(part.startswith(".") for part in path.relative_to(root).parts)
