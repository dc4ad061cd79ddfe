"""Answers written sentence by sentence: Self-RAG's scores, the beam, and the candidates it ends in.

Pure functions; what a sentence is worth, the judges say.
"""

from collections.abc import Sequence

from veridic.evidence.answering import draft
from veridic.evidence.evidence import joined
from veridic.evidence.grounding import trimmed
from veridic.ports.method import Method
from veridic.ports.shapes import Beam, Candidate, Segment, Sentence
from veridic.text.kinds import AnswerKind

ISSUP = {"supported": 1.0, "partly": 0.5}
"""What a verdict counts (Self-RAG, section 3.3); every other counts nothing."""

IN_SENTENCES: tuple[AnswerKind, ...] = ("why-how",)
"""Kinds of question that one sentence may not answer."""

EMPTY = Beam(segments=[], score=0.0, done=False)


def segment(text: str, *, beam: int, passage_id: str, chat: bool) -> Segment:
    """A sentence that nobody graded."""
    return Segment(
        text=text,
        beam=beam,
        passage_id=passage_id,
        origin="chat" if chat else "extractive",
        sentences=[],
        relevance=None,
        support=None,
        usefulness=None,
        score=0.0,
    )


def text_of(beam: Beam) -> str:
    """The answer so far."""
    return " ".join(one["text"] for one in beam["segments"])


def issup(found: Sequence[Sentence]) -> float:
    """ISSUP of sentences, in [0, 1]: the mean of 1 fully, 0.5 partly, 0 otherwise; 0 for none."""
    return sum(ISSUP.get(one["verdict"], 0.0) for one in found) / len(found) if found else 0.0


def is_contradicted(one: Segment) -> bool:
    """Whether the evidence says otherwise."""
    return any(sentence["verdict"] == "contradicted" for sentence in one["sentences"])


def scored(one: Segment, *, relevance: float, support: float, usefulness: float, method: Method) -> Segment:
    """A segment with its scores, those the model gave itself before ours, and their weighted mean in [0, 1].

    Self-RAG adds P(segment | passage) as well, which a chat protocol does not tell.
    """
    isrel = relevance if one["relevance"] is None else one["relevance"]
    issup_ = support if one["support"] is None else one["support"]
    isuse = usefulness if one["usefulness"] is None else one["usefulness"]
    score = method.weighed(isrel, issup_, isuse) / method.weight if method.weight else 0.0
    return {**one, "relevance": isrel, "support": issup_, "usefulness": isuse, "score": score}


def extended(beam: Beam, one: Segment, *, most: int, kind: AnswerKind) -> Beam:
    """An answer with a further sentence; done when long enough, or when one supported sentence is all that is asked."""
    segments = [*beam["segments"], one]
    enough = kind not in IN_SENTENCES and one["support"] == 1.0
    mean = sum(each["score"] for each in segments) / len(segments)
    return Beam(segments=segments, score=mean, done=len(segments) >= most or enough)


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
