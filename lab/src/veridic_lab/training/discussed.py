"""A logged run beside what somebody said of it: what is known of its answer, and of its passages, from that."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from veridic.evidence.evidence import headed, stands_in, under_heading
from veridic.evidence.grounding import bare_decision
from veridic.learning.opinions import Opinion
from veridic.ports.shapes import Citation, Passage, ReadAnswer, Result, Sentence
from veridic.text.answers import holds_alias
from veridic.text.facts import words
from veridic.text.questions import keywords
from veridic.text.sentences import sentences

SPOKEN_OF = 0.5
"""Share of a question's words from which a passage that holds the answer is taken to give it.

On 300 corrected runs over XQuAD 90 % of all passages that held it were those that were asked about; with this, 97 %.
"""


@dataclass(frozen=True)
class Discussed:
    """A run and what was said of it; nobody said anything where `opinion` is None."""

    result: Result
    opinion: Opinion | None = None

    @property
    def correction(self) -> str:
        """The right short answer, where somebody gave one."""
        return self.opinion.correction if self.opinion else ""

    @property
    def wrong(self) -> bool:
        """Whether somebody said that the answer was not right, and it says another thing than they do.

        What says more or less than the correction says the same: "1932" and "3 May 1932", "Voss" and "Clara Voss".
        """
        if self.opinion is None or self.opinion.right:
            return False
        if not (self.correction and self.told):
            return True
        told = self.result["short_answer"] or self.result["answer"]
        return not (self.gives_it(told) or holds_alias(self.correction, [told]))

    @property
    def told(self) -> bool:
        """Whether there was an answer."""
        return self.result["outcome"] != "abstained"

    @property
    def locatable(self) -> bool:
        """Whether the right answer can be looked for in a text: there is one, and it is no bare yes or no."""
        return bool(self.correction) and bare_decision(self.correction) is None

    def gives_it(self, text: str) -> bool:
        """Whether a text holds the right answer, word for word but for articles and punctuation."""
        return holds_alias(text, [self.correction])

    @property
    def passages(self) -> list[Passage]:
        """All that was graded, each once: what was kept, then what was dropped."""
        both = [*self.result.get("documents", ()), *self.result.get("rejected", ())]
        return list({passage["id"]: passage for passage in both}.values())

    @property
    def holding(self) -> list[Passage]:
        """The passages that hold the right answer, best graded first: the first, and others that speak of the question.

        Words of an answer stand in many passages by chance. Where none holds it, the documents may say it in other
        words, or not at all.
        """
        found = [passage for passage in self.passages if self.locatable and self.gives_it(passage["text"])]
        found.sort(key=lambda passage: -(passage["score"] or 0.0))
        return [one for at, one in enumerate(found) if at == 0 or self.spoken_of(one) >= SPOKEN_OF]

    def spoken_of(self, passage: Passage) -> float:
        """The share of the question's words that a passage has, in [0, 1]."""
        asked = set(keywords(self.result["standalone"]))
        said = asked & set(words(headed(passage, passage["text"])))
        return len(said) / len(asked) if asked else 0.0

    @property
    def cited(self) -> list[Passage]:
        """The passages that the told sentences cite."""
        places = [one for sentence in self.result["sentences"] for one in sentence["citations"]]
        return [passage for passage in self.passages if stands_in(places, [passage])]

    @property
    def answering(self) -> list[Citation]:
        """The sentences that the answer was read in; where nothing was read, what the first told sentence cites."""
        if not self.told:
            return []
        read = [one["sentence"] for one in self.held if one["sentence"]]
        return read or list(chain.from_iterable(one["citations"] for one in self.result["sentences"][:1]))

    @property
    def held(self) -> list[ReadAnswer]:
        """What was read and surely enough told."""
        return [one for one in self.result.get("readings", ()) if one["holds"]]

    def asked(self, sentence: Sentence) -> str:
        """What a sentence answers: the part of the question that it was read for, or the whole."""
        own = (one["question"] for one in self.held if one["text"] == sentence["text"])
        return next(own, self.result["standalone"])

    def premise(self, citation: Citation) -> str:
        """The whole sentences that a citation stands in, under their heading, as the critic reads them."""
        passage = next((one for one in self.passages if stands_in([citation], [one])), None)
        if passage is None:
            return under_heading(citation["title"], "", citation["quote"])
        start, end = citation["start"] - passage["start"], citation["end"] - passage["start"]
        around = [place for place in sentences(passage["text"]) if place.start < end and start < place.end]
        text = passage["text"][around[0].start : around[-1].end] if around else citation["quote"]
        return headed(passage, text)


def discussed(results: Iterator[Result], opinions: Iterator[Opinion]) -> Iterator[Discussed]:
    """Each run whose words are still there, with what was said of it."""
    said = {opinion.run_id: opinion for opinion in opinions}
    return (Discussed(one, said.get(one["run_id"])) for one in results if not one.get("redacted"))
