"""What a statement is about, told from its words alone: enough to choose where to look it up."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from veridic.text.facts import names, words
from veridic.text.questions import is_time_sensitive

Topic = Literal["medical", "scientific", "encyclopaedic", "current", "general"]

OWN: Mapping[Topic, tuple[str, ...]] = {
    "medical": ("pubmed",),
    "scientific": ("arxiv",),
    "encyclopaedic": ("wikipedia",),
    "current": ("web",),
    "general": (),
}
"""The sources that know a topic best."""

GENERAL = ("web", "wikipedia")
"""Where anything may be asked."""

STAND_IN = {"pubmed": "arxiv"}
"""Which source is asked where a topic's own is not allowed."""

OF_QUESTION = 0.5
"""Weight of a word that only the question has."""

_MEDICAL = frozenset(
    "patient patients clinical trial trials placebo disease diseases syndrome disorder therapy therapies "
    "treatment drug drugs dose doses dosage cancer tumour tumor carcinoma lymphoma leukemia infection "
    "infections vaccine vaccines vaccination mortality morbidity diagnosis diagnostic symptom symptoms "
    "surgery surgical insulin diabetes diabetic glucose cholesterol hypertension blood plasma serum liver "
    "kidney renal cardiac cardiovascular stroke asthma antibiotic antibiotics antibody antibodies virus "
    "viral bacteria bacterial pathogen gene genes genetic mutation protein proteins enzyme receptor cells "
    "cell tissue mice inflammation inflammatory chronic acute prevalence incidence efficacy adverse "
    "pregnancy nutrition vitamin obesity metformin aspirin statin statins "
    "medical physician physicians surgeon surgeons paediatric pediatric neonatal postpartum preoperative postoperative "
    "anaesthesia anesthesia radiotherapy chemotherapy tumours tumors mutations fracture fractures gangrene".split()
)
_MEDICAL_ENDINGS = ("itis", "emia", "aemia", "ectomy", "osclerosis", "mycin", "cillin")
_SCIENTIFIC = frozenset(
    "theorem lemma proof conjecture equation equations polynomial algebra topology manifold algorithm algorithms "
    "complexity neural network networks transformer transformers attention embedding embeddings dataset datasets "
    "benchmark benchmarks training learning gradient optimisation optimization convolutional reinforcement "
    "classifier retrieval quantum qubit qubits entanglement photon photons electron electrons neutrino neutrinos boson "
    "quark lattice superconductivity superconductor semiconductor spectrum galaxy galaxies redshift cosmological "
    "exoplanet supernova plasma relativity thermodynamics entropy stochastic bayesian regression estimator convergence "
    "simulation simulations graphene catalyst isotope nanoparticles laser asymptotic eigenvalue eigenvalues".split()
)
_ENCYCLOPAEDIC = frozenset(
    "born died founded founder established capital city town village river mountain lake island country king queen "
    "president minister mayor emperor dynasty war battle treaty empire century museum library church cathedral bridge "
    "castle palace tower university school prize award awarded nobel author novel novelist poet painter painted film "
    "actor actress singer album band composer opera football club league champion championship olympic olympics "
    "located situated population inhabitants architect built opened married elected physicist chemist biologist "
    "mathematician philosopher".split()
)


def topic_of(claim: str, question: str) -> Topic:
    """The topic most of the words speak for, those of the claim twice as loud; `general` when none does.

    A name speaks for an encyclopaedia, and wins a tie: it is where things with names are written up. A matter
    that changes by the day is `current`, whatever it is about.
    """
    if is_time_sensitive(claim) or is_time_sensitive(question):
        return "current"
    votes = _votes(claim, question)
    best = max(votes, key=votes.__getitem__)
    return best if votes[best] > 0 else "general"


def places_for(claim: str, question: str, allowed: Sequence[str]) -> list[str]:
    """Where to look a claim up: its topic's own sources or their stand-ins, else the first general one allowed.

    Nowhere when neither is there: arXiv does not know who built a bridge, and need not hear of it.
    """
    own = _own_places(topic_of(claim, question), allowed)
    return [name for name in allowed if name in own] or [name for name in allowed if name in GENERAL][:1]


def places_for_question(question: str, allowed: Sequence[str]) -> list[str]:
    """Where to search for a question, of those allowed: the general places, and the own ones of what it may be about.

    One word is enough to speak for a topic, since what is found is graded; all that are allowed where no word speaks
    for any, or none of the places is allowed.
    """
    topics = [topic for topic, votes in _votes(question, "").items() if votes > 0]
    if not topics and not is_time_sensitive(question):
        return list(allowed)
    own = {place for topic in topics for place in _own_places(topic, allowed)}
    return [name for name in allowed if name in own or name in GENERAL] or list(allowed)


def _own_places(topic: Topic, allowed: Sequence[str]) -> list[str]:
    return [name if name in allowed else STAND_IN.get(name, name) for name in OWN[topic]]


def _votes(claim: str, question: str) -> dict[Topic, float]:
    """How much speaks for each topic that words can speak for."""
    weights = dict.fromkeys(words(question), OF_QUESTION) | dict.fromkeys(words(claim), 1.0)
    return {
        "encyclopaedic": _sum(weights, _ENCYCLOPAEDIC) + (1.0 if names(claim) else 0.0),
        "medical": _sum(weights, _MEDICAL) + _sum(weights, [word for word in weights if _is_medical(word)]),
        "scientific": _sum(weights, _SCIENTIFIC),
    }


def _sum(weights: dict[str, float], chosen: Iterable[str]) -> float:
    return sum(weights.get(word, 0.0) for word in chosen)


def _is_medical(word: str) -> bool:
    return word.endswith(_MEDICAL_ENDINGS) and word not in _MEDICAL
