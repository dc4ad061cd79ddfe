"""Opposites read from a few lines in WordNet's format."""

import sys
from pathlib import Path

import pytest

from veridic_lab.training.antonyms import PARTS, forms, main, pairs

VERBS = """\
  1 This line is a licence's.
00000101 30 v 02 raise 0 lift 0 001 ! 00000102 v 0101 01 + 08 00 | move upwards
00000102 30 v 01 lower 0 001 ! 00000101 v 0101 01 + 08 00 | move downwards
00000103 30 v 01 call_off 0 001 ! 00000101 v 0101 01 + 08 00 | two words
"""
ADJECTIVES = """\
00000201 00 a 01 dry(p) 0 001 ! 00000202 a 0101 | free from liquid
00000202 00 s 01 wet 0 001 ! 00000201 s 0101 | covered with liquid
"""


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for name in PARTS.values():
        (tmp_path / f"data.{name}").write_text({"verb": VERBS, "adj": ADJECTIVES}.get(name, ""), encoding="utf-8")
        (tmp_path / f"{name}.exc").write_text("wetter wet\n" if name == "adj" else "", encoding="utf-8")
    return tmp_path


def test_every_form_that_both_have_is_paired(wordnet: Path) -> None:
    assert {" ".join(sorted(pair)) for pair in pairs(wordnet)} == {
        "lower raise", "lowers raises", "lowering raising", "lowered raised",
        "dry wet", "drier wetter", "driest wetest",
    }  # fmt: skip


def test_the_file_has_each_pair_once_under_its_licence(
    wordnet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "opposites.txt"
    monkeypatch.setattr(sys, "argv", ["antonyms", str(wordnet), str(out)])
    main()
    lines = out.read_text(encoding="utf-8").splitlines()
    told = [line for line in lines if not line.startswith("#")]
    assert told == sorted(set(told))
    assert "raises" in " ".join(told)
    assert any("Princeton University" in line for line in lines if line.startswith("#"))


@pytest.mark.parametrize(
    ("word", "part", "found"),
    [
        ("policewoman", "n", {"policewomen"}),
        ("loss", "n", {"losses"}),
        ("ally", "n", {"allies"}),
        ("boy", "n", {"boys"}),
    ],
)
def test_regular_plurals(word: str, part: str, found: set[str]) -> None:
    assert forms(word, part, set())["s"] == found


def test_regular_verbs() -> None:
    assert forms("increase", "v", set()) == {"s": {"increases"}, "ing": {"increasing"}, "ed": {"increased"}}
    assert forms("deny", "v", set()) == {"s": {"denies"}, "ing": {"denying"}, "ed": {"denied"}}
    assert forms("agree", "v", set())["ing"] == {"agreeing"}
