"""Follow-ups made whole by few rules, where no chat model that follows instructions is there to do it. English.

"It", "they", "he" and "she" are put in words; "and X?" and "what about X?" put X in the place of what it is nearest to
in the question before. What cannot be made whole stays as it is.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from veridic.text.dates import MONTHS, PERIODS, SEASONS, WEEKDAYS
from veridic.text.parts import another_detail, asks_another_detail
from veridic.text.phrases import Phrase, is_named, phrases
from veridic.text.pronouns import points_back, resolved
from veridic.text.questions import proper_names
from veridic.text.sentences import sentences
from veridic.text.stop_words import ARTICLES, DETERMINERS, PREPOSITIONS, folded, is_auxiliary, is_closed

Near = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of others: cosines."""
LONGEST = 8
"""Words of what takes another's place."""
LONGEST_NAME = 6
"""Words of an answer that somebody may be called by."""
RELATED = 0.2
"""Cosine under which one phrase does not take the place of another."""
ALIKE = 0.2
"""What it adds that both are names."""
_LEAD = re.compile(r"^\W*(?:(?:and|but|or|so|also|then)\b,?\s*)*(?:(?:what|how) about\b\s*)?", re.IGNORECASE)
_LEADS = {*ARTICLES, *DETERMINERS, *PREPOSITIONS, "and", "or", "one", "ones"} - {"its", "his", "her", "their"}
_TIMES = {
    "on": re.compile(rf"\b(?:{'|'.join(WEEKDAYS)}|weekday|holiday)s?$", re.IGNORECASE),
    "in": re.compile(rf"\b(?:{'|'.join(MONTHS)}|{'|'.join(SEASONS)}|[12]\d{{3}})$", re.IGNORECASE),
    "at": re.compile(r"\b(?:night|noon|weekends?|christmas|easter)$", re.IGNORECASE),
    "": re.compile(rf"^(?:(?:next|last|this) (?:{'|'.join(PERIODS)})|today|tomorrow|yesterday)$", re.IGNORECASE),
}
"""Times by what leads them."""


@dataclass(frozen=True)
class Turn:
    """A question of a conversation as it was asked, and the first line of its answer; empty where there was none."""

    asked: str
    answered: str


def leans_on_earlier(question: str) -> bool:
    """Whether a question cannot stand alone: a pronoun points back, or it only names something, "and in winter?"."""
    thing = _named_alone(question)
    joined = _LEAD.sub("", question, count=1) != question.lstrip(" ")
    led = "?" in question and thing.partition(" ")[0].lower() in PREPOSITIONS
    if asks_another_detail(question):
        return True
    return points_back(question) or (joined and (bool(thing) or not phrases(question))) or led


def made_whole(question: str, turns: Sequence[Turn], near: Near) -> str:
    """The question, able to stand alone where the turns before it tell what it leans on; as it is where they do not."""
    asked = name = ""
    for turn in turns:
        asked = _whole(turn.asked, asked, name, near) if leans_on_earlier(turn.asked) else turn.asked
        name = _name(turn.answered) or name
    return _whole(question, asked, name, near)


def _whole(question: str, asked: str, name: str, near: Near) -> str:
    """`name` is the last one that a question was answered by."""
    last = next((one.text for one in reversed(sentences(asked)) if one.text.endswith("?")), asked)
    if another := another_detail(question, last):
        return another.replace(" that somebody ", f" that {name or 'somebody'} ")
    if thing := _named_alone(question):
        return _in_place(thing, last, near) or question
    return resolved(resolved(question, last, name), last, name)


def _name(answered: str) -> str:
    """The name that is all of an answer, or stands beside what it is: "Director: Clara Voss."; else empty."""
    return next((one for one in reversed(answered.rstrip(" .").split(": ")) if _is_name(one)), "")


def _is_name(text: str) -> bool:
    words = text.split()
    plain = len(words) <= LONGEST_NAME and not any(is_auxiliary(word.lower()) for word in words)
    return plain and bool(proper_names(f"It is {text}"))


def _named_alone(question: str) -> str:
    """What a question without verb and pronoun names, "for directors" of "And for directors?"; empty for others."""
    rest = question[lead.end() :] if (lead := _LEAD.match(question)) else question
    words = re.sub(r"['’]s$", "", rest.strip(" ?.!,")).split()
    low = [folded(word) for word in words]
    others = any(is_closed(word) and word not in _LEADS for word in low)
    behind_verb = any(word in ARTICLES and not is_closed(low[place - 1]) for place, word in enumerate(low) if place)
    empty = all(is_closed(word) and word not in ("one", "ones") for word in low)
    return "" if others or behind_verb or empty or len(words) > LONGEST else " ".join(words)


def _in_place(thing: str, asked: str, near: Near) -> str:
    """The question before about another thing or time; empty where it is doubtful of what it takes the place."""
    first, _, rest = thing.partition(" ")
    lead = first.lower() if rest and first.lower() in PREPOSITIONS else None
    time = _leads_time(thing)
    found = [one for one in phrases(asked) if (_leads_time(one.text) is None) is (time is None) and not one.asked]
    if lead is None and (time is None or any(not one.preposition for one in found)):
        return _instead(thing, asked, _nearest(thing, found, near))
    lead, rest = (time or "", thing) if lead is None else (lead, rest)
    put = f"{lead} {rest}".lstrip()
    same = [one for one in found if one.preposition == lead]
    others = [one for one in found if one.preposition not in ("", "of")]
    alike = [one for one in others if time is not None or is_named(one.text) is is_named(rest)]
    if place := _nearest(rest, same, near, least=-1.0) or _nearest(rest, alike, near):
        return _instead(put, asked, place, at=place.opens)
    return f"{asked.rstrip(' ?.')} {put}?" if asked and lead != "of" else ""


def _leads_time(thing: str) -> str | None:
    """What leads a time, "on" of "Sundays", empty for "next week"; None for what is none."""
    return next((lead for lead, form in _TIMES.items() if form.search(thing)), None)


def _nearest(thing: str, found: Sequence[Phrase], near: Near, *, least: float = RELATED) -> Phrase | None:
    """The phrase that a thing is nearest to, of a name rather one with a name; None where none is near."""
    if not found:
        return None
    bare = [_bare(one.text) for one in found]
    alike = [ALIKE * (is_named(one) and is_named(_head(thing))) for one in bare]
    cosines = zip(near(_bare(thing), bare), alike, strict=True)
    best, place = max((cosine + more, place) for place, (cosine, more) in enumerate(cosines))
    return found[place] if best >= least else None


def _head(thing: str) -> str:
    """A phrase up to what a preposition adds: of "the weather in Lisbon" no name."""
    return " ".join(takewhile(lambda word: word not in PREPOSITIONS, _bare(thing).split()))


def _bare(phrase: str) -> str:
    """A phrase without the words that lead it."""
    words = phrase.split()
    while len(words) > 1 and is_closed(words[0].lower()):
        words = words[1:]
    return " ".join(words)


def _instead(thing: str, asked: str, place: Phrase | None, *, at: int | None = None) -> str:
    """The question with a thing in the place of a phrase; "one" stands for its last word. Empty where there is none.

    A thing that is of another takes the place of a phrase with what that is of.
    """
    if place is None:
        return ""
    owner = next((one for one in phrases(asked) if one.preposition == "of" and one.opens == place.end + 1), place)
    put = re.sub(r"\bones?$", place.text.split()[-1], thing)
    start, end = place.start if at is None else at, owner.end if " of " in thing else place.end
    whole = f"{asked[:start]}{put}{asked[end:]}"
    return f"{whole[:1].upper()}{whole[1:]}"
