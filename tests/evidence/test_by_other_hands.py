"""What the rule stops, on sentences written by somebody who had not seen it. Floors, not aims."""

import json
from collections import Counter
from pathlib import Path

from veridic.text.facts import missing_names

ROWS = [json.loads(line) for line in Path(__file__).with_name("by_other_hands.jsonl").read_text().splitlines()]


def test_names() -> None:
    rows = [row for row in ROWS if row["group"] == "name"]
    found = Counter((row["held"], bool(missing_names(row["sentence"], row["premise"]))) for row in rows)
    assert found[False, True] >= 11, found
