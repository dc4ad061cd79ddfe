"""What a question or claim is about, as the embedder sees it: enough to choose where to look it up.

A topic is known by examples of what is asked and told in it; a text belongs to the one whose nearest example is nearer
than any other's. arXiv is asked what is its own, the general places anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from veridic.text.facts import names
from veridic.text.questions import is_time_sensitive

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Topic = Literal["medical", "scientific", "general"]

EXAMPLES: Mapping[Topic, tuple[str, ...]] = {
    "medical": (
        "Does this drug lower mortality in patients with heart disease?",
        "A clinical trial compared a treatment with placebo.",
        "Symptoms, diagnosis and treatment of a disease.",
        "Surgery and its complications in patients.",
        "The effect of a gene or protein in cells and mice.",
        "Risk factors for cancer.",
        "Infection by bacteria or viruses, and vaccines against them.",
        "Health care outcomes of pregnant women and children.",
    ),
    "scientific": (
        "A neural network is trained on a benchmark dataset.",
        "Machine learning models and large language models.",
        "A theorem is proved about a mathematical structure.",
        "Quantum mechanics, qubits and entanglement.",
        "Particle physics: neutrinos, quarks and bosons.",
        "Galaxies, black holes and cosmology.",
        "The computational complexity of an algorithm.",
        "The physics of superconductors and materials.",
        "Statistical methods and estimators.",
    ),
    "general": (
        "Who founded the city and when?",
        "Where was the king born?",
        "Which team won the championship?",
        "Who sang the song and who wrote it?",
        "When did the war end?",
        "How many people live in the country?",
        "What does it cost and when does it open?",
        "Which actor plays the part in the film?",
        "How do I repair or cook something at home?",
        "The company released a new product.",
        "What is the history of the church?",
        "The law and the government of a state.",
        "Animals, plants and rivers of a region.",
        "Schools, universities and students.",
        "Who discovered it?",
        "A game or a sport for children.",
    ),
}
MARGIN = 0.03
"""By so much the nearest example of a special topic is nearer than any other's."""
OWN: Mapping[Topic, str] = {"medical": "arxiv", "scientific": "arxiv"}
"""The source that knows a topic best; any other may be asked anything."""
Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Texts to unit vectors, [n, dimension]."""


def topics_of(texts: Sequence[str], embed: Embed) -> list[Topic]:
    """The topic of each text; `general` where none is clearly nearer."""
    vectors = embed(texts)
    nearest = {name: (vectors @ embed(examples).T).max(axis=1) for name, examples in EXAMPLES.items()}
    return [_nearest({name: float(found[i]) for name, found in nearest.items()}) for i in range(len(texts))]


def places_for(claim: str, topic: Topic, allowed: Sequence[str]) -> list[str]:
    """Where to look a claim up: its topic's own source, else one general place of those allowed.

    Nowhere when neither is there: arXiv does not know who built a bridge, and need not hear of it. The web knows what
    changes by the day, an encyclopaedia what has a name.
    """
    general = [name for name in allowed if name not in OWN.values()]
    if is_time_sensitive(claim):
        return [name for name in general if name == "web"] or general[:1]
    if own := _own(topic, allowed):
        return own
    return [name for name in general if name == "wikipedia" and names(claim)] or general[:1]


def places_for_question(topic: Topic, allowed: Sequence[str]) -> list[str]:
    """Where to search for a question, of those allowed: the general places and its topic's own; all where none fits."""
    own = _own(topic, allowed)
    return [name for name in allowed if name in own or name not in OWN.values()] or list(allowed)


def _own(topic: Topic, allowed: Sequence[str]) -> list[str]:
    return [name for name in allowed if name == OWN.get(topic)]


def _nearest(cosines: Mapping[Topic, float]) -> Topic:
    best = max(cosines, key=lambda name: cosines[name])
    others = max(cosine for name, cosine in cosines.items() if name != best)
    return best if cosines[best] - others > MARGIN else "general"
