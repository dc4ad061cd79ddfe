"""What the answer is, and how sure it is."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.answering import (
    agrees,
    as_read,
    composes,
    confidence,
    disputes,
    draft,
    held,
    left_open,
    places_of,
    read_alone,
    short_answer,
)
from veridic.evidence.evidence import cite_at
from veridic.exporting.declining import missed
from veridic.ports.shapes import Candidate, Citation, ReadAnswer, ReadPlace, Rival, Sentence
from veridic.text.kinds import AnswerKind
from veridic.text.sentences import Span, sentences

OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


def place(text: str, words: str = "", document: str = "d", start: int = 0) -> Citation:
    """The citation of words of a text, or of all of it."""
    words = words or text
    return cite_at(passage(document, text, title="Alder Bridge"), start + text.index(words), words)


def reading(
    text: str = "1932",
    sentence: str = OPENED,
    *,
    kind: AnswerKind = "when",
    probability: float = 0.9,
    holds: bool = True,
    question: str = "When was the Alder Bridge opened?",
    others: tuple[str, ...] = (),
) -> ReadAnswer:
    words = sentence if kind == "yes-no" else text
    return ReadAnswer(
        question=question,
        kind=kind,
        text=text,
        probability=probability,
        holds=holds,
        span=place(sentence, words) if sentence else None,
        sentence=place(sentence) if sentence else None,
        places=[ReadPlace(sentence=place(one), margin=1.0) for one in (sentence, *others) if one],
        runner_up=None,
        rival=None,
        needed=0.5,
    )


def candidate(text: str, *, origin: str = "read", support: float = 1.0, usefulness: float = 0.4) -> Candidate:
    """A candidate whose sentences are all supported."""
    judged = [
        Sentence(
            text=one.text,
            start=one.start,
            end=one.end,
            verdict="supported",
            support=support,
            contradiction=0.0,
            citations=[place(one.text)],
        )
        for one in sentences(text)
    ]
    return {**draft(text, "read"), "origin": origin, "sentences": judged, "usefulness": usefulness}  # type: ignore[typeddict-item]


def test_why_and_how_and_nothing_read_are_for_the_writer() -> None:
    assert composes([])
    assert composes([reading(), reading(kind="why-how")])
    assert not composes([reading(holds=False)])


def test_only_what_is_sure_enough_is_held() -> None:
    sure, unsure = reading(), reading("1955", sentence="It opened in 1955.", holds=False)
    assert held([sure, unsure]) == [sure]


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("It was opened in 1932.", reading(), True),
        ("The mayor was The Clara Voss!", reading("Clara Voss", kind="who"), True),
        ("It was opened in 1933.", reading(), False),
        ("It was opened in 19321.", reading(), False),
        ("Voss opened it.", reading("Clara Voss", kind="who"), True),
        ("Anna Voss opened it.", reading("Clara Voss", kind="who"), False),
        ("It opened.", reading("the", sentence="the"), False),
        ("Yes, in 1932.", reading("Yes", kind="yes-no"), True),
        ("No.", reading("Yes", kind="yes-no"), False),
        ("It was opened in 1932.", reading("Yes", kind="yes-no"), True),
        ("", reading("No", kind="yes-no"), True),
    ],
)
def test_a_draft_agrees_when_it_says_what_was_read(text: str, read: ReadAnswer, expected: bool) -> None:
    assert agrees(text, read) is expected


def test_the_short_answer_is_one_a_part_and_only_what_the_chosen_text_says() -> None:
    toll = "The toll was abolished in 1967."
    both = [reading(), reading("1967", sentence=toll, probability=0.6)]
    assert short_answer(candidate(f"{OPENED} {toll}"), both) == "1932; 1967"
    assert short_answer(candidate("It opened in 1932.", origin="chat"), both) == "1932"
    assert short_answer(candidate("It is long.", origin="chat"), both) == ""
    assert short_answer(candidate(OPENED), [reading(), reading()]) == "1932"
    assert [one["quote"] for one in places_of(candidate(f"{OPENED} {toll}"), both)] == ["1932", "1967"]
    assert [one["quote"] for one in places_of(candidate("In 1967.", origin="chat"), both)] == ["1967"]
    assert short_answer(None, both) == ""
    assert short_answer(candidate(OPENED), [reading(holds=False)]) == ""


def test_what_was_dropped_from_the_chosen_text_is_not_its_short_answer() -> None:
    toll = "The toll was abolished in 1967."
    both = [reading(), reading("1967", sentence=toll, probability=0.6)]
    assert short_answer(candidate(toll), both) == "1967"


def test_of_two_documents_that_disagree_either_may_be_told_and_the_other_disputes_it() -> None:
    older = "The Alder Bridge opened in 1931."
    read = reading(holds=False)
    read["rival"] = Rival(text="1931", sentence=place(older, document="e"))
    (dispute,) = disputes(candidate(OPENED, origin="extractive"), [read])
    (other,) = disputes(candidate(older, origin="extractive"), [read])
    assert (dispute["claim"], dispute["contradicting"]["document_id"]) == ("1932", "e")
    assert (other["claim"], other["contradicting"]["document_id"]) == ("1931", "d")
    assert disputes(candidate("It is long.", origin="extractive"), [read]) == []


def test_a_part_that_the_sentence_told_may_answer_is_not_said_to_be_missing() -> None:
    by_whom = reading("Clara Voss", kind="who", holds=False, probability=0.3, question="By whom?")
    painted = reading("1955", sentence="It was built in 1955.", holds=False, question="When was it painted?")
    unread = reading("", sentence="", holds=False, question="Why?")
    assert left_open([reading(), by_whom]) == "Not sure that this says: By whom?"
    both = "Not found: When was it painted? Why? Not sure that this says: By whom?"
    assert left_open([reading(), painted, by_whom, unread]) == both


def test_the_confidence_is_that_of_the_candidate_or_of_the_likeliest_reading() -> None:
    both = [reading(), reading("1967", sentence="The toll was abolished in 1967.", probability=0.6)]
    assert confidence({**candidate(OPENED), "probability": 0.7}, both) == 0.7
    assert confidence(candidate(OPENED), both) is None
    assert confidence(None, [reading(holds=False, probability=0.2), reading(holds=False, probability=0.1)]) == 0.2
    assert confidence(None, []) is None


def test_what_was_missed_is_told_with_the_nearest() -> None:
    unsure = reading(holds=False, probability=0.3)
    assert missed([reading("1955", sentence="In 1955 it rained.", holds=False, probability=0.1), unsure]) == (
        f'It may be "1932", but that is too unsure (0.30). The nearest that was found: "{OPENED}" (Alder Bridge).'
    )
    assert missed([reading("undecided", kind="yes-no", holds=False)]).startswith("The sources do not decide.")
    assert missed([reading(holds=False, probability=0.01)]).startswith("Nothing in the sources answers it.")
    assert missed([reading(sentence="", holds=False)]) == ""
    assert missed([]) == ""


def test_beside_the_nearest_the_next_ones_are_told_with_their_places() -> None:
    told = missed(
        [reading(holds=False, probability=0.2, others=("The toll was abolished in 1967.", "It was painted."))]
    )
    assert told.endswith(
        f'found: "{OPENED}" (Alder Bridge); "The toll was abolished in 1967." (Alder Bridge); '
        '"It was painted." (Alder Bridge).'
    )


@pytest.mark.parametrize("block", ["| Alder | 1932 |\n" * 300, "open(alder,1932);" * 300, "1932" + "-" * 5000], ids=len)
def test_of_a_block_without_sentences_the_nearest_is_told_in_short(block: str) -> None:
    told = missed([reading("1932", sentence=block, holds=False, probability=0.3)])
    assert "1932" in told
    assert "…" in told
    assert len(told) < 600
    assert len(missed([reading(block, sentence=block, holds=False, probability=0.3)])) < 1000


def test_what_was_read_alone_is_as_sure_as_the_reading() -> None:
    found = reading(probability=0.4, holds=False)
    assert read_alone("In 1932.", [found]) is None
    assert read_alone("1932.", [found]) is found
    assert read_alone("Yes.", [reading("Yes", kind="yes-no", holds=False)]) is None
    decided = reading("Yes", kind="yes-no")
    assert read_alone("Yes.", [decided]) is decided
    assert read_alone("No.", [decided]) is None
    sentence = as_read(Span("1932.", 0, 5), found)
    assert (sentence["verdict"], sentence["support"], sentence["citations"]) == ("supported", 0.4, [found["span"]])
