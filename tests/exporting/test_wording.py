"""The words that people read: every name of a result has some, and the page has the same."""

import re
from pathlib import Path
from typing import get_args

import pytest

import veridic
from veridic.exporting import wording
from veridic.graph.builder import graph_of
from veridic.graph.checking import CHECK
from veridic.graph.systems import SYSTEMS
from veridic.ports.shapes import Action, Outcome, Standing
from veridic.ports.shapes.checking import CheckVerdict, Unjudged
from veridic.ports.shapes.learning import STATUSES, RecordStatus
from veridic.ports.shapes.report import StoppedBy
from veridic.resources import default_resources
from veridic.text.assertions import NoStatement, Unread

PAGE = (Path(veridic.__file__).parent / "server" / "page_files" / "words.js").read_text(encoding="utf-8")
UNREAD = (*get_args(NoStatement), *get_args(Unread), "no time", "judge failed", "changed")


def block(name: str) -> str:
    found = re.search(rf"const {name} = (?:new Set\(\[)?(.*?)\n?[}}\]]\)?;", PAGE, re.DOTALL)
    assert found, name
    return found[1]


def pairs(name: str, value: str = r'"([^"]*)"') -> dict[str, str]:
    return {key.strip('"'): text for key, text in re.findall(rf'^ +("[^"]+"|\w+): {value}', block(name), re.MULTILINE)}


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (wording.OUTCOMES, get_args(Outcome)),
        (wording.STOPPED, get_args(StoppedBy)),
        (wording.ACTIONS, get_args(Action)),
        (wording.STANDINGS, get_args(Standing)),
        (STATUSES, get_args(RecordStatus)),
        (wording.CHECKED, get_args(CheckVerdict)),
        (wording.UNJUDGED, UNREAD),
    ],
)
def test_every_name_has_words(words: dict[str, str], names: tuple[str, ...]) -> None:
    assert set(words) == set(names)
    assert all(words.values())


def test_why_nothing_is_said_of_a_sentence_is_known_whole() -> None:
    assert str(Unjudged).count("no time") == 1
    assert set(re.findall(r'"([^"]+)"', block("NO_STATEMENT"))) == set(get_args(NoStatement))


@pytest.mark.parametrize(
    ("words", "on_the_page"),
    [
        (wording.OUTCOMES, pairs("OUTCOMES", r'\{ sign: "[^"]*", words: "([^"]*)"')),
        (wording.STOPPED, pairs("STOPPED", r'\["[^"]*", "([^"]*)"\]')),
        (wording.ACTIONS, pairs("ACTIONS")),
        (STATUSES, pairs("STATUSES")),
        (wording.UNJUDGED, pairs("UNJUDGED")),
    ],
)
def test_the_page_says_the_same(words: dict[str, str], on_the_page: dict[str, str]) -> None:
    assert {name: text.lower().rstrip(".") for name, text in on_the_page.items()} == {
        name: text.lower().rstrip(".") for name, text in words.items()
    }


def nodes() -> set[str]:
    """Every node of every system."""
    return {
        node
        for one in (*SYSTEMS.values(), CHECK)
        for node in graph_of(one, default_resources).nodes
        if "__" not in node
    }


def test_the_page_names_every_step_by_the_same_words() -> None:
    phases = re.findall(r'^ +"([^"]+)": \[([^\]]*)\]', block("PHASES"), re.MULTILINE)
    steps = {node: phase for phase, told in phases for node in re.findall(r'"(\w+)"', told)} | pairs("STEPS")
    assert set(steps) >= nodes()
    assert {node: steps[node].lower() for node in nodes()} == {node: wording.step(node) for node in nodes()}
