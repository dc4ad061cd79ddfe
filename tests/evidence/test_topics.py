"""Topics as the shipped embedder sees them, on claims and questions made by hand, and what follows from a topic."""

import pytest

from veridic.evidence.topics import Topic, places_for, places_for_question, topics_of
from veridic.models.embedder import OnnxEmbedder

TABLE: list[tuple[Topic, str]] = [
    ("general", "The Alder Bridge was opened in 1932 by mayor Clara Voss."),
    ("general", "Marie Curie was a Polish physicist and the first woman to win a Nobel Prize."),
    ("general", "Paris is the capital of France."),
    ("general", "The band released its first album in 1969."),
    ("general", "Mount Everest is 8,849 metres high."),
    ("general", "The Ottoman Empire lost the war in 1918."),
    ("general", "Lionel Messi played for FC Barcelona."),
    ("general", "Alexander Fleming discovered penicillin in 1928."),
    ("general", "Toni Morrison wrote the novel Beloved."),
    ("general", "Adults pay more than children."),
    ("general", "How long does a game of laser tag take?"),
    ("general", "What is the training plan of the football team?"),
    ("general", "Is the transformer in the garden loud?"),
    ("general", "What is the latest version of the planner?"),
    ("scientific", "The transformer replaces recurrence with attention in a neural network."),
    ("scientific", "Gradient descent converges linearly on strongly convex functions with a bounded gradient."),
    ("scientific", "Neutrino oscillations imply that neutrinos have mass, unlike the photon."),
    ("scientific", "Entanglement of two qubits survives for ten microseconds."),
    ("scientific", "The lattice shows superconductivity below four kelvin."),
    ("scientific", "How are black holes formed?"),
    ("scientific", "Which laser cools atoms below a microkelvin?"),
    ("scientific", "What is the learning rate of BERT?"),
    ("medical", "Metformin lowers blood glucose in patients with diabetes."),
    ("medical", "The vaccine had an efficacy of 95 percent in the trial."),
    ("medical", "Hepatitis is an inflammation of the liver."),
    ("medical", "Mice without the gene had fewer tumours."),
    ("medical", "Appendectomy is the usual treatment of appendicitis."),
    ("medical", "Can I take ibuprofen with aspirin?"),
    ("medical", "Does aspirin help after a stroke?"),
]
ASTRAY = 1
"""Of the table, at most."""


def test_the_embedder_tells_the_topic_of_nearly_all() -> None:
    found = topics_of([text for _, text in TABLE], OnnxEmbedder().embed)
    missed = [(topic, text) for (known, text), topic in zip(TABLE, found, strict=True) if known != topic]
    assert len(missed) <= ASTRAY, missed


@pytest.mark.parametrize(
    ("claim", "topic", "allowed", "places"),
    [
        ("Clara Voss opened it.", "general", ["arxiv", "web", "wikipedia"], ["wikipedia"]),
        ("Adults pay more.", "general", ["arxiv", "web", "wikipedia"], ["web"]),
        ("Clara Voss opened it.", "general", ["arxiv"], []),
        ("Clara Voss opened it.", "general", [], []),
        ("Qubits lose it.", "scientific", ["arxiv", "wikipedia", "web"], ["arxiv"]),
        ("Qubits lose it.", "scientific", ["wikipedia", "web"], ["wikipedia"]),
        ("Statins help.", "medical", ["wikipedia", "arxiv"], ["arxiv"]),
        ("Statins help.", "medical", ["web", "wikipedia"], ["web"]),
        ("It is the latest version.", "scientific", ["wikipedia", "arxiv", "web"], ["web"]),
        ("It is the latest version.", "general", ["wikipedia"], ["wikipedia"]),
    ],
)
def test_a_claim_goes_to_the_place_that_knows(claim: str, topic: Topic, allowed: list[str], places: list[str]) -> None:
    assert places_for(claim, topic, allowed) == places


EVERY = ["wikipedia", "arxiv", "web"]


@pytest.mark.parametrize(
    ("topic", "allowed", "places"),
    [
        ("general", EVERY, ["wikipedia", "web"]),
        ("scientific", EVERY, ["wikipedia", "arxiv", "web"]),
        ("medical", EVERY, ["wikipedia", "arxiv", "web"]),
        ("general", ["arxiv"], ["arxiv"]),
        ("general", [], []),
    ],
)
def test_a_question_goes_to_the_places_that_fit_it(topic: Topic, allowed: list[str], places: list[str]) -> None:
    assert places_for_question(topic, allowed) == places
