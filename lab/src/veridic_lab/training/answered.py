"""Statements made of questions and answers: true with the answer, false with another one of the same passage.

The hardest false statements there are: what they put in the answer's place stands in the passage, and is of its kind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from veridic.evidence.statements import stated_answer
from veridic.text.kinds import answer_kind
from veridic_lab.training.made import with_header
from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.reading.taken import holds_answer
from veridic_lab.training.wording import IRREGULAR, Rng, names, pick

WHOLE = 0.5
"""How often a question is told as a statement where its form allows it; else the answer follows the question."""
LONGEST = 8
"""Words of an answer that is put into a statement."""
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_FORMS = (
    re.compile(rf"\b(?:\d{{1,2}} {_MONTH}|{_MONTH} \d{{1,2}},?) \d{{4}}\b"),
    re.compile(r"\b1\d{3}\b|\b20\d{2}\b"),
    re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?:%| percent| million| billion)?"),
)
"""Dates, years, numbers: what an answer of each may be exchanged for."""
_VERB = "|".join(
    ("is", "are", "was", "were", "has", "have", "had", "can", "could", "will", "would", "may", "might", "must",
     "came", "became", "began", "went", "saw", "said", "got", r"(?!does\b|others\b)\w+s", r"\w+ed",
     *sorted(set(IRREGULAR.values())))
)  # fmt: skip
_NOUN = r"(?P<noun>(?!(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|does|did|do)\b)\w+)"
_SUBJECT = re.compile(
    rf"^(?:(?:what|which|how many) {_NOUN}|who|what) (?P<rest>(?:{_VERB}) [^?]+?)\?*$",
    re.IGNORECASE,
)
"""A question that asks for its subject: who wrote it, what is in it, which town has it."""
_OPEN_END = re.compile(r"\b(?:of|for|in|at|by|on|to|from|with|as|about|into|after|than|like|called)$", re.IGNORECASE)
_INVERTED = re.compile(
    r"^(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must) "
    r"(?:(?:the|a|an|his|her|its|their|my|our|your|this|that|these|those|he|she|it|they|we|you|people|one)\b|(?-i:[A-Z]))",
    re.IGNORECASE,
)
_SAYS_LITTLE = frozenset("he she it they we you i him her them us this that his its their who which".split())


def answered_pairs(rows: Sequence[Reading], rng: Rng) -> Iterator[Pair]:
    """Of each row whose passage has another answer of its kind a true pair and a false one.

    Of a row whose passage has none, and of one whose answer was taken away, nothing is made.
    """
    given = given_of(rows)
    for row in rows:
        if row.kind != "span" or not is_short(row.answers[0]):
            continue
        wrong = another_answer(row, given[row.text], rng)
        whole = rng.random() < WHOLE
        for answer, label in ((row.answers[0], "entailment"), (wrong, "not_entailment")) if wrong else ():
            premise = with_header(row.title, row.text, rng)
            said = statement(row.question, answer) if whole else stated_answer(row.question, answer)
            yield Pair("nli", premise, said, NLI_LABELS.index(label), "answered", row.key, "", row.source)


def another_answer(row: Reading, given: Sequence[tuple[str, str]], rng: Rng) -> str:
    """Another answer of the text, of the answer's kind; empty where there is none.

    `given` are questions that were asked of the text with their answers: those to questions of the same kind, and
    dates, years, numbers and names of the text where the answer is one.
    """
    answer, kind = row.answers[0], answer_kind(row.question)
    found = [other for question, other in given if answer_kind(question) == kind and is_short(other)]
    form = next((form for form in _FORMS if form.fullmatch(answer)), None)
    if form:
        found = [*(one for one in found if form.fullmatch(one)), *form.findall(row.text)]
    elif _is_name(answer):
        alone = " " not in answer
        found += [one.group() for one in names(row.text) if (" " not in one.group()) == alone]
    known = f"{row.title} {row.question}"
    others = [one for one in dict.fromkeys(found) if not _overlaps(one, row.answers) and not holds_answer(known, [one])]
    return pick(rng, others) if others else ""


def statement(question: str, answer: str) -> str:
    """What an answer to a question says: one sentence where the question asks for its subject, else it follows."""
    found = _SUBJECT.match(question.strip())
    if not found or _OPEN_END.search(found["rest"]) or _INVERTED.match(found["rest"]):
        return stated_answer(question, answer)
    counted = found["noun"] and answer.isdigit()
    noun = f" {found['noun']}" if counted else ""
    return f"{answer[:1].upper()}{answer[1:]}{noun} {found['rest'].strip()}."


def given_of(rows: Sequence[Reading]) -> dict[str, list[tuple[str, str]]]:
    """By text the questions that it answers, with the first answer of each."""
    given: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        if row.kind == "span":
            given[row.text].append((row.question, row.answers[0]))
    return given


def is_short(answer: str) -> bool:
    """Whether an answer can be put into a statement and says what it means there."""
    return len(answer.split()) <= LONGEST and answer.lower() not in _SAYS_LITTLE


def _is_name(answer: str) -> bool:
    found = names(f"so {answer}")
    return bool(found) and found[0].group() == answer


def _overlaps(one: str, answers: Sequence[str]) -> bool:
    return holds_answer(one, answers) or any(holds_answer(answer, [one]) for answer in answers)
