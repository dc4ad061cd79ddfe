"""Verdicts from judgements: the veto, the citations, the disagreement."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.evidence import holds
from veridic.evidence.grounding import (
    Weighed,
    asserted,
    citations,
    disagreement,
    most_doubtful,
    repeated,
    settle,
    stands_in,
    verbatim,
    weigh,
)
from veridic.evidence.premises import Premise, premises_for
from veridic.ports.judgements import Entailment
from veridic.ports.shapes import Strip
from veridic.text.sentences import Span


def strip(text: str, document: str = "d", source: str = "corpus", start: int = 0) -> Strip:
    held = passage(document, text)
    held["source"] = source
    return Strip(passage=held, text=text, start=start, end=start + len(text), score=0.9, kept=True)


def said(entailment: float, contradiction: float = 0.0) -> Entailment:
    return Entailment(entailment, 1 - entailment - contradiction, contradiction, (0, 1))


@pytest.mark.parametrize("sentence", ["Yes.", "No", "Maybe."])
def test_a_bare_decision_is_read_and_asserts_nothing(sentence: str) -> None:
    assert asserted(sentence, "Was the Alder Bridge opened in 1932?") is None


def test_a_bare_answer_is_judged_with_its_question() -> None:
    question = "When was the Alder Bridge opened?"
    assert asserted("In 1932.", question) == "When was the Alder Bridge opened? In 1932."
    assert asserted("The bridge was opened in 1932.", question) == "The bridge was opened in 1932."
    assert asserted("In 1932.", question, heard=True) == "In 1932."


def test_a_sentence_may_rest_on_two_strips_and_then_cites_both() -> None:
    first, second = strip("The Alder Bridge opened in 1932.", "a"), strip("The Alder Bridge is 412 metres long.", "b")
    together = Premise("both", (first, second))
    text = "Opened then, the Alder Bridge is long."
    weighed = weigh([together, Premise("one", (first,))], [said(0.9), said(0.2)])
    found = settle(Span(text, 0, len(text)), weighed, assertion=text, support=0.7, contradiction=0.7)
    assert found["verdict"] == "supported"
    assert [citation["document_id"] for citation in found["citations"]] == ["a", "b"]


def test_of_strips_read_together_those_are_cited_that_add_to_the_sentence() -> None:
    text = "The notice period during probation is two weeks."
    strips = (
        strip("The warranty period runs for two years.", "warranty"),
        strip("The notice period is two weeks during probation, six weeks for staff.", "notice"),
    )
    weighed = weigh([Premise("\n".join(one["text"] for one in strips), strips)], [said(0.9)])
    assert [one["document_id"] for one in citations(text, weighed, 0.7)] == ["notice"]


def test_what_one_document_says_alone_supports_nothing_that_all_together_do_not() -> None:
    rule, exception = strip("Dogs may come in.", "rule"), strip("No dog may come in on Mondays.", "exception")
    text = "Dogs may come in on Mondays."
    premises = premises_for(text, [rule, exception])
    assert [one.document for one in premises] == ["", "rule", "exception"]
    weighed = weigh(premises, [said(0.1), said(0.9), said(0.05)])
    found = settle(Span(text, 0, len(text)), weighed, assertion=text, support=0.7, contradiction=0.7)
    assert (found["verdict"], found["support"], citations(text, weighed, 0.7)) == ("unsupported", 0.1, [])


def test_contradiction_and_silence_are_two_verdicts() -> None:
    place = Span("It closed.", 0, 10)
    premise = Premise("It opened.", (strip("It opened."),))
    against = weigh([premise], [said(0.1, 0.8)])
    silent = weigh([premise], [said(0.1, 0.2)])
    assert settle(place, against, assertion=place.text, support=0.7, contradiction=0.7)["verdict"] == "contradicted"
    assert settle(place, silent, assertion=place.text, support=0.7, contradiction=0.7)["verdict"] == "unsupported"


def test_a_sentence_is_partly_supported_where_the_critic_marks_some_of_its_words() -> None:
    place = Span("It opened in 1932.", 0, 18)
    premise = Premise("It opened in 1931.", (strip("It opened in 1931."),))
    for marked, shown, verdict in (((13, 17), [13, 17], "partly"), ((0, 17), [0, 2], "unsupported")):
        one = Weighed(premise, 0.1, 0.2, "base", (marked,))
        found = settle(place, [one], assertion=place.text, support=0.7, contradiction=0.7)
        assert (found["verdict"], found["doubtful"], found["judged_by"]) == (verdict, [shown], "base")
        bare = settle(place, [one], assertion="When? It opened in 1932.", support=0.7, contradiction=0.7)
        assert (bare["verdict"], "doubtful" in bare) == ("unsupported", False)


def test_of_doubtful_words_the_most_doubtful_fifth_is_marked_in_order() -> None:
    text = "The Alder Bridge was opened in 1932 by the mayor."
    places = [(31, 35), (0, 3), (4, 9), (44, 48)]
    assert [text[start:end] for start, end in most_doubtful(places, text)] == ["The", "1932"]
    assert most_doubtful([(4, 6), (10, 16)], text) == [[4, 16]]


def test_code_is_never_supported_by_inference() -> None:
    code = "```\nrun()\n```"
    weighed = weigh([Premise(code, (strip(code),))], [said(0.99)])
    found = settle(Span(code, 0, len(code)), weighed, assertion=code, support=0.7, contradiction=0.7)
    assert (found["verdict"], found["citations"]) == ("unverified", [])


def test_a_sentence_that_stands_in_a_strip_needs_no_critic() -> None:
    held = strip("It opened in 1932. It is long.")
    assert stands_in("It is long.", [held]) is held
    assert stands_in("It is long", [held]) is None
    assert stands_in("is long.", [held]) is None


def test_a_copied_sentence_cites_its_own_span() -> None:
    held = strip("It opened in 1932. It is long.", start=100)
    [citation] = verbatim(Span("It is long.", 0, 11), held, "It is long.")["citations"]
    assert (citation["quote"], citation["start"], citation["end"]) == ("It is long.", 119, 130)
    assert holds(held, citation)
    assert not holds(strip("Other.", start=0), citation)


def test_the_same_strip_supports_two_sentences_and_is_cited_by_both() -> None:
    held = strip("It opened in 1932 and is long.")
    for text in ("It opened in 1932.", "It is long."):
        weighed = weigh(premises_for(text, [held]), [said(0.9)] * len(premises_for(text, [held])))
        found = settle(Span(text, 0, len(text)), weighed, assertion=text, support=0.7, contradiction=0.7)
        assert [citation["document_id"] for citation in found["citations"]] == ["d"]


def test_a_conflict_needs_two_sources_that_disagree() -> None:
    text = "It opened in 1932."
    corpus, outside = strip(text), strip("It opened in 1955.", "w", source="web")
    premises = [Premise(corpus["text"], (corpus,)), Premise(outside["text"], (outside,))]
    weighed = weigh(premises, [said(0.9), said(0.05, 0.9)])
    sides = disagreement(text, weighed, support=0.7, contradiction=0.7)
    assert sides is not None
    assert [side["document_id"] for side in sides] == ["d", "w"]
    assert disagreement(text, weighed[:1], support=0.7, contradiction=0.7) is None
    own = strip("It opened in 1955.", "e")
    beside = weigh([premises[0], Premise(own["text"], (own,))], [said(0.9), said(0.05, 0.9)])
    assert disagreement(text, beside, support=0.7, contradiction=0.7) is None, "both are of one source"


def test_a_sentence_that_another_document_says_too_cites_both() -> None:
    said_in = strip("It opened in 1932. It is long.")
    sentence = verbatim(Span("It is long.", 0, 11), said_in, "It is long.")
    again = passage("e", "A bridge.\nIt is\nlong. It is old.")
    again["start"] = 100
    others = [
        said_in["passage"],
        passage("f", "It is long and old."),
        passage("gen-1", "It is long.", kind="generated"),
        again,
        passage("h", "It is long."),
    ]
    [told] = repeated([sentence], others)
    assert [(one["document_id"], one["start"], one["quote"]) for one in told["citations"]] == [
        ("d", 19, "It is long."),
        ("e", 110, "It is\nlong."),
    ]


def test_an_item_of_a_list_is_the_same_sentence_without_its_mark_and_no_other() -> None:
    held = strip("- The director is Clara Voss.\n- It is long.")
    assert stands_in("It is long.", [held]) is held
    assert stands_in("- It is long.", [held]) is held
    assert stands_in("5 degrees is the lowest.", [strip("- 5 degrees is the lowest.")]) is None
    told = {**verbatim(Span("- It is long.", 0, 13), held, "- It is long."), "text": "It is long."}
    [again] = repeated([told], [held["passage"], passage("e", "* It is long."), passage("f", "It is long. It is old.")])
    assert [(one["document_id"], one["quote"]) for one in again["citations"]] == [
        ("d", "- It is long."),
        ("e", "* It is long."),
    ]


def test_what_is_written_anew_cites_no_further_place() -> None:
    held = strip("It is long.")
    written = verbatim(Span("So it is long.", 0, 14), held, "It is long.")
    assert repeated([written], [held["passage"], passage("e", "It is long.")]) == [written]
    together = {**written, "citations": 3 * written["citations"]}
    assert repeated([together], [passage("e", "It is long.")]) == [together]
    unread = {**written, "verdict": "unverified", "citations": []}
    assert repeated([unread], [passage("e", "So it is long.")]) == [unread]
