"""The pairs of a trial: balanced, each once, and no document in both halves."""

from collections import Counter

from veridic_lab.drafts.hands import documents
from veridic_lab.drafts.trial_pairs import PASSAGES, STATEMENTS, trial_pairs


def test_both_halves_are_balanced_and_share_no_document() -> None:
    rows = trial_pairs(documents("develop"))
    counts = Counter((row["half"], "passage" in row, row["label"]) for row in rows)
    halves = [(half, label) for half in ("fit", "report") for label in (0, 1)]
    assert {counts[half, False, label] for half, label in halves} == {STATEMENTS // 4}
    assert {counts[half, True, label] for half, label in halves} == {PASSAGES // 4}
    titles = {half: {_title(row) for row in rows if row["half"] == half} for half in ("fit", "report")}
    assert not titles["fit"] & titles["report"]
    errors = Counter(row["error"] for row in rows if row.get("error"))
    assert max(errors.values()) <= 2 * min(errors.values())
    assert rows == trial_pairs(documents("develop"))


def _title(row: dict[str, str]) -> str:
    return (row.get("premise") or row["passage"]).split("\n")[0]
