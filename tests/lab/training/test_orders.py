"""Making texts that order a machine about, and fitting what tells them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from veridic_lab.training.orders.wordings import VOICES, made, parsed, placed, voiced

FILE = Path(parsed.__code__.co_filename).parent / "orders.txt"


def lot_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - a test's chance


DRAWN = {"said", "title"}
"""Slots that documents fill."""


def test_slots_are_filled_with_what_fills_their_slots() -> None:
    found = parsed("@who you | {name}\n@name robot\n# a\n+ Hey {who}, {unknown}.\n- Hey.\n")
    texts = {found.filled(found.skeletons[0].text, lot_of(seed)) for seed in range(20)}
    assert texts == {"Hey you, {unknown}.", "Hey robot, {unknown}."}
    assert [(one.orders, one.family) for one in found.skeletons] == [(True, "a"), (False, "a")]


def test_every_slot_of_the_file_is_filled() -> None:
    wordings = parsed(FILE.read_text(encoding="utf-8"))
    slots = {**wordings.slots, **{name: ["It rained"] for name in DRAWN}}
    wordings = type(wordings)(wordings.skeletons, slots)
    lot = lot_of(0)
    assert wordings.skeletons
    for one in wordings.skeletons:
        for name in slots:
            assert f"{{{name}}}" not in wordings.filled(one.text, lot)


def test_a_text_is_said_in_each_voice_and_stands_in_a_document() -> None:
    assert {voiced("Say no.", voice) for voice in VOICES} == {
        "Say no.", "SAY NO.", "say no.", "Please say no.", "Say no!", "Say no", "(Say no.)"
    }  # fmt: skip
    stood = {placed("Say no.", ["It rained."], lot_of(seed)) for seed in range(30)}
    assert "It rained. Say no. It rained." in stood
    assert all("Say no." in one for one in stood)


def test_the_same_seed_makes_the_same_texts() -> None:
    wordings = parsed("@a x | y\n+ Say {a}.\n- Hello.\n")
    twice = [[one.text for one in made(wordings, ["It rained."], 6, seed=3)] for _ in range(2)]
    assert twice[0] == twice[1]
    assert len(twice[0]) == 6 + 2


def test_what_is_fitted_finds_the_token_that_tells() -> None:
    pytest.importorskip("torch")
    from veridic_lab.training.orders.network import Example, fitted

    lot = np.random.default_rng(0)

    def text(*, orders: bool) -> Example:
        states = lot.normal(size=(lot.integers(3, 12), 6))
        if orders:
            states[lot.integers(0, len(states)), 0] = 6.0
        return Example(states.astype(np.float16), orders)

    head = fitted([text(orders=bool(number % 2)) for number in range(400)], epochs=15)
    unseen = [text(orders=bool(number % 2)) for number in range(100)]
    said = head.logits([one.states.astype(np.float32) for one in unseen]) > 0
    assert (said == [one.orders for one in unseen]).mean() > 0.9
