"""The opposites that ship, from WordNet's files: `python -m veridic_lab.training.antonyms WORDNET-FOLDER OUT`.

A pair is written in every form that both words have: raise lower, raises lowers, raising lowering, raised lowered.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""WordNet's letters for parts of speech; `s`, an adjective near another one, stands among the adjectives."""
ANTONYM = "!"
LONGEST_COMPARED = 7
"""Letters of an adjective that has forms in -er and -est."""
HEADER = """\
# Pairs of opposites in all their forms, made of WordNet 3.0 by python -m veridic_lab.training.antonyms.
#
# This software and database is being provided to you, the LICENSEE, by Princeton University under the following
# license. By obtaining, using and/or copying this software and database, you agree that you have read, understood,
# and will comply with these terms and conditions:
#
# Permission to use, copy, modify and distribute this software and database and its documentation for any purpose and
# without fee or royalty is hereby granted, provided that you agree to comply with the following copyright notice and
# statements, including the disclaimer, and that the same appear on ALL copies of the software, database and
# documentation, including modifications that you make for internal use or for distribution.
#
# WordNet 3.0 Copyright 2006 by Princeton University. All rights reserved.
#
# THIS SOFTWARE AND DATABASE IS PROVIDED "AS IS" AND PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR WARRANTIES,
# EXPRESS OR IMPLIED. BY WAY OF EXAMPLE, BUT NOT LIMITATION, PRINCETON UNIVERSITY MAKES NO REPRESENTATIONS OR
# WARRANTIES OF MERCHANTABILITY OR FITNESS FOR ANY PARTICULAR PURPOSE OR THAT THE USE OF THE LICENSED SOFTWARE,
# DATABASE OR DOCUMENTATION WILL NOT INFRINGE ANY THIRD PARTY PATENTS, COPYRIGHTS, TRADEMARKS OR OTHER RIGHTS.
#
# The name of Princeton University or Princeton may not be used in advertising or publicity pertaining to distribution
# of the software and/or database. Title to copyright in this software, database and any associated documentation shall
# at all times remain with Princeton University and LICENSEE agrees to preserve same.
"""
_WORD = re.compile(r"[a-z]+")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_HISSING = re.compile(r"(?:s|x|z|ch|sh)$")

Forms = Mapping[str, set[str]]


@dataclass(frozen=True)
class Synset:
    """Words that mean the same, and for each antonym the place here, where the other stands, and its place there."""

    words: list[str]
    antonyms: list[tuple[int, tuple[str, str], int]]


def main() -> None:
    """Write the file."""
    folder, out = map(Path, sys.argv[1:3])
    lines = sorted({f"{min(pair)} {max(pair)}" for pair in pairs(folder)})
    out.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


def pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Every two single words that WordNet opposes, and their forms."""
    synsets = {(part, at): synset for part in PARTS for at, synset in _read(folder, part)}
    irregular = {part: _exceptions(folder / f"{name}.exc") for part, name in PARTS.items()}
    for (part, _), synset in synsets.items():
        for place, other, there in synset.antonyms:
            one, two = synset.words[place], synsets[other].words[there]
            if _WORD.fullmatch(one) and _WORD.fullmatch(two):
                yield one, two
                first, second = (forms(word, part, irregular[part].get(word, set())) for word in (one, two))
                yield from ((a, b) for slot in first.keys() & second.keys() for a in first[slot] for b in second[slot])


def forms(word: str, part: str, irregular: set[str]) -> Forms:
    """The forms of a word by their ending; where WordNet lists irregular ones, those."""
    if part == "n":
        return {"s": irregular or {f"{word[:-2]}en" if word.endswith("man") else _with_s(word)}}
    if part == "v":
        ing = {form for form in irregular if form.endswith("ing")}
        past = {form for form in irregular - ing if not form.endswith("s")}
        return {"s": {_with_s(word)}, "ing": ing or {_with(word, "ing")}, "ed": past or {_with(word, "ed")}}
    if part == "a" and len(word) <= LONGEST_COMPARED:
        listed = {end: {form for form in irregular if form.endswith(end)} for end in ("er", "est")}
        return {end: found or {_with(word, end)} for end, found in listed.items()}
    return {}


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return f"{word[:-1]}ies"
    return f"{word}es" if _HISSING.search(word) else f"{word}s"


def _with(word: str, ending: str) -> str:
    if word.endswith("e") and not word.endswith("ee"):
        return word[:-1] + ending
    return word[:-1] + f"i{ending}" if _CONSONANT_Y.search(word) and ending != "ing" else word + ending


def _read(folder: Path, part: str) -> Iterator[tuple[str, Synset]]:
    """The synsets of a data file by their offset, as wndb(5WN) describes its lines."""
    for line in (folder / f"data.{PARTS[part]}").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            continue
        at, _, _, count, *rest = line.partition("|")[0].split()
        number = int(count, 16)
        words = [rest[2 * place].partition("(")[0] for place in range(number)]
        pointers = rest[2 * number + 1 :]
        told = [pointers[4 * i : 4 * i + 4] for i in range(int(rest[2 * number]))]
        yield at, Synset(words, [_antonym(to, part, places) for kind, to, part, places in told if kind == ANTONYM])


def _antonym(to: str, part: str, places: str) -> tuple[int, tuple[str, str], int]:
    return int(places[:2], 16) - 1, ("a" if part == "s" else part, to), int(places[2:], 16) - 1


def _exceptions(path: Path) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in path.read_text(encoding="utf-8").splitlines():
        form, *bases = line.split()
        for base in bases:
            found[base].add(form)
    return found


if __name__ == "__main__":
    main()
