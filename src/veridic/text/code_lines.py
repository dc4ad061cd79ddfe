"""Where code stands in a text that no fence marks: program lines, commands, markup, keys with values.

A logistic regression on what a line looks like, fitted on fenced blocks of forums; its weights stand in
`code_lines.json`. A paragraph is cut into prose and code where that costs least (Viterbi).
"""

import json
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Any

from veridic.text.blanks import BLANK
from veridic.text.stop_words import is_closed

FILE = "code_lines.json"
LOOKED_AT = 240
"""Characters of a line."""
CHANGE = 2.0
"""What a change between prose and code within a paragraph costs, in log-odds."""
MARKS = "=(){}[];<>/\\|&$#@*_\"'`:.,-+%^~!?"
_PLAIN = re.compile(r"(?:[^=(){}\[\];<>/\\|&$#@*_`~^%+:\t-]|-(?!-))*")
_AMOUNT = re.compile(r"\W?\d[\d.,]*\s?[^\W\d_]{0,3}\W?")
"""A number with what it counts and nothing else, 38.00 GBP, is none: as the answer it would be unverified."""
SPOKEN = 3
"""Words of speech in a line without any mark of code from which it is prose; it is not looked at further."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_AS_WORD = re.compile(r"[\"'(“‘]?[A-Za-z][a-z’'-]*[.,;:!?)\"'”’]*")
_OPENERS = frozenset(
    "import from def class return if elif else for while try except finally with raise assert pass break const let var "
    "function export public private static void int struct package func fn use mod impl sudo cd ls git pip npm npx "
    "yarn docker kubectl helm curl wget apt apt-get brew make cmake python node java javac go cargo mvn gradle echo "
    "set source ssh scp chmod chown mkdir rm cp mv cat grep sed awk tar zip unzip systemctl service ps kill ping uname "
    "terraform ansible-playbook aws gcloud az SELECT INSERT UPDATE DELETE CREATE DROP ALTER FROM RUN COPY GET "
    "POST".split()
)
"""Words that statements of programming languages and commands of shells begin with."""
_FORMS = tuple(
    re.compile(form)
    for form in (
        r"^(?:\s{2}|\t)",
        r"[a-z][A-Z]",
        r"\w_\w",
        r"\w\.\w+\(|\w\(\)",
        r"\w\(",
        r"(?:^|\s)--?\w",
        r"\w=\S",
        r"://",
        r"\S/[^\s/]+/",
        r"[;{}(\[]\s*$",
        r"[.!?]\s*$",
        r"[,:]\s*$",
        r"^\s*[#/<>@$\-{}\[\]()\"'*|]",
        r"^\s*[A-Z]",
        r"^\s*[a-z]",
        r"\.\w{2,4}\b(?!\s+[A-Z])",
        r"[!=<>+\-*]=|=>|->|::|&&|\|\||//",
        r"^\s*[a-z][a-z0-9.-]*(?:\s|$)(?!.*[.!?]\s*$)",
        r"^\W*\d[\d.,:/\s–-]*\W*$",
    )
)


def code_runs(text: str) -> list[tuple[int, int]]:
    """The places of code in a text, in order: whole lines, those next to each other as one, none across a blank one."""
    return [run for paragraph in _paragraphs(text) for run in _runs(text, paragraph)]


def _runs(text: str, paragraph: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    states = _cheapest([log_odds(text[slice(*line)]) for line in paragraph])
    for is_code, lines in groupby(zip(paragraph, states, strict=True), key=itemgetter(1)):
        if is_code:
            places = [place for place, _ in lines]
            yield places[0][0], places[-1][1]


@lru_cache(maxsize=16_384)
def log_odds(line: str) -> float:
    """The log-odds that a line is code."""
    if _AMOUNT.fullmatch(line.strip()):
        return -inf
    if _PLAIN.fullmatch(line) and sum(is_closed(word.lower()) for word in _WORD.findall(line)) >= SPOKEN:
        return -inf
    weights = _weights()
    return float(sum(w * x for w, x in zip(weights["weights"], features(line), strict=True)) + weights["offset"])


def features(line: str) -> list[float]:
    """What a line looks like: its marks, its forms, its words."""
    line = line.rstrip()[:LOOKED_AT]
    bare = line.strip()
    length = max(1, len(bare))
    words, pieces = _WORD.findall(bare), bare.split()
    spoken = sum(is_closed(word.lower()) for word in words)
    return [
        *(10 * bare.count(mark) / length for mark in MARKS),
        *(float(mark in bare) for mark in MARKS),
        *(float(bool(form.search(line))) for form in _FORMS),
        spoken / max(1, len(words)),
        float(spoken > 0),
        sum(map(len, words)) / length,
        sum(map(str.isdigit, bare)) / length,
        sum(map(str.isupper, bare)) / length,
        min(len(pieces), 20) / 20,
        float(len(pieces) == 1),
        float(pieces[:1] != [] and pieces[0] in _OPENERS),
        float(pieces[:1] != [] and pieces[0] in _OPENERS and spoken <= 1),
        min(length / max(1, len(pieces)), 40) / 10,
        sum(bool(_AS_WORD.fullmatch(piece)) for piece in pieces) / max(1, len(pieces)),
    ]


def _paragraphs(text: str) -> list[list[tuple[int, int]]]:
    """The lines of each paragraph, by their offsets; where something was taken out one ends."""
    found: list[list[tuple[int, int]]] = [[]]
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            found[-1].append((at, at + len(line.rstrip("\r\n\f"))))
        elif found[-1]:
            found.append([])
        if line.endswith(BLANK):
            found.append([])
        at += len(line)
    return [paragraph for paragraph in found if paragraph]


def _cheapest(odds: list[float]) -> list[bool]:
    """Of consecutive lines which are code: the likeliest sequence, where every change costs `CHANGE`."""
    best, ways = (0.0, 0.0), list[tuple[bool, bool]]()
    for one in odds:
        came = best[1] - CHANGE > best[0], best[1] >= best[0] - CHANGE
        best = max(best[0], best[1] - CHANGE), max(best[1], best[0] - CHANGE) + one
        ways.append(came)
    state, states = best[1] > best[0], list[bool]()
    for way in reversed(ways):
        states.append(state)
        state = way[state]
    return states[::-1]


@cache
def _weights() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return found
