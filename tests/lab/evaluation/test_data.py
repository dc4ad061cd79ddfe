"""Splits, groups, lots and checks of the data."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.lab.evaluation.rows import question
from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.grouping import groups_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.sampling import drawn, with_fewer_documents
from veridic_lab.evaluation.suites import Suite
from veridic_lab.evaluation.taken_away import Remaining

TRAITS = st.dictionaries(st.text("xyz", min_size=1, max_size=3), st.lists(st.sampled_from("abcdefg"), max_size=3))


def pool(number: int = 120) -> list[GoldQuestion]:
    missing = ["", "", "removed", "near miss"]
    return [question(f"q{i}", missing=missing[i % 4], group=f"g{i // 3}") for i in range(number)]  # type: ignore[arg-type]


@settings(deadline=None)
@given(TRAITS)
def test_names_that_share_a_trait_are_in_one_group(traits: dict[str, list[str]]) -> None:
    groups = groups_of(traits)
    for one in traits:
        for other in traits:
            if set(traits[one]) & set(traits[other]):
                assert groups[one] == groups[other]


def test_groups_link_through_others() -> None:
    groups = groups_of({"1": ["a", "b"], "2": ["b", "c"], "3": ["c"], "4": ["d"]})
    assert groups["1"] == groups["2"] == groups["3"] != groups["4"]


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 150), st.integers(0, 5))
def test_a_larger_draw_asks_the_same_questions_and_more(limit: int, seed: int) -> None:
    few = {one.id for one in drawn(pool(), limit, seed)}
    more = {one.id for one in drawn(pool(), limit + 10, seed)}
    assert few <= more
    assert len(few) <= limit


def test_half_of_what_cannot_be_answered_are_near_misses() -> None:
    chosen = drawn(pool(400), 100, seed=1)
    counts = {missing: sum(one.missing == missing for one in chosen) for missing in ("", "removed", "near miss")}
    assert counts == {"": 70, "removed": 15, "near miss": 15}


def test_fewer_documents_keep_what_the_questions_need() -> None:
    documents = tuple(Text(url=f"d{i}", title="", text="x") for i in range(20))
    asked = [question("1", gold=["d7"]), question("2", gold=["d19", "d3"])]
    kept = with_fewer_documents(Suite("answers", tuple(asked), documents), asked, 5).documents
    assert len(kept) == 5
    assert {"d7", "d19", "d3"} <= {one.url for one in kept}


def test_a_removed_question_that_another_passage_answers_is_noticed() -> None:
    remaining = Remaining([Text(url="d", title="Alder Bridge", text="The bridge was opened by Clara Voss.")])
    asked = question(text="Who opened the Alder Bridge?")
    assert remaining.may_answer(asked)
    assert not remaining.may_answer(question(text="Who painted the Sistine Chapel in Rome?"))
    assert not remaining.may_answer(question(answers=["Clara"], text="Who closed the harbour?"))
