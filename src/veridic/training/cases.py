"""Decisions with known outcomes, built as the graph will meet them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from veridic.protocols import Embedder
from veridic.support.evidence import decompose
from veridic.support.grounding import premises_for
from veridic.text.sentences import sentences
from veridic.training.made import Passage, made_pairs, seeded
from veridic.training.mining import Question
from veridic.training.mixture import HALF, is_test
from veridic.training.pairs import NLI_LABELS, Pair, find, held_out, read_pairs, read_rows
from veridic.training.retrieval import Chunk, Pool, passage_of, pooled
from veridic.training.sets import question_set

RETRIEVED = 8
CALIBRATION_SETS = ("clapnq", "nq_gold", "xquad_en", "mtrag")
SHORT_ANSWERS = ("nq_gold", "xquad_en")
PER_SET = 60
"""Answerable questions of each set that the thresholds are fitted on, and as many unanswerable ones."""


@dataclass(frozen=True)
class QuestionCase:
    """A question with what the retriever returned, and whether that holds the answer."""

    source: str
    question: Question
    chunks: tuple[Chunk, ...]
    answerable: bool


@dataclass(frozen=True)
class SentenceCase:
    """A sentence of an answer with the premises the critic is asked about."""

    source: str
    sentence: str
    premises: tuple[str, ...]
    label: int
    """An index into `NLI_LABELS`."""


def question_cases(folder: Path, embedder: Embedder, *, per_set: int = PER_SET) -> list[QuestionCase]:
    """Held-out questions over one merged corpus, with and without their gold passages."""
    sets = {name: question_set(folder, name) for name in CALIBRATION_SETS}
    asked = list(calibration_questions(folder, sets, per_set))
    with pooled([corpus for _, corpus in sets.values()], embedder) as pool:
        return [_question_case(name, question, pool, answerable=answerable) for name, answerable, question in asked]


def _question_case(name: str, question: Question, pool: Pool, *, answerable: bool) -> QuestionCase:
    near_miss = name == "clapnq" and not answerable
    hidden = frozenset() if answerable or near_miss else frozenset(question.gold)
    [found] = pool.search([question.text], without=[hidden], limit=RETRIEVED)
    holds = answerable and any(chunk.key in question.gold for chunk in found)
    return QuestionCase(name if not hidden else f"{name}, gold removed", question, tuple(found), holds)


def calibration_questions(
    folder: Path, sets: dict[str, tuple[list[Question], dict[str, Passage]]], per_set: int = PER_SET
) -> Iterator[tuple[str, bool, Question]]:
    """The set, whether it counts as answerable, and each question that thresholds are fitted on; no others may be."""
    types = {row["question"]: row for name in ("clapnq", "mtrag") for row in read_rows(find(folder, f"{name}.qa"))}
    for name, (questions, _) in sets.items():
        kept = [q for q in questions if q.gold and _measured(name, q, types)]
        order = seeded(5).permutation(len(kept))
        if name == "clapnq":
            for wanted in (True, False):
                same = [kept[i] for i in order if bool(kept[i].answers) == wanted]
                yield from ((name, wanted, question) for question in same[:per_set])
            continue
        for place, number in enumerate(order[: 2 * per_set]):
            yield name, place % 2 == 0, kept[number]


def _measured(name: str, question: Question, types: dict[str, dict[str, object]]) -> bool:
    if name == "xquad_en":
        return True
    if name == "mtrag":
        row = types[question.text]
        return not row["history"] and str(row["type"]).endswith("/ANSWERABLE")
    return held_out(question.key, 0.5 if name in HALF else 0.1)


def sentence_cases(folder: Path, *, per_set: int = 150) -> list[SentenceCase]:
    """Held-out sentences with their evidence: answers of models and people, claims, rule-made ones."""
    cases: list[SentenceCase] = []
    for name in ("attribution_bench", "begin", "halueval_qa", "clapnq", "mtrag"):
        key = "clapnq.grounded" if name == "clapnq" else name
        pairs = [p for p in read_pairs(find(folder, f"{name}.grounded")) if name == "mtrag" or is_test(key, p)]
        found = [case for pair in pairs for case in _of_response(name, pair)]
        cases += [found[i] for i in seeded(5).permutation(len(found))[:per_set]]
    return [*cases, *_of_claims(folder), *_of_rules(folder, per_set)]


def _of_response(name: str, pair: Pair) -> Iterator[SentenceCase]:
    """Every sentence of a supported response is supported; an unsupported one counts when it is one sentence."""
    parts = [s.text for s in sentences(pair.second)]
    if pair.label and len(parts) > 1:
        return
    strips = decompose(passage_of("", " ".join(pair.first.split())))
    for part in parts:
        if len(part.split()) >= 3:
            premises = tuple(premise.text for premise in premises_for(part, strips))
            yield SentenceCase(name, part, premises, pair.label)


def _of_claims(folder: Path) -> Iterator[SentenceCase]:
    """A claim with all its snippets is supported when one of them entails it."""
    claims: dict[str, list[Pair]] = defaultdict(list)
    for pair in read_pairs(find(folder, "factcheck_gpt.nli")):
        if is_test("factcheck_gpt", pair):
            claims[pair.second].append(pair)
    for claim, pairs in claims.items():
        labels = {NLI_LABELS[pair.label] for pair in pairs}
        label = "entailment" if "entailment" in labels else "not_entailment"
        yield SentenceCase("factcheck_gpt", claim, tuple(p.first for p in pairs), NLI_LABELS.index(label))


def _of_rules(folder: Path, count: int) -> Iterator[SentenceCase]:
    """Changed and unchanged sentences of passages that no training pair was made from."""
    for name in ("xquad_en", "clapnq"):
        _, corpus = question_set(folder, name)
        passages = [p for p in corpus.values() if len(p.sentences) > 2]
        rng = seeded(11)
        chosen = [passages[i] for i in rng.permutation(len(passages))[:count]]
        for pair in made_pairs(chosen, rng, 2):
            yield SentenceCase(f"rules: {pair.part}", pair.second, (pair.first,), pair.label)
