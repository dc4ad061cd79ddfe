"""Answers written sentence by sentence: Self-RAG's scores, the beam, and the candidates it ends in.

Pure functions; what a sentence is worth, the judges say.
"""

from collections.abc import Sequence

from veridic.evidence.answering import draft
from veridic.evidence.evidence import joined
from veridic.evidence.grounding import is_supported, trimmed
from veridic.ports.method import WEIGHTS, Trigger
from veridic.ports.shapes import Beam, Candidate, Segment, Sentence
from veridic.text.kinds import AnswerKind

IN_SENTENCES: tuple[AnswerKind, ...] = ("why-how",)
"""Kinds of question that one sentence may not answer."""

EMPTY = Beam(segments=[], score=0.0, done=False, doubted="")


def segment(text: str, *, beam: int, passage_id: str, chat: bool) -> Segment:
    """A sentence that nobody graded."""
    return Segment(
        text=text,
        beam=beam,
        passage_id=passage_id,
        origin="chat" if chat else "extractive",
        sentences=[],
        likelihood=None,
        sure=None,
        relevance=None,
        support=None,
        usefulness=None,
        score=0.0,
    )


def text_of(beam: Beam) -> str:
    """The answer so far."""
    return " ".join(one["text"] for one in beam["segments"])


def issup(found: Sequence[Sentence]) -> float:
    """ISSUP of sentences, in [0, 1]: the mean of the critic's P(supported); 0 for none.

    Self-RAG's is a mean over token probabilities, too (section 3.3): 1 fully, 0.5 partly. Verdicts, 1, 0.5 or 0, rank
    worse (lab/docs/measured.md).
    """
    return sum(one["support"] or 0.0 for one in found) / len(found) if found else 0.0


def is_contradicted(one: Segment) -> bool:
    """Whether the evidence says otherwise."""
    return any(sentence["verdict"] == "contradicted" for sentence in one["sentences"])


def is_sure(one: Segment, trigger: Trigger) -> bool:
    """Whether nothing sends the writer of a sentence back to the documents.

    That is the critic's word, or the writer's own confidence (FLARE, section 3.2); one whose server tells no
    probabilities is not doubted by them.
    """
    return is_supported(one) if trigger == "critic" else one["sure"] in (None, one["text"])


def sought(one: Segment, trigger: Trigger) -> str:
    """What of a doubted sentence is looked for: its words, without those that the writer was not sure of (FLARE)."""
    return (one["sure"] if trigger == "confidence" else "") or one["text"]


def scored(one: Segment, *, relevance: float, support: float, usefulness: float) -> Segment:
    """A segment with its scores, those the model gave itself before ours, and what it is ranked by.

    That is Self-RAG's f (equation 4), divided by its weights: P(segment) + ISREL + ISSUP + 0.5 ISUSE, where ISUSE is
    -1 to 1 (Asai et al., section 3.3). What is not told is left out, and so is the evaluator's word on usefulness: with
    it wrong sentences won more often (lab/docs/measured.md).
    """
    isrel = relevance if one["relevance"] is None else one["relevance"]
    issup_ = support if one["support"] is None else one["support"]
    isuse = usefulness if one["usefulness"] is None else one["usefulness"]
    terms = [(WEIGHTS[0], isrel), (WEIGHTS[1], issup_)]
    if one["usefulness"] is not None:
        terms.append((2 * WEIGHTS[2], isuse))  # from -1 to 1 it is twice as wide
    if one["likelihood"] is not None:
        terms.append((1.0, one["likelihood"]))
    score = sum(weight * term for weight, term in terms) / sum(weight for weight, _ in terms)
    return {**one, "relevance": isrel, "support": issup_, "usefulness": isuse, "score": score}


def extended(beam: Beam, one: Segment, *, most: int, kind: AnswerKind) -> Beam:
    """An answer with a further sentence; done when long enough, or when one supported sentence is all that is asked."""
    segments = [*beam["segments"], one]
    enough = kind not in IN_SENTENCES and is_supported(one)
    mean = sum(each["score"] for each in segments) / len(segments)
    return Beam(segments=segments, score=mean, done=len(segments) >= most or enough, doubted="")


def best(beams: Sequence[Beam], width: int) -> list[Beam]:
    """The best answers, each text once, at most `width`."""
    ranked = sorted(beams, key=lambda beam: -beam["score"])
    return list({text_of(beam): beam for beam in reversed(ranked)}.values())[::-1][:width]


def assembled(beam: Beam, *, attempt: int) -> list[Candidate]:
    """An answer as a candidate, and as another without what is not supported; nobody has decided on them."""
    segments = beam["segments"]
    text, moved = joined([sentence for one in segments for sentence in one["sentences"]])
    whole: Candidate = {
        **draft(text, segments[0]["origin"]),
        "attempt": attempt,
        "sentences": moved,
        "support": _mean([one["support"] for one in segments]),
        "usefulness": segments[-1]["usefulness"] or 0.0,
        "relevance": _mean([one["relevance"] for one in segments]),
        "score": beam["score"],
    }
    rest = trimmed(whole)
    return [whole, *([rest] if rest else [])]


def _mean(values: Sequence[float | None]) -> float:
    return sum(value or 0.0 for value in values) / len(values) if values else 0.0
