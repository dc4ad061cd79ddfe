from pathlib import Path

from tests.graph.world import World
from veridic.evidence import decompose, headed, kept, tokens

LONG = " ".join(f"The lighthouse of Sand Point number {number} was lit in 18{number:02d}." for number in range(60))


def test_strips_know_their_place_in_the_stored_text(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    result = world.ask("When was the lighthouse of Sand Point number 7 lit?")
    corpus = world.knowledge().corpus
    assert result["strips"]
    for strip in result["strips"]:
        stored = corpus.text_of(strip["passage"]["document_id"])
        assert stored[strip["start"] : strip["end"]] == strip["text"]


def test_the_kept_strips_fit_the_budget_and_stand_in_reading_order(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    strips = kept(world.ask("When was the lighthouse of Sand Point lit?", evidence_tokens=128)["strips"])
    assert sum(tokens(headed(strip["passage"], strip["text"])) for strip in strips) <= 128
    by_passage: dict[str, list[int]] = {}
    for strip in strips:
        by_passage.setdefault(strip["passage"]["id"], []).append(strip["start"])
    assert all(starts == sorted(starts) for starts in by_passage.values())


def test_near_duplicates_are_kept_once(tmp_path: Path) -> None:
    text = "The Alder Bridge was opened in 1932."
    world = World(tmp_path / "kb.sqlite", texts={"First": text, "Second": f"{text} "})
    result = world.ask("When was the Alder Bridge opened?")
    assert len(kept(result["strips"])) == 1


def test_decompose_loses_nothing(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={"Lighthouses": LONG})
    passages = world.knowledge().corpus.search(["lighthouse"], limit=9, deadline=float("inf"))[0]
    for passage in passages:
        together = "".join(strip["text"] for strip in decompose(passage))
        assert "".join(together.split()) == "".join(passage["text"].split())
