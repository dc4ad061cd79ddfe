"""Records as stored text: sentences that each name what they are of, so that none is cut from its columns."""

from collections.abc import Iterable, Iterator

from veridic.text.sentences import ends_before

LONG = 160
"""Characters above which a value is a text of its own."""

LONGEST_NAME = 60
"""Characters of a text that may name a record."""


ENDS = (".", "!", "?")


def paragraphs(name: str, fields: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A record as paragraphs: a sentence for each short value, all together, and each long value for itself.

    A value that is a sentence stands as it is behind what it is of. Where a sentence's end would not be seen, before a
    small letter or behind "class B", the next one begins a paragraph.
    """
    sentences, texts = [], []
    for field, value in fields:
        told = value.strip()
        said = field.rstrip(" :?.!")
        above = ", ".join(part for part in (name, said) if part)
        if len(told) > LONG or "\n" in told:
            texts.append(f"{above}: {told}" if above else told)
        elif told[:1].isupper() and told.endswith(ENDS) and above:
            sentences.append(f"{above}: {told}")
        elif told:
            sentences.append(ended(f"{name}: {said} is {told}" if name else f"{said} is {told}"))
    yield from _together(sentences)
    yield from texts


def _together(sentences: Iterable[str]) -> Iterator[str]:
    """Sentences as few paragraphs."""
    told, last = "", ""
    for sentence in sentences:
        if told and not ends_before(last, sentence):
            yield told
            told = ""
        told, last = f"{told} {sentence}".lstrip(), sentence
    if told:
        yield told


def ended(sentence: str) -> str:
    """A sentence with a mark at its end."""
    return sentence if sentence.endswith(ENDS) else f"{sentence}."
