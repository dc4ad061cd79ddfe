"""The list of planted faults fits today's code."""

from pathlib import Path

import pytest

from veridic_lab.planted import ROOT, Fault, planted

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("fault", planted(), ids=lambda fault: f"{fault.file}: {fault.new[:40]}")
def test_each_fault_has_one_place_and_tests_that_are_there(fault: Fault) -> None:
    assert (ROOT / "src" / "veridic" / fault.file).read_text(encoding="utf-8").count(fault.old) == 1
    assert all((TESTS / one).exists() for one in fault.tests)
