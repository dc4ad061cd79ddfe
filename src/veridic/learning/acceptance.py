"""The acceptance layer of Bidirectional RAG: the gates an answer has to pass before it is learned, in their order."""

import re
from collections.abc import Callable, Mapping, Sequence
from math import comb, exp, log, log1p

from veridic.learning.lessons import was_doubted
from veridic.learning.same_question import is_worded_alike
from veridic.ports.shapes import Citation, Gate, GateName, Passage, Result
from veridic.runtime.run import Run
from veridic.runtime.turns import leans
from veridic.state import GraphState
from veridic.text.answers import tokens
from veridic.text.kinds import AnswerKind
from veridic.text.questions import keywords
from veridic.text.sentences import is_prose, sentences

UNLEARNED = 0.1
"""P(a text gives orders) from which it is not learned.

Of held-out attacks 73 % are seen so, 41 % at the detector's own threshold; one harmless sentence in twenty is lost."""

TOO_UNSURE: Mapping[AnswerKind, str] = {
    "yes-no": "It decides between yes and no, which is done too unsurely to be learned.",
    "which of two": "It decides between two things, which is done too unsurely to be learned.",
}
"""Why answers of some kinds are not learned, however sure; nor are those of questions that link two matters.

Of accepted answers 39 of 85 were false on PubMedQA's yes or no questions, 12 of 17 on HotpotQA's linked ones, and no
confidence told them apart (AUC under 0.5)."""
LINKED = (
    "The question names a thing by what it is to another (the X of Y): such are answered too unsurely to be learned."
)
"""Why those are not."""
_DESCRIPTION = re.compile(
    r"\b[Tt]he [a-z]+(?: [a-z]+)? (?:of|that|which|who|where|in which) [^?]*?[A-Z0-9][\w'’-]*(?: [A-Z0-9][\w'’-]*)*"
    r"|(?<= )[A-Z][\w-]*['’]s [a-z]+"
)
"""The X of Y, Y's X."""

AUDITED = 30
"""Records that have to be audited before an audit says anything of those that were not."""

Measured = tuple[GateName, Callable[[], float | None], float]
"""A gate's name, what it measures, and its bound."""

CEILINGS: tuple[GateName, ...] = ("share", "audit")
"""Gates whose value must not pass the bound; that of the others must reach it."""
DOUBT = 0.05


def may_learn(run: Run) -> bool:
    """Whether the settings and the run allow anything to be learned."""
    return run.resources.settings.write_back != "off" and run.context.write_back


def why_closed(state: GraphState, run: Run) -> str:
    """Why no gate is even tried; empty when they are."""
    result = state["result"]
    if not may_learn(run):
        return "Write-back is off."
    if result["outcome"] not in ("accepted", "corrected"):
        return "Only an answer that was verified whole is learned."
    if state["intent"] != "question":
        return "It answers no question that may be asked again."
    for reading in result["readings"]:
        if reading["kind"] in TOO_UNSURE:
            return TOO_UNSURE[reading["kind"]]
        if reading["kind"] != "why-how" and is_linked(result["standalone"]):
            return LINKED
    if not all(is_prose(found["text"]) for found in result["sentences"]):
        return "Part of it is code or a table, which no judge reads."
    if _may_give_orders(result, run):
        return "It is told and not learned: a sentence of it reads a little like an instruction to a machine."
    if result["conflicts"]:
        return "Sources disagree about it."
    if leans(result["standalone"], run.resources.messages):
        return "The question leans on what was said before it, and cannot be asked again by itself."
    asked = result["standalone"]
    others = [one for one in state["lessons"] if not is_worded_alike(one["question"], asked)]
    return "Asked in other words it was not verified." if was_doubted(others, asked) else ""


def is_linked(question: str) -> bool:
    """Whether a question only describes what it asks about: "Where was the director of Blue Harbour born?"."""
    described = _DESCRIPTION.search(question)
    return described is not None and bool(keywords(question[: described.start()] + question[described.end() :]))


def _may_give_orders(result: Result, run: Run) -> bool:
    """Whether a sentence of the answer or of what it rests on is even a little likely to be an order."""
    said = [found["text"] for found in result["sentences"]]
    said += [cited["quote"] for found in result["sentences"] for cited in found["citations"]]
    said += [part.text for text in said for part in sentences(text)]
    return max(run.detector.orders(list(dict.fromkeys(said)), deadline=run.deadline), default=0.0) >= UNLEARNED


def without_orders(texts: Sequence[str], run: Run) -> list[str]:
    """The texts without those that are even a little likely to be orders. Raises what the detector raises."""
    said = run.detector.orders(list(texts), deadline=run.deadline) if texts else []
    return [text for text, order in zip(texts, said, strict=True) if order < UNLEARNED]


def of_the_answer(state: GraphState, run: Run) -> list[Measured]:
    """The gates that look at the answer alone.

    Is it sure to answer this question, does what people wrote carry it, and did its writer cite what exists?
    """
    result, settings = state["result"], run.resources.settings
    chosen = next((one for one in state["candidates"] if one["holds"]), None)
    return [
        ("confidence", lambda: result["confidence"], settings.min_confidence),
        ("grounding", lambda: grounding(result), settings.min_grounding),
        ("raw attribution", lambda: chosen["attribution"] if chosen else None, settings.min_raw_attribution),
        ("attribution", lambda: attribution(result), settings.min_attribution),
    ]


def of_the_knowledge_base(result: Result, run: Run, *, disputed: Sequence[str]) -> list[Measured]:
    """The gates that look at what is held: is it new, is there room, did what was learned before hold.

    A record of the same question that answers otherwise, `disputed`, does not make the answer less new.
    """
    own = [*disputed, *(one["document_id"] for one in rests_on(result))]
    said = " ".join(filter(None, (result["standalone"], result["short_answer"] or result["answer"])))

    def novelty() -> float:
        return 1.0 - run.knowledge.similarity(said, besides=own, records=True, deadline=run.deadline)

    return [("novelty", novelty, run.resources.settings.min_novelty), *constraints(run)]


def constraints(run: Run) -> list[Measured]:
    """Equations 3 and 2: the share of what is held that was learned, and that of the learned which no longer holds."""
    settings, status = run.resources.settings, run.knowledge.status()
    # Documents that a retriever finds cannot be counted; records beside them wait for review.
    share = None if status.index == "elsewhere" else status.share
    failing = lower_bound(status.failed, status.audited) if status.audited >= AUDITED else None
    return [("share", lambda: share, settings.max_generated), ("audit", lambda: failing, settings.max_failing)]


def novelty_as_printed(result: Result, run: Run) -> float:
    """Equation 10: against all that is found, the answer's own sources too, from which a quote differs in nothing."""
    return 1.0 - run.knowledge.similarity(result["answer"], deadline=run.deadline)


def rests_on(result: Result) -> list[Citation]:
    """What an answer rests on, each place once; one within another too: all are looked for when a document changes."""
    cited = [one for sentence in result["sentences"] for one in sentence["citations"]]
    return list({(one["document_id"], one["start"], one["end"]): one for one in cited}.values())


def try_gates(gates: Sequence[Measured]) -> list[Gate]:
    """The gates in order, up to the first that fails; nothing is measured behind that. Without a value one passes."""
    tried: list[Gate] = []
    for name, measure, bound in gates:
        value = measure()
        passed = value is None or (value <= bound if name in CEILINGS else value >= bound)
        tried.append(Gate(name=name, value=value, bound=bound, passed=passed))
        if not passed:
            break
    return tried


def why_shut(gate: Gate) -> str:
    """Why a gate is shut, as a sentence."""
    value, bound = gate["value"], gate["bound"]
    if gate["name"] == "audit":
        return f"Write-back is suspended: by the last audits at least {value:.3f} of what was learned no longer holds."
    if gate["name"] == "share":
        return (
            f"Too few documents to learn more: learned answers would be {value:.3f} of what is held, over the limit of "
            f"{bound:.3f}. Ingest more, or raise VERIDIC_MAX_GENERATED."
        )
    return f"{gate['name'].capitalize()} {value:.3f} is under {bound:.3f}."


def grounding(result: Result) -> float:
    """Equation 8 as we read it: the mean over sentences of P(entailment), in [0, 1].

    Of each by the sentences nearest to the answer, of all passages together, as the critic judged it; one that cites
    nothing that people wrote counts as 0.
    """
    values = [
        sentence["support"] or 0.0 if any(one["kind"] == "human" for one in sentence["citations"]) else 0.0
        for sentence in result["sentences"]
    ]
    return sum(values) / len(values) if values else 0.0


def grounding_as_printed(result: Result, documents: Sequence[Passage], run: Run) -> float:
    """Equation 8 of Bidirectional RAG: the mean over sentences of the largest P(entailment) by a retrieved document.

    Every sentence is asked of every document, each whole, in one batch; in [0, 1], 0 where there is neither. Raises
    what `Critic.judge` raises.
    """
    told = [sentence["text"] for sentence in result["sentences"]]
    if not told or not documents:
        return 0.0
    pairs = [(document["text"], sentence) for sentence in told for document in documents]
    said = iter(run.critic.judge(pairs, deadline=run.deadline))
    return sum(max(next(said).entailment for _ in documents) for _ in told) / len(told)


def attribution(result: Result) -> float:
    """Equation 9 after citation repair: the share of sentences that cite a document this run retrieved."""
    retrieved = {strip["passage"]["document_id"] for strip in result["strips"]}
    cited = [any(one["document_id"] in retrieved for one in found["citations"]) for found in result["sentences"]]
    return sum(cited) / len(cited) if cited else 0.0


def says_the_same(answer: str, other: str) -> bool:
    """Whether one of two short answers is the other with something more, or both are none."""
    ours, theirs = set(tokens(answer)), set(tokens(other))
    return ours == theirs or bool(ours and theirs and (ours <= theirs or theirs <= ours))


def says_otherwise(answer: str, other: str) -> bool:
    """Whether two short answers differ; where one is none, sentences are the answer, and nothing can be said."""
    return bool(tokens(answer) and tokens(other)) and not says_the_same(answer, other)


def lower_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at least behind `found` of `of`; 0.0 of none."""
    return 0.0 if found == 0 else _solved(lambda share: _at_least(found, of, share) < DOUBT)


def upper_bound(found: int, of: int) -> float:
    """The share in [0, 1] that is at most behind `found` of `of`; 1.0 where all, or nothing, was looked at."""
    return 1.0 if found == of else _solved(lambda share: 1.0 - _at_least(found + 1, of, share) > DOUBT)


def _at_least(found: int, of: int, share: float) -> float:
    """P(at least `found` of `of`), each being so with probability `share`."""
    return 1.0 - sum(exp(log(comb(of, one)) + one * log(share) + (of - one) * log1p(-share)) for one in range(found))


def _solved(below: Callable[[float], bool]) -> float:
    """The share up to which a condition that ends once is true, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) else (low, middle)
    return low
