"""Which sentence Self-RAG's scores choose, where a capable writer gives every draft of a question to every passage.

Run from a checkout: `python -m veridic_lab.benchmarks.segments [ROLE] [--every N]`. The drafts are the written ones of
a role's hands, one true and up to three with a subtle error in their first sentence; whole runs of `self_rag`, twelve
documents a knowledge base. A score is as good as it chooses the true one; of a tie each counts its share.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from veridic.graph.builder import build_graph
from veridic.graph.systems import SYSTEMS
from veridic.knowledge.ingest import Text
from veridic.ports.shapes import Candidate
from veridic_lab.benchmarks.asking import holding, say
from veridic_lab.drafts.hands import ROLES, Asked, Document, documents

TOGETHER = 12
"""Documents in a knowledge base."""
DRAWN = 1000
BY_VERDICT = {"supported": 1.0, "partly": 0.5}


def _by_verdict(one: Candidate) -> float:
    """ISSUP as whole numbers and a half."""
    return sum(BY_VERDICT.get(said["verdict"], 0.0) for said in one["sentences"]) / len(one["sentences"])


SCORES: Mapping[str, Callable[[Candidate], float]] = {
    "ISREL + ISSUP, as it is": lambda one: one["relevance"] + one["support"],
    "with 0.5 ISUSE": lambda one: one["relevance"] + one["support"] + 0.5 * one["usefulness"],
    "with ISUSE": lambda one: one["relevance"] + one["support"] + one["usefulness"],
    "ISSUP alone": lambda one: one["support"],
    "ISREL + 0.5 ISUSE, no ISSUP": lambda one: one["relevance"] + 0.5 * one["usefulness"],
    "ISREL + ISSUP by verdict + 0.5 ISUSE": lambda one: one["relevance"] + _by_verdict(one) + 0.5 * one["usefulness"],
    "P(right) of the decision": lambda one: one["probability"] or 0.0,
}


def main() -> None:
    """Print how often each score chooses the true draft, and the difference to the first one."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role", nargs="?", choices=ROLES, default="develop")
    options.add_argument("--every", type=int, default=4, help="of the documents")
    told = options.parse_args()
    rows = list(judged(documents(told.role)[:: told.every]))
    say(f"{len(rows)} questions, by chance {np.mean([1 / len(own) for _, own, _ in rows]):.3f}")
    keys = np.array([key for key, _, _ in rows])
    first = np.array([chosen(own, true, next(iter(SCORES.values()))) for _, own, true in rows])
    for name, score in SCORES.items():
        found = np.array([chosen(own, true, score) for _, own, true in rows])
        low, high = interval(found - first, keys)
        say(f"{name}: {found.mean():.3f}, {(found - first).mean():+.3f} [{low:+.3f}, {high:+.3f}]")


def judged(found: Sequence[Document]) -> Iterator[tuple[str, list[Candidate], str]]:
    """Of each question its document, its drafts as judged by the passage that speaks most for each, the true one."""
    method = replace(SYSTEMS["self_rag"].method, segments=1, beam=4)
    left: list[str] = []

    def says(_prompt: str) -> str:
        left.append(left.pop(0))
        return left[-1]

    for at in range(0, len(found), TOGETHER):
        together = found[at : at + TOGETHER]
        texts = [
            Text(f"{one.key}-{place}", one.title, text) for one in together for place, text in enumerate(one.texts)
        ]
        with holding(texts, says=says) as held:
            graph = build_graph(held.resources, system="self_rag", method=method)
            for document, asked in ((one, each) for one in together for each in one.asked):
                true, *false = first_sentences(asked)
                left[:] = [true, *false]
                choices = SYSTEMS["self_rag"].schema(candidates=len(left), max_retries=0, retrieval="always")
                result = graph.invoke({"question": asked.question}, context=choices)["result"]
                written = [one for one in result["candidates"] if one["text"] in left and not one["partial"]]
                if false and written:
                    yield document.key, written, true


def first_sentences(asked: Asked) -> list[str]:
    """Of the true draft, then of those whose error stands in theirs."""
    told = [(draft.true, draft.statements()[0]) for draft in asked.drafts]
    return list(dict.fromkeys(said.text for true, said in told if true or said.wrong))[:4]


def chosen(own: Sequence[Candidate], true: str, score: Callable[[Candidate], float]) -> float:
    """The share that the true draft has of the best score."""
    scores = {one["text"]: score(one) for one in own}
    best = [text for text, one in scores.items() if one >= max(scores.values()) - 1e-9]
    return (true in best) / len(best)


def interval(differences: np.ndarray, keys: np.ndarray, seed: int = 7) -> tuple[float, float]:
    """95 %, documents drawn anew."""
    rng, names = np.random.default_rng(seed), np.unique(keys)
    own = {name: differences[keys == name] for name in names}
    means = [np.concatenate([own[name] for name in rng.choice(names, len(names))]).mean() for _ in range(DRAWN)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    main()
