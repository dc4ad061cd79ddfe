"""Follow-ups that only name another thing, time or quantity, put in the place of one in the question before. English.

"And the belt holster?" after "What does the spare battery cost?" asks what the belt holster costs. A time is put in the
place of a time, and added where there is none.
"""

import re
from itertools import takewhile

from veridic.text.likeness import (
    DETAILS,
    LENIENCE,
    Near,
    is_detail,
    is_people,
    is_person,
    is_place,
    is_related,
    leads_time,
    nearest,
)
from veridic.text.phrases import ARTICLES, PREPOSITIONS, Phrase, is_named, is_noun_phrase, is_plural, phrases
from veridic.text.pronouns import subject_of

LONGEST = 8
"""Words of a fragment."""
ALIKE = 0.1
"""What it adds to a cosine that both phrases are persons, or both are not; that both have an article, or neither."""
RELATED = 0.12
"""Cosine under which two phrases have nothing in common."""
_LEAD = re.compile(r"^\W*(?:(?:and|but|or|so|also|then)\b,?\s*)*(?:(?:what|how) about\b\s*)?", re.IGNORECASE)
_PRONOUN = re.compile(
    r"\b(?!(?-i:IT [a-z]))(?:i|it|its|he|him|his|she|hers?|they|them|theirs?|this|that|these|those|there)\b", re.I
)
_COUNTED = re.compile(r"^(?P<word>how (?:many|much)|which) (?P<things>\S+(?: \S+)?)$", re.IGNORECASE)
_OWNED = re.compile(r"^(?:its|their) ", re.IGNORECASE)
_NAMED_ALONE = re.compile(
    r"^(?P<asking>\W*(?:who|what|where|how)(?:['’]s| is| was) )(?P<name>[^?]+?)\W*$", re.IGNORECASE
)
"""A question that names somebody and nothing else: "Who is Clara Voss?"."""
_LEFT_ON = re.compile(r"^(?P<what>with(?:out)? .+) (?:on|off|in|out|up|down)$", re.IGNORECASE)
"""What is said to be so: "with the display on"."""
_PARTICLES = frozenset("off up down out as".split())
_ANY = frozenset("a an any some".split())
_OF_SOMETHING = re.compile(r"^\W*what (?:is|are|was|were)\b", re.IGNORECASE)


def fragment_of(question: str) -> str:
    """What a question without verb and pronoun names: "And for directors?" is "for directors"; empty for others."""
    rest = question[lead.end() :] if (lead := _LEAD.match(question)) else question
    rest = re.sub(r"['’]s$", "", rest.strip(" ?.!,"))
    counted = _COUNTED.match(rest)
    owned = found.end() if (found := _OWNED.match(rest)) else 0
    led = _LEFT_ON.match(rest)
    named = is_noun_phrase(counted["things"] if counted else led["what"] if led else rest)
    return rest if named and not _PRONOUN.search(rest, owned) and len(rest.split()) <= LONGEST else ""


def is_added(question: str) -> bool:
    """Whether a question is nothing but a preposition and what it leads: "For directors?"."""
    first = question.lower().split()[:1]
    return bool(first) and first[0] in PREPOSITIONS - _PARTICLES and bool(fragment_of(question)) and "?" in question


def put_in_place(fragment: str, asked: str, near: Near) -> str:
    """The question before about what a fragment names; empty where it is doubtful of what it takes the place."""
    found = phrases(asked)
    whole = None if found else _NAMED_ALONE.match(asked)
    if whole and is_named(whole["name"]) and is_named(fragment):
        return f"{whole['asking']}{fragment}?"
    if owned := _OWNED.match(fragment):
        return _detail(f"the {fragment[owned.end() :]}", asked, found)
    if counted := _COUNTED.match(fragment):
        return _counted(counted, asked, found, near)
    first, _, thing = fragment.partition(" ")
    if first.lower() in PREPOSITIONS and thing:
        return _led(first.lower(), thing, asked, found, near)
    named = [one for one in found if not one.asked]
    if (lead := leads_time(fragment, near)) is not None:
        return _time(fragment, lead, asked, named, near)
    things = [one for one in named if leads_time(one.bare, near) is None]
    return _thing(fragment, asked, things or named, near)


def is_apart(fragment: str, asked: str, near: Near) -> bool:
    """Whether what a fragment names has nothing to do with what the question before is about."""
    subject = subject_of(asked)
    thing, other = (f"the {one.lower().split()[-1]}" for one in (fragment, subject or fragment))
    return bool(subject) and not is_related(thing, other, near)


def _time(time: str, lead: str, asked: str, found: list[Phrase], near: Near) -> str:
    """In the place of another time, led as that one is unless both are led as their kind is; else added."""
    times = {one: led for one in found if (led := leads_time(one.bare, near)) is not None}
    if not times:
        return _added(lead, time, asked)
    _, place = _nearest(time, list(times), near)
    put = f"{lead if place.preposition == times[place] else place.preposition} {time}".strip()
    return _instead(put, asked, place.opens, place.end)


def _counted(counted: re.Match[str], asked: str, found: list[Phrase], near: Near) -> str:
    """Another quantity: "And how much butter?" after "How many eggs does it need?"; "how much rain fell" is none."""
    word, things = counted["word"].lower(), counted["things"]
    fits = " " not in things if word == "which" else is_plural(things) is word.endswith("many")
    same = next((one for one in found if one.asked and one.text.lower().startswith(word.split()[0])), None)
    if not same or not fits or nearest(things, [same.bare], near) < RELATED:
        return ""
    return _instead(counted.group(), asked, same.start, same.end)


def _led(preposition: str, thing: str, asked: str, found: list[Phrase], near: Near) -> str:
    """In the place of what the same preposition leads, else of what is like it behind another, else added.

    No time takes the place of something else, and nothing else that of a time.
    """
    timed = leads_time(thing, near) is not None
    led = [one for one in found if one.preposition and (leads_time(one.bare, near) is not None) is timed]
    if same := [one for one in led if one.preposition == preposition]:
        _, place = _nearest(thing, same, near)
        return _instead(f"{preposition} {_for_one(thing, place)}", asked, place.opens, place.end)
    if preposition == "of":
        return ""
    named = is_named(thing)
    others = [one for one in led if one.preposition != "of" and one.named is named]
    if others:
        cosine, place = _nearest(thing, others, near)
        if cosine >= RELATED:
            return _instead(f"{preposition} {_for_one(thing, place)}", asked, place.opens, place.end)
    return _added(preposition, thing, asked)


def _thing(thing: str, asked: str, found: list[Phrase], near: Near) -> str:
    """Another thing: a name in the place of a name, else a phrase in the place of the one it is like."""
    if not found:
        return ""
    named = [one for one in found if one.named] if is_named(_head(thing)) else []
    if is_named(_head(thing)) and is_place(thing, near) and not any(is_place(one.text, near) for one in named or found):
        return _added("in", thing, asked)
    cosine, place = _nearest(thing, named or found, near)
    people = is_people(thing, near)
    if not named and not _is_like(thing, place, near, lenience=0.0 if people else LENIENCE):
        return _led("for", thing, asked, found, near) if people else ""
    if not _is_joined(place, asked):
        both_persons = is_person(thing, near) and is_person(place.text, near)
        detail = not named and not both_persons and thing.lower().startswith("the ") and is_detail(thing, near)
        if detail and nearest(thing, DETAILS, near) > cosine:
            return _detail(thing, asked, found)
        start, end = _span(thing, place)
        return _instead(_for_one(thing, place), asked, start, max(end, _end_of_owner(thing, end, found)))
    return ""


def _end_of_owner(thing: str, end: int, found: list[Phrase]) -> int:
    """Where what a phrase is of ends, which gives way with it to a thing that is of another: the head of support."""
    owner = next((one for one in found if one.preposition == "of" and one.opens <= end + 1 and one.end > end), None)
    return owner.end if owner and " of " in thing else end


def _detail(thing: str, asked: str, found: list[Phrase]) -> str:
    """Another detail of the same thing: "And the length?"."""
    of = next((one for one in found if one.preposition == "of"), None)
    if of and _OF_SOMETHING.match(asked):
        return _instead(thing, asked, found[0].start, of.opens - 1)
    subject = subject_of(asked)
    if subject.split()[:1] and subject.split()[0].lower() in _ANY:
        return ""
    return f"What {'are' if is_plural(thing) else 'is'} {thing} of {subject}?" if subject else ""


def _nearest(thing: str, found: list[Phrase], near: Near) -> tuple[float, Phrase]:
    """The likeliest place of a phrase, with its cosine: the nearest, a person rather for a person."""
    person, definite = is_person(thing, near), _is_definite(thing)
    cosines = near(_with_article(thing), [_with_article(one.bare) for one in found])
    shared = [(is_person(one.text, near) is person) + (_is_definite(one.text) is definite) for one in found]
    best = max(range(len(found)), key=lambda place: (cosines[place] + ALIKE * shared[place], place))
    return cosines[best], found[best]


def _is_like(thing: str, place: Phrase, near: Near, *, lenience: float) -> bool:
    """Whether something may take the place of a phrase; a name is told by its last word, what may say its kind."""
    kind = place.bare.lower().split()[-1] if place.named else place.bare
    return is_related(_with_article(thing), _with_article(kind), near, lenience=lenience)


def _span(thing: str, place: Phrase) -> tuple[int, int]:
    """What of a phrase gives way: its owner, its name where a name alone is put, else all of it."""
    owner = re.match(r".+?(?=['’]s )", place.text)
    end = place.start + (owner.end() if owner else len(place.text))
    text = place.text[: end - place.start]
    if is_named(thing) and thing.split()[0].lower() not in ARTICLES:
        names = [match for match in re.finditer(r"\S+", text) if not match.group()[0].islower()]
        bare = [word for word in text.split() if word.lower() not in ARTICLES]
        if names and len(names) < len(bare):
            return place.start + names[0].start(), place.start + names[-1].end()
    return place.start, end


def _is_joined(place: Phrase, asked: str) -> bool:
    """Whether a phrase is one of several: of "an app or job" none alone gives way."""
    return bool(
        re.search(r"\b(?:and|or)\W*$", asked[: place.opens]) or re.match(r"\W*(?:and|or)\b", asked[place.end :])
    )


def _head(thing: str) -> str:
    """A phrase without what a preposition adds: of "the weather in Lisbon" no name."""
    return " ".join(takewhile(lambda word: word.lower() not in PREPOSITIONS, thing.split())) or thing


def _is_definite(thing: str) -> bool:
    """Whether it has an article, or is a name."""
    return thing.split()[0].lower() in ARTICLES or is_named(thing)


def _with_article(thing: str) -> str:
    """How all phrases are compared, so that the article makes none nearer."""
    first, _, rest = thing.partition(" ")
    return f"the {rest if rest and first.lower() in ARTICLES else thing}"


def _for_one(thing: str, place: Phrase) -> str:
    """What "one" stands for put in: "a weekly one" is a weekly ticket."""
    return re.sub(r"\bones?$", place.text.split()[-1], thing)


def _added(preposition: str, thing: str, asked: str) -> str:
    return f"{' '.join([asked.rstrip(' ?.'), *preposition.split(), thing])}?"


def _instead(text: str, asked: str, start: int, end: int) -> str:
    put = f"{asked[:start]}{text}{asked[end:]}"
    return f"{put[:1].upper()}{put[1:]}"
