"""Beside what becomes of drafts stands what agents make of the same ones that judge nothing."""

from __future__ import annotations

import pytest

from veridic_lab.drafts.beside import KINDS, MIXES, Run, agents, shares, table_of_fates, table_of_mixes

RUNS = [
    Run("A", "true", "verified", 0.9),
    Run("A", "true", "flagged", 0.6, 0.1),
    Run("A", "false", "flagged", 0.4, 0.2, hit=True),
    Run("B", "false", "verified", 0.8),
    Run("B", "false", "flagged", 0.4, 0.5, hit=True),
    Run("B", "true", "silent"),
    Run("B", "true", "verified", 0.9),
    Run("B", "invented", "replaced, flagged", 0.4),
]


def rows(lines: list[str]) -> dict[tuple[str, str], list[str]]:
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[2:]]
    return {(agent, kind): own for agent, kind, *own in cells}


def test_of_every_agent_the_same_drafts_are_counted() -> None:
    found = rows(list(table_of_fates(RUNS)))
    assert found["veridic", "false"] == ["3", "1", "2", "0", "0", "0", "0", "0", "0.35", "1.00", "0.50"]
    assert found["flags all", "false"] == ["3", "0", "3", "0", "0", "0", "0", "0", "0.00", "0.00", "0.00"]
    assert found["marks all words", "false"] == ["3", "0", "3", "0", "0", "0", "0", "0", "1.00", "1.00", "0.00"]
    assert found["verifies all", "invented"][:2] == ["1", "1"]
    assert found["plain RAG", "true"] == ["4", "0", "0", "4", "0", "0", "0", "0", "", "", ""]


def test_a_mix_gives_every_kind_its_share_whatever_was_asked() -> None:
    for mix, expected in MIXES.items():
        weights = shares(RUNS, mix)
        told = [sum(weights[at] for at, run in enumerate(RUNS) if run.kind == kind) for kind in KINDS]
        assert told == pytest.approx(expected)


def test_precision_is_that_of_the_mix() -> None:
    found = rows(list(table_of_mixes(RUNS)))
    assert found["verifies all", "80:10:10"][2].startswith("0.80 ")
    assert found["plain RAG", "50:25:25"][4].startswith("0.50 ")
    assert found["flags all", "90:5:5"][:3] == ["0", "0.00", ""]
    # of true drafts a half is verified, of false ones a third
    assert found["veridic", "80:10:10"][1] == f"{0.8 / 2 + 0.1 / 3:.2f}"
    assert found["veridic", "80:10:10"][2].startswith(f"{0.4 / (0.4 + 0.1 / 3):.2f} ")
    assert found["veridic", "80:10:10"][5] == "3"
    assert set(agents(RUNS)) == {name for name, _ in found}
