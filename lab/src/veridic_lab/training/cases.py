"""Decisions with known outcomes, built as the graph will meet them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.evidence.evidence import decompose
from veridic.evidence.premises import premises_for
from veridic.ports.embedding import Embedder
from veridic.text.sentences import sentences
from veridic_lab.drafts.hands import documents
from veridic_lab.training.mixture import is_test
from veridic_lab.training.pairs import NLI_LABELS, Pair, find, held_out, read_pairs
from veridic_lab.training.reading.rows import read_readings
from veridic_lab.training.retrieval import Chunk, Pool, passage_of, pooled
from veridic_lab.training.sets import Passage, Question, cut, question_set
from veridic_lab.training.wording import seeded
from veridic_lab.training.written.documents import written_documents
from veridic_lab.training.written.found import Found, found_for
from veridic_lab.training.written.whole import is_held_out

RETRIEVED = 8
NEAR_MISSES, SHORT_ANSWERS = "clapnq", "squadshifts_new_wiki"
"""The sets that thresholds are fitted on: one has questions that its passages nearly answer, one has short answers."""
BESIDE = ("nq_gold", "hotpotqa", "2wiki")
"""Sets whose passages stand beside; nothing of theirs is asked."""
PER_SET = 120
"""Answerable questions of each set that the thresholds are fitted on, and as many unanswerable ones."""
QuestionSet = tuple[list[Question], dict[str, Passage]]


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
    sets = calibration_sets(folder)
    asked = list(calibration_questions(sets, per_set))
    beside = [question_set(folder, name)[1] for name in BESIDE]
    with pooled([*(corpus for _, corpus in sets.values()), *beside], embedder) as pool:
        cases = [_question_case(name, question, pool, answerable=answerable) for name, answerable, question in asked]
    return [*cases, *_written_cases(embedder, per_set)]


def _written_cases(embedder: Embedder, count: int) -> list[QuestionCase]:
    """Questions on documents as people have them, of which nothing is learned, beside those that are learned from."""
    documents = written_documents()
    kept = [document for document in documents if is_held_out(document)]
    found = list(found_for(kept, embedder, beside=[one for one in documents if one not in kept]))
    cases = [_written_case(found[int(place)]) for place in seeded(5).permutation(len(found))]
    return [case for wanted in (True, False) for case in [one for one in cases if one.answerable == wanted][:count]]


def _written_case(found: Found) -> QuestionCase:
    asked, near = found.asked, found.passages[:RETRIEVED]
    answers = asked.answers or ((asked.place,) if asked.place else ())
    gold = tuple(whole.passage["url"] for whole, _ in near if whole.answering)
    chunks = tuple(Chunk(whole.passage["url"], whole.passage) for whole, _ in near)
    return QuestionCase("written", Question(asked.question, answers, gold), chunks, bool(gold))


def calibration_sets(folder: Path) -> dict[str, QuestionSet]:
    """The questions that thresholds may be fitted on, none of which any judge learns from, and their passages."""
    questions, corpus = question_set(folder, NEAR_MISSES)
    kept = [question for question in questions if question.gold and held_out(question.key, 0.5)]
    return {NEAR_MISSES: (kept, corpus), SHORT_ANSWERS: _short_answers(folder)}


def calibration_questions(sets: dict[str, QuestionSet], per_set: int = PER_SET) -> Iterator[tuple[str, bool, Question]]:
    """The set, whether it counts as answerable, and each question that thresholds are fitted on."""
    for name, (questions, _) in sets.items():
        drawn = [questions[i] for i in seeded(5).permutation(len(questions))]
        if name == NEAR_MISSES:
            for wanted in (True, False):
                same = [question for question in drawn if bool(question.answers) == wanted]
                yield from ((name, wanted, question) for question in same[:per_set])
        else:
            yield from ((name, place % 2 == 0, question) for place, question in enumerate(drawn[: 2 * per_set]))


def _short_answers(folder: Path) -> QuestionSet:
    """The held-out rows of a reader's set as questions, each with its text as the only gold one."""
    rows = [row for row in read_readings(find(folder, f"{SHORT_ANSWERS}.reader")) if row.kind == "span"]
    texts = {text: f"{SHORT_ANSWERS}-{number}" for number, text in enumerate(dict.fromkeys(row.text for row in rows))}
    corpus = {texts[row.text]: cut(texts[row.text], row.title, row.text) for row in rows}
    asked = [row for row in rows if held_out(row.key)]
    return [Question(row.question, tuple(row.answers), (texts[row.text],)) for row in asked], corpus


def _question_case(name: str, question: Question, pool: Pool, *, answerable: bool) -> QuestionCase:
    near_miss = name == NEAR_MISSES and not answerable
    hidden = frozenset() if answerable or near_miss else frozenset(question.gold)
    [found] = pool.search([question.text], without=[hidden], limit=RETRIEVED)
    holds = answerable and any(chunk.key in question.gold for chunk in found)
    return QuestionCase(name if not hidden else f"{name}, gold removed", question, tuple(found), holds)


def sentence_cases(folder: Path, *, per_set: int = 150) -> list[SentenceCase]:
    """Held-out sentences with their evidence: answers of models and people, claims, written drafts."""
    cases: list[SentenceCase] = []
    for name in ("attribution_bench", "begin", "halueval_qa", "clapnq"):
        key = "clapnq.grounded" if name == "clapnq" else name
        pairs = [pair for pair in read_pairs(find(folder, f"{name}.grounded")) if is_test(key, pair)]
        cases += _drawn([case for pair in pairs for case in _of_response(name, pair)], per_set)
    return [*cases, *_of_claims(folder), *_drawn(list(_of_drafts()), 3 * per_set)]


def _drawn(cases: Sequence[SentenceCase], count: int) -> list[SentenceCase]:
    return [cases[i] for i in seeded(5).permutation(len(cases))[:count]]


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


def _of_drafts() -> Iterator[SentenceCase]:
    """The statements of the drafts that decisions are fitted on, beside the strips of their document."""
    for document in documents("fit"):
        strips = [strip for text in document.texts for strip in decompose(passage_of(document.title, text))]
        for said in (one for asked in document.asked for draft in asked.drafts for one in draft.statements()):
            label = NLI_LABELS.index("not_entailment" if said.wrong else "entailment")
            premises = tuple(premise.text for premise in premises_for(said.text, strips))
            yield SentenceCase("drafts", said.text, premises, label)
