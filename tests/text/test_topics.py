"""The topic rules on a table made by hand, and what follows from a topic."""

import pytest

from veridic.text.topics import Topic, places_for, places_for_question, topic_of

TABLE: list[tuple[Topic, str]] = [
    ("encyclopaedic", "The Alder Bridge was opened in 1932 by mayor Clara Voss."),
    ("encyclopaedic", "Marie Curie was a Polish physicist and the first woman to win a Nobel Prize."),
    ("encyclopaedic", "Albert Einstein developed the theory of relativity."),
    ("encyclopaedic", "Paris is the capital of France."),
    ("encyclopaedic", "The band released its first album in 1969."),
    ("encyclopaedic", "Mount Everest is 8,849 metres high."),
    ("encyclopaedic", "The Ottoman Empire lost the war in 1918."),
    ("encyclopaedic", "Lionel Messi played for FC Barcelona."),
    ("encyclopaedic", "The Beatles were formed in Liverpool."),
    ("encyclopaedic", "Alexander Fleming discovered penicillin in 1928."),
    ("encyclopaedic", "Toni Morrison wrote the novel Beloved."),
    ("encyclopaedic", "The library was founded in the fourteenth century."),
    ("scientific", "The transformer replaces recurrence with attention."),
    ("scientific", "Gradient descent converges linearly on strongly convex functions with a bounded gradient."),
    ("scientific", "Neutrino oscillations imply that neutrinos have mass, unlike the photon."),
    ("scientific", "The benchmark dataset holds questions for open retrieval."),
    ("scientific", "Entanglement of two qubits survives for ten microseconds."),
    ("scientific", "The lattice shows superconductivity below four kelvin."),
    ("scientific", "BERT is trained with a masked language objective on a large dataset by gradient descent."),
    ("medical", "Metformin lowers blood glucose in patients with diabetes."),
    ("medical", "The vaccine had an efficacy of 95 percent in the trial."),
    ("medical", "Hepatitis is an inflammation of the liver."),
    ("medical", "Statins reduce mortality after a stroke."),
    ("medical", "Mice without the gene had fewer tumours."),
    ("medical", "The Framingham study linked cholesterol to cardiovascular disease."),
    ("medical", "Appendectomy is the usual treatment of appendicitis."),
    ("current", "The latest version was released this week."),
    ("current", "The current president of the club is Emil Stark."),
    ("general", "Adults pay more than children."),
    ("general", "Green paint lasts longer than red paint."),
]

OLD = 0.9
"""The share of the table that the rules got right when they were written."""


def test_the_rules_keep_their_share_of_the_table() -> None:
    right = [topic_of(claim, "") == topic for topic, claim in TABLE]
    missed = [claim for (_, claim), fits in zip(TABLE, right, strict=True) if not fits]
    assert sum(right) / len(TABLE) >= OLD, missed


def test_the_question_tells_when_the_claim_does_not() -> None:
    assert topic_of("The effect was small.", "Does aspirin help patients after a stroke?") == "medical"


@pytest.mark.parametrize(
    ("topic", "allowed", "places"),
    [
        ("encyclopaedic", ["arxiv", "wikipedia", "web"], ["wikipedia"]),
        ("scientific", ["arxiv", "wikipedia", "web"], ["arxiv"]),
        ("scientific", ["wikipedia", "web"], ["wikipedia"]),
        ("medical", ["pubmed", "arxiv"], ["pubmed"]),
        ("medical", ["web", "wikipedia"], ["web"]),
        ("medical", ["wikipedia", "arxiv"], ["arxiv"]),
        ("current", ["wikipedia", "web"], ["web"]),
        ("general", ["arxiv", "wikipedia", "web"], ["wikipedia"]),
        ("encyclopaedic", ["arxiv", "pubmed"], []),
        ("encyclopaedic", [], []),
    ],
)
def test_a_claim_goes_to_the_place_that_knows(topic: Topic, allowed: list[str], places: list[str]) -> None:
    claim = next(text for known, text in TABLE if known == topic and topic_of(text, "") == topic)
    assert places_for(claim, "", allowed) == places


EVERY = ["wikipedia", "arxiv", "web", "pubmed"]


@pytest.mark.parametrize(
    ("question", "allowed", "places"),
    [
        ("Who opened the Alder Bridge?", EVERY, ["wikipedia", "web"]),
        ("Which theorem bounds the gradient?", EVERY, ["wikipedia", "arxiv", "web"]),
        ("Does aspirin help after a stroke?", EVERY, ["wikipedia", "web", "pubmed"]),
        ("Does aspirin help after a stroke?", ["wikipedia", "arxiv", "web"], ["wikipedia", "arxiv", "web"]),
        ("Did Curie measure the spectrum of radium in patients?", EVERY, EVERY),
        ("What is the latest version?", EVERY, ["wikipedia", "web"]),
        ("What is the latest benchmark dataset?", EVERY, ["wikipedia", "arxiv", "web"]),
        ("how long is it", EVERY, EVERY),
        ("Who opened the Alder Bridge?", ["arxiv", "pubmed"], ["arxiv", "pubmed"]),
        ("Who opened the Alder Bridge?", [], []),
    ],
)
def test_a_question_goes_to_the_places_that_fit_it(question: str, allowed: list[str], places: list[str]) -> None:
    assert places_for_question(question, allowed) == places
