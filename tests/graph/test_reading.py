"""What is read decides whether there is an answer, all the way through the graph."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import BrokenReader, OverlapReader
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import Context
from veridic.evidence.telling import LONGEST
from veridic.knowledge.connection import now
from veridic.ports.judgements import AnswerSigns, Reading, Strictness
from veridic.ports.shapes import Result
from veridic.sources.passages import Page
from veridic.text.kinds import AnswerKind

QUESTION = "When was the Alder Bridge opened?"
OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
BOTH = "When was the Alder Bridge opened, and when was the toll of the ferrymen abolished?"
TWO = "When was the Alder Bridge opened, and when was the Alder Bridge painted?"
DENIAL = Page(
    document_id="wikipedia:Alder Bridge",
    title="Alder Bridge",
    url="https://example.org/alder",
    text="The Alder Bridge was not opened in 1932 by mayor Clara Voss.",
)
PAINTED = Page(
    document_id="wikipedia:Painting of the Alder Bridge",
    title="Painting of the Alder Bridge",
    url="https://example.org/painted",
    text="The Alder Bridge was painted in 1961.",
)
LONG = (
    "The Alder Bridge, for which the ferrymen had fought through years of petitions and strikes with every means they "
    "had and with some that they had not, was opened in 1932 by mayor Clara Voss, who had been against it at first, "
    "before the tram, for which nobody had asked, was led over it from the old harbour to the new one."
)


HALF_SURE = OverlapReader(needed=0.99, beyond=0.7, quotes=0.995)
"""Is sure of no answer, and of every sentence."""


class UnpromisingReader(OverlapReader):
    """Is sure of every sentence, and says that such sentences are no answers often enough."""

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return {"loose": 0.9, "normal": 2.0, "strict": 2.0}[strictness]


class PointedReader(OverlapReader):
    """Is never quite sure: what is enough differs by strictness."""

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        return min(0.6, super().confidence(kind, signs))

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        return {"loose": 0.33, "normal": 0.5, "strict": 0.75}[strictness]

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return 0.0


class ForgetfulReader(OverlapReader):
    """Reads an answer to the same question only once."""

    def __init__(self) -> None:
        super().__init__(needed=0.95)
        self.seen: set[str] = set()

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        found = super().read(pairs, deadline=deadline)
        blank = [Reading([], 0.0, 0.0, 1.0, (0, len(text))) for _, text in pairs]
        gone = [question in self.seen for question, _ in pairs]
        told = [empty if out else one for one, empty, out in zip(found, blank, gone, strict=True)]
        self.seen |= {question for (question, _), one in zip(pairs, told, strict=True) if one.spans}
        return told


class TimidReader(OverlapReader):
    """Does not vouch for itself."""

    gates = False


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "kb.sqlite")


def sure_of(result: Result) -> float:
    assert result["confidence"] is not None
    return result["confidence"]


def test_what_was_read_leads_the_answer_and_its_place_is_quoted(world: World) -> None:
    result = world.ask(QUESTION)
    assert (result["outcome"], result["answer"], result["short_answer"]) == ("accepted", f"1932\n\n{OPENED}", "1932")
    span = result["answer_span"]
    assert span is not None
    assert world.knowledge().corpus.text_of(span["document_id"])[span["start"] : span["end"]] == "1932"
    assert result["sentences"][0]["citations"] == [span]
    assert sure_of(result) == result["readings"][0]["probability"]
    assert result["judges"]["fingerprints"]["reader"] == "overlap-reader"


def test_a_reader_that_fails_leaves_the_run_unverified_and_is_named(world: World) -> None:
    world.reader = BrokenReader()
    steps, result = world.path_of(QUESTION)
    assert steps[steps.index("read") + 1] == "generate"
    assert result["outcome"] == "unverified"
    assert result["reason"] == "A judge failed in read: The reader is out of order."
    assert [failure["node"] for failure in result["failures"]] == ["read"]
    assert {sentence["verdict"] for sentence in result["sentences"]} == {"unverified"}
    assert OPENED in result["answer"]
    assert (result["short_answer"], result["answer_span"], result["confidence"]) == ("", None, None)


def test_a_reader_that_does_not_gate_leaves_the_run_unverified(world: World) -> None:
    world.reader = TimidReader()
    result = world.ask(QUESTION)
    assert (result["outcome"], result["short_answer"]) == ("unverified", "")
    assert "calibration" in result["reason"]


def test_an_unsure_reading_abstains_and_tells_the_nearest(world: World) -> None:
    world.reader = OverlapReader(needed=2.5)
    result = world.ask(QUESTION)
    assert (result["outcome"], result["short_answer"], result["answer_span"]) == ("abstained", "", None)
    assert result["answer"].startswith('I don\'t know. It may be "1932", but that is too unsure')
    assert f'"{OPENED}" (Alder Bridge).' in result["answer"]
    assert sure_of(result) == result["readings"][0]["probability"] < 1.1
    assert result["sentences"] == []


@pytest.mark.parametrize(("strictness", "short"), [("loose", "1932"), ("normal", "1932"), ("strict", "")])
def test_strictness_moves_whether_a_short_answer_is_given(world: World, strictness: str, short: str) -> None:
    world.reader = PointedReader()
    assert world.ask(QUESTION, strictness=strictness)["short_answer"] == short


def test_the_sentence_of_what_is_half_sure_is_told_without_a_short_answer(world: World) -> None:
    world.reader = HALF_SURE
    result = world.ask(QUESTION)
    assert (result["outcome"], result["short_answer"], result["answer"]) == ("accepted", "", OPENED)
    assert result["confidence"] == result["candidates"][0]["usefulness"] == 0.995
    assert result["readings"][0]["holds"] is False


def test_a_sentence_that_does_not_answer_the_question_is_not_told_instead(world: World) -> None:
    world.reader = OverlapReader(needed=0.99, beyond=0.7, quotes=0.98)
    result = world.ask(QUESTION, max_retries=0)
    assert result["outcome"] == "abstained"
    assert [one["objection"] for one in result["candidates"] if one["origin"] == "read"] == ["too unsure"]


def test_a_question_in_two_parts_gets_both_answers(world: World) -> None:
    result = world.ask(BOTH)
    assert (result["outcome"], result["short_answer"]) == ("accepted", "1932; 1967")
    assert result["answer_span"] is None
    assert [citation["quote"] for citation in result["sentences"][0]["citations"]] == ["1932", "1967"]
    assert [reading["holds"] for reading in result["readings"]] == [True, True]
    assert sure_of(result) == min(reading["probability"] for reading in result["readings"])
    assert result["answer"].count("\n\n") == 1


@pytest.mark.parametrize(
    ("needed", "beyond", "said"), [(0.95, 0.4, "Not sure that this says"), (0.8, 0.85, "Not found")]
)
def test_a_part_that_is_not_found_makes_the_answer_partial_and_is_named(
    world: World, needed: float, beyond: float, said: str
) -> None:
    world.reader = OverlapReader(needed=needed, beyond=beyond)
    result = world.ask(TWO, max_retries=1)
    assert (result["outcome"], result["short_answer"]) == ("partial", "1932")
    assert result["reason"] == f"{said}: when was the Alder Bridge painted?"
    assert [reading["holds"] for reading in result["readings"]] == [True, False]


def test_a_part_that_is_not_found_is_looked_for_outside(world: World) -> None:
    world.reader = OverlapReader(needed=0.95, beyond=0.47)
    source = FakeSource("wikipedia", [PAINTED])
    world.sources = {"wikipedia": source}
    steps, result = world.path_of(TWO, max_retries=1)
    assert steps.count("read") == 2
    assert source.queries == ["alder bridge painted"]
    assert (result["outcome"], result["short_answer"]) == ("corrected", "1932; 1961")


def test_what_was_read_before_an_answer_was_checked_is_kept_when_it_is_read_again(world: World) -> None:
    world.reader = ForgetfulReader()
    world.sources = {"wikipedia": FakeSource("wikipedia", [DENIAL])}
    steps, result = world.path_of(QUESTION, validate_claims="always")
    assert steps.count("read") == 2
    assert [(one["text"], one["holds"]) for one in result["readings"]] == [("1932", True)]
    assert (result["outcome"], result["short_answer"]) == ("unverified", "1932")


@pytest.mark.parametrize(
    ("question", "text", "outcome", "short"),
    [
        ("Was the Alder Bridge opened in 1932?", OPENED, "accepted", "Yes"),
        ("Was the Alder Bridge opened in 1932?", "The Alder Bridge was not opened in 1932.", "accepted", "No"),
        ("Was the Alder Bridge opened by painters?", "The Alder Bridge was often painted by Voss.", "abstained", ""),
    ],
)
def test_yes_no_and_neither(world: World, question: str, text: str, outcome: str, short: str) -> None:
    world.texts = {"Alder Bridge": text}
    result = world.ask(question)
    assert (result["outcome"], result["short_answer"]) == (outcome, short)
    if short:
        assert result["answer"] == f"{short}\n\n{text}"
        assert result["sentences"][0]["citations"][0]["quote"] == text
    else:
        assert result["answer"].startswith("I don't know. The sources do not decide.")


class GivingReader(OverlapReader):
    """Is sure of no answer, and gives every sentence."""

    def given(self, strictness: Strictness) -> float:
        return 0.0


def test_where_neither_yes_nor_no_is_sure_the_sentence_is_given_and_never_verified(world: World) -> None:
    world.texts = {"Alder Bridge": "The Alder Bridge was often painted by Voss."}
    world.reader = GivingReader()
    result = world.ask("Was the Alder Bridge opened by painters?")
    assert (result["outcome"], result["short_answer"]) == ("unverified", "")
    assert result["answer"] == "The Alder Bridge was often painted by Voss."
    assert result["candidates"][0]["objection"] == "undecided"
    assert result["reason"].endswith("Whether it means yes or no is unsure.")


class UnknowingReader(GivingReader):
    """Does not know which sentences answer a yes or no."""

    @property
    def polar(self) -> bool:
        return False


def test_a_reader_that_knows_no_yes_or_no_leaves_it_silent(world: World) -> None:
    world.texts = {"Alder Bridge": "The Alder Bridge was often painted by Voss."}
    world.reader = UnknowingReader()
    assert world.ask("Was the Alder Bridge opened by painters?")["outcome"] == "abstained"


def test_what_is_surely_read_is_verified_beside_a_yes_or_no_that_is_not(world: World) -> None:
    result = world.ask("When was the Alder Bridge opened, and was the Alder Bridge often painted green by sailors?")
    assert [one["holds"] for one in result["readings"]] == [True, False]
    assert (result["outcome"], result["short_answer"]) == ("partial", "1932")


def test_a_model_that_follows_no_instructions_does_not_write_what_can_be_read(world: World) -> None:
    chat = ScriptedChat(always="The Alder Bridge was opened in 1955.")
    world.chat = chat
    assert world.ask(QUESTION)["answer"] == f"1932\n\n{OPENED}"
    assert chat.prompts == []


def test_it_does_write_where_sentences_are_asked_for(world: World) -> None:
    toll = "The toll was abolished in 1967 after a strike of the ferrymen."
    chat = ScriptedChat(always=toll)
    world.chat = chat
    result = world.ask("Why was the toll abolished after a strike?")
    assert len(chat.prompts) > 0
    assert (result["outcome"], result["answer"], result["short_answer"]) == ("accepted", toll, "")


def test_a_capable_writers_draft_holds_when_it_says_what_was_read(world: World) -> None:
    draft = "The Alder Bridge was opened in 1932."
    chat = ScriptedChat(always=draft, follows_instructions=True)
    world.chat = chat
    result = world.ask(QUESTION)
    assert '"1932"' in chat.prompts[0].user
    assert result["outcome"] == "accepted"
    assert draft in result["answer"]
    assert result["short_answer"] == "1932"


def test_a_capable_writers_draft_that_says_another_answer_does_not_hold(world: World) -> None:
    other = "The Alder Bridge was opened by mayor Clara Voss."
    world.chat = ScriptedChat(always=other, follows_instructions=True)
    result = world.ask(QUESTION)
    by_origin = {candidate["origin"]: candidate for candidate in result["candidates"]}
    assert [sentence["verdict"] for sentence in by_origin["chat"]["sentences"]] == ["supported"]
    assert (by_origin["chat"]["holds"], by_origin["read"]["holds"]) == (False, True)
    assert (by_origin["chat"]["objection"], by_origin["read"]["objection"]) == ("read otherwise", None)
    assert result["answer"] == f"1932\n\n{OPENED}"


def test_a_draft_that_answers_otherwise_than_was_read_is_not_verified_and_the_reason_told(world: World) -> None:
    otherwise = "The Alder Bridge was opened in 1967 by mayor Clara Voss."
    world.chat = ScriptedChat(always=otherwise, follows_instructions=True)
    result = world.ask(QUESTION, max_retries=0)
    [chat] = [one for one in result["candidates"] if one["origin"] == "chat"]
    assert (chat["holds"], chat["objection"]) == (False, "read otherwise")
    assert (result["outcome"], result["short_answer"]) == ("accepted", "1932")


def test_a_bare_answer_that_is_what_was_read_is_supported_by_its_place(world: World) -> None:
    world.reader = OverlapReader(needed=1.1)
    world.chat = ScriptedChat(always="1932.", follows_instructions=True)
    result = world.ask(QUESTION)
    assert (result["outcome"], result["answer"], result["short_answer"]) == ("accepted", "1932.", "")
    [sentence] = result["sentences"]
    assert sentence["support"] == result["readings"][0]["probability"]
    assert [citation["quote"] for citation in sentence["citations"]] == ["1932"]


@pytest.mark.parametrize("question", [QUESTION, BOTH])
def test_no_sentence_of_an_answer_is_long(world: World, question: str) -> None:
    world.texts = {"Alder Bridge": f"{LONG} The toll was abolished in 1967 after a strike of the ferrymen."}
    result = world.ask(question)
    assert result["outcome"] == "accepted"
    assert result["short_answer"].startswith("1932")
    assert all(len(sentence["text"].split()) <= LONGEST + 2 for sentence in result["sentences"])
    assert {sentence["verdict"] for sentence in result["sentences"]} == {"supported"}
    stored = world.knowledge().corpus.text_of(result["sentences"][0]["citations"][0]["document_id"])
    for sentence in result["sentences"]:
        assert result["answer"][sentence["start"] : sentence["end"]] == sentence["text"]
        for citation in sentence["citations"]:
            assert stored[citation["start"] : citation["end"]] == citation["quote"]


def test_readings_survive_a_checkpointer_and_a_new_question_starts_without_them(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    graph = world.graph(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}}
    first = graph.invoke({"question": TWO}, config, context=Context(max_retries=1))["result"]
    states = list(graph.get_state_history(config))
    assert states[0].values["readings"] == first["readings"]
    assert first["readings"][0]["text"] == "1932"
    second = graph.invoke({"question": "Hello"}, config, context=Context())["result"]
    assert second["readings"] == []


def test_readings_are_told_while_they_are_made(world: World) -> None:
    stream = world.graph().stream({"question": QUESTION}, context=Context(), stream_mode="custom")
    told = [event for event in stream if event["event"] == "readings"]
    assert [[reading["text"] for reading in event["readings"]] for event in told] == [["1932"]]


TWICE = {"Alder Bridge": "The Alder Bridge was opened in 1932.", "Bridges": "The Alder Bridge was opened in 1955."}


def test_documents_that_disagree_are_both_shown_and_neither_is_verified(tmp_path: Path) -> None:
    result = World(tmp_path / "kb.sqlite", texts=TWICE).ask(QUESTION)
    told = [f"{title} (document, taken in {now()[:10]})" for title in ("Bridges", "Alder Bridge")]
    assert (result["outcome"], result["reason"]) == ("unverified", f"Documents disagree: {' against '.join(told)}.")
    assert all(text in result["answer"] for text in TWICE.values())
    assert {one["title"] for sentence in result["sentences"] for one in sentence["citations"]} == set(TWICE)
    [conflict] = result["conflicts"]
    assert {conflict["supporting"]["title"], conflict["contradicting"]["title"]} == set(TWICE)
    [reading] = result["readings"]
    assert result["confidence"] == reading["probability"] / 2


@pytest.mark.parametrize(("strictness", "verified"), [("loose", True), ("normal", False)])
def test_a_sentence_alone_is_verified_where_such_sentences_answer_often_enough(
    tmp_path: Path, strictness: Strictness, verified: bool
) -> None:
    reader = UnpromisingReader(needed=0.99, beyond=0.7, quotes=0.995)
    world = World(tmp_path / "kb.sqlite", texts={"Bridges": OPENED}, reader=reader)
    result = world.ask(QUESTION, strictness=strictness)
    assert (result["outcome"] == "accepted") == verified


def test_in_a_chat_each_side_has_its_title_its_kind_and_its_date(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts=TWICE)
    message = world.graph().invoke({"question": QUESTION})["messages"][-1].text
    when = f"(document, taken in {now()[:10]})"
    assert f"\n\nSources disagree: Bridges {when} against Alder Bridge {when}.\n\n" in message


def test_documents_that_say_the_same_do_not_disagree(tmp_path: Path) -> None:
    texts = {"Alder Bridge": TWICE["Alder Bridge"], "Bridges": "In 1932 the Alder Bridge was opened."}
    assert World(tmp_path / "kb.sqlite", texts=texts).ask(QUESTION)["outcome"] == "accepted"


@pytest.mark.parametrize("chat", [None, ScriptedChat(always="1955", follows_instructions=True)])
def test_what_is_told_without_being_sure_is_disputed_too(tmp_path: Path, chat: ScriptedChat | None) -> None:
    world = World(tmp_path / "kb.sqlite", texts=TWICE, chat=chat, reader=HALF_SURE)
    result = world.ask(QUESTION)
    assert (result["short_answer"], result["outcome"], len(result["conflicts"])) == ("", "unverified", 1)
    assert all(year in result["answer"] for year in ("1932", "1955"))


def test_documents_that_decide_otherwise_disagree(tmp_path: Path) -> None:
    texts = {"Alder Bridge": OPENED, "Bridges": DENIAL.text}
    result = World(tmp_path / "kb.sqlite", texts=texts).ask("Was the Alder Bridge opened in 1932 by mayor Clara Voss?")
    assert (result["outcome"], len(result["conflicts"])) == ("unverified", 1)
    assert {one["text"] for one in [result["readings"][0], result["readings"][0]["rival"]] if one} == {"Yes", "No"}


def test_what_two_documents_say_in_the_same_words_is_cited_from_both(tmp_path: Path) -> None:
    other = f"{OPENED} It was painted red."
    world = World(tmp_path / "kb.sqlite", texts={"Bridges": OPENED, "Mayors": other, "Tea": "Tea is steamed."})
    found = world.ask(QUESTION, write_back=False)
    assert {one["title"] for one in found["sentences"][-1]["citations"]} == {"Bridges", "Mayors"}
    assert {one["quote"] for one in found["sentences"][-1]["citations"]} == {OPENED}
