"""Lines that head what stands below them: short and without a mark, as in minutes, or questions with their answers."""

import re

from veridic.text.stop_words import FUNCTION_WORDS

FULL = 45
"""Characters from which a line may just be full."""
MOST_WORDS = 8
LONGEST_QUESTION = 200
FEWEST_WORDS = 3
"""Words of a question that is answered below it; "Why?" and "Any questions?" are not."""
BELOW = 1000
"""Characters looked at below a line."""
_QUESTION = re.compile(r"[^\W\d_](?:[^?!.]|[.!](?!\s))*\?")
BLANK_LINE = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"[\"'“‘(]?[^\W_].*?[.!?][\"'”’)\]]*(?:\s|$)", re.DOTALL)


def heads(line: str, below: str) -> bool:
    """Whether a line heads the paragraph that goes on below it, and is not merely the first of its lines.

    It is short and ends without a mark, or a word that asks for another as "in" does. A sentence begins below it, and
    the next word would have stood beside it in a text that breaks its lines where they are full.
    """
    words = line.split()
    short = len(line) < FULL and 0 < len(words) <= MOST_WORDS
    if not short or not _is_plain(unnumbered(line)) or words[-1].lower() in FUNCTION_WORDS:
        return False
    rest = _paragraph(below)
    sentence = _SENTENCE.match(rest)
    if sentence is None or len(sentence.group()) <= len(line) or not _begins(line, rest):
        return False
    return len(f"{line} {rest.split(maxsplit=1)[0]}") <= max(map(len, sentence.group().splitlines()))


def poses(line: str, below: str) -> bool:
    """Whether a line asks what the text below it answers, or may: below is empty where that is not known.

    It is one whole question and no item of a list of questions; where lines are broken it was not broken as full.
    """
    whole = len(line) <= LONGEST_QUESTION and bool(_QUESTION.fullmatch(unnumbered(line)))
    if not whole or len(line.split()) < FEWEST_WORDS:
        return False
    first, *further = _paragraph(below).splitlines() or [""]
    begins = not first[:1].islower() and not first.rstrip().endswith("?")
    broken = len(line) >= FULL and further and len(f"{line} {first.split()[0]}") > max(map(len, (first, *further)))
    return begins and not broken


def _paragraph(below: str) -> str:
    """What stands below a line up to the next empty one."""
    return BLANK_LINE.split(below[:BELOW].lstrip(), maxsplit=1)[0]


def _begins(line: str, below: str) -> bool:
    """Whether both begin as a sentence does."""
    first, then = (next(filter(str.isalnum, text), "") for text in (unnumbered(line), below))
    return first.isupper() and then.isupper()


def unnumbered(line: str) -> str:
    """A line without the number it begins with: `2.1`, `3)`."""
    first, *rest = line.split(maxsplit=1) or [""]
    numbered = bool(rest) and first[0].isdecimal() and first.rstrip(".)").replace(".", "").isdecimal()
    return rest[0] if numbered else line


def _is_plain(line: str) -> bool:
    """Whether a line begins with a letter, and ends in a word and not with a mark."""
    bare = line.rstrip(")]\"'”’")
    return len(bare) > 1 and bare[0].isalpha() and bare[-1].isalnum()
