"""What a phrase speaks of, by examples of it; who measures nearness is given."""

from collections.abc import Callable, Sequence
from heapq import nlargest
from statistics import fmean

from veridic.text.phrases import ARTICLES, is_named, is_plural

Near = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of others, larger is nearer."""
_ROLES = (
    "manager engineer writer teacher driver baker seller inventor worker doctor lawyer neighbour guest woman boy queen "
    "minister officer painter scientist musician buyer employee lodger mother friend"
)
_KINDS = (
    "tool room meal document period cup machine ship animal metal service club house city meeting plan book coat shop "
    "engine garden river disease law song network test box software street planet crew ceremony bread theme move"
)
PERSONS = (
    *(f"the {role}" for role in _ROLES.split()),
    *("Maria Hansen", "John Miller", "Isaac Newton", "Queen Elizabeth", "Anna Kowalski", "Dr. Lee"),
)
THINGS = (
    *(f"the {kind}" for kind in _KINDS.split()),
    *("London", "Spain", "Mount Fuji", "Microsoft", "the Hudson River", "Linden Hall", "Harbour Bridge", "Model X-20"),
)
DETAILS = (
    *("the price", "the length", "the height", "the weight", "the size", "the colour", "the age", "the date"),
    *("the duration", "the name", "the author", "the owner", "the reason", "the number", "the address"),
    *("the deadline", "the budget", "the purpose", "the opening hours"),
)
"""What is asked of a thing, and is none beside it."""
TIMES = {
    "on": ("Sunday", "Monday mornings", "Tuesdays", "Fridays", "weekdays", "public holidays"),
    "in": ("January", "May", "summer", "autumn", "2019", "the evening", "the last quarter", "the nineteenth century"),
    "at": ("night", "noon", "Christmas", "the weekend"),
    "during": ("Easter", "the holidays", "the breaks"),
    "": ("next week", "last year", "this month", "tomorrow"),
}
"""By what leads them."""
EVENTS = (
    *("the meeting", "the strike", "the concert", "the war", "the festival", "the election", "the match", "the trip"),
    *("the ceremony", "the exam", "the accident", "the attack", "the storm", "the revolution", "the conference"),
)
SAID_OF_EVENTS = (
    *("Who organises it?", "What caused it?", "Why was it postponed?", "How long will it last?", "Who decided it?"),
    *("Who attends it?", "When will it happen?", "Who is responsible for it?", "Who coordinates it?"),
    *("How did it end?", "Why did it happen?", "How many people were hurt in it?", "Who announced it?"),
)
SAID_OF_THINGS = (
    *("Where is it kept?", "What does it cost?", "How big is it?", "Who built it?", "How do I open it?"),
    *("What colour is it?", "How old is it?", "What is in it?", "Who owns it?", "How is it cleaned?"),
    *("How long is it?", "Where can I buy it?", "Who uses it?", "Who designed it?", "Who repairs it?"),
    *("Where does it stop?", "How often does it run?", "When does it end?", "When does it close?", "Who signs it?"),
)
PLACES = (*"London Spain Norway Africa Texas Paris Japan Berlin Canada Asia".split(), "the city", "the capital")
"""What something may be in; none that is a building or a thing."""
_OF_ONE_KIND = 3
"""Examples that a phrase is compared with, the nearest ones."""
_RATHER = 0.04
"""By how much what is said is nearer to what is said of events than to what is said of things, at least."""
LENIENCE = 0.05
"""By how much less near they may be, and are still related: a bridge and a library."""
_SURELY = 0.08
"""By how much it is nearer to its kind than to things, where it is surely of it."""


def nearest(text: str, others: Sequence[str], near: Near) -> float:
    """How near the nearest of the others is; they may not be none."""
    return max(near(text, others))


def is_person(phrase: str, near: Near) -> bool:
    """Whether a phrase names somebody rather than something: on average its head is nearer to persons.

    A name of several words with an article is none of a person: "the People Team".
    """
    words = phrase.split()
    if len(words) > len(("the", "director")) and words[0].lower() == "the" and is_named(words[-1]):
        return False
    head = phrase if is_named(phrase) else f"the {words[-1]}"
    return fmean(near(head, PERSONS)) > fmean(near(head, THINGS))


def leads_time(phrase: str, near: Near) -> str | None:
    """What leads a time, "on" of "Sundays", empty for "next week"; None for what is no time.

    Both the phrase and its head are nearer to times: "the night bus" is none.
    """
    leads = {time: lead for lead, times in TIMES.items() for time in times}
    times = list(leads)
    head = f"the {phrase.split()[-1]}" if " " in phrase else phrase
    for text in dict.fromkeys((phrase, head)):
        if _nearest_few(text, times, near) - _nearest_few(text, (*THINGS, *PERSONS), near) < _SURELY:
            return None
    return leads[max(zip(near(phrase, times), times, strict=True))[1]]


def is_place(phrase: str, near: Near) -> bool:
    """Whether a phrase names a country, a town or a part of the world."""
    others = [one for one in (*THINGS, *PERSONS) if one not in PLACES]
    return _nearest_few(phrase, PLACES, near) - _nearest_few(phrase, others, near) > _SURELY


def is_people(phrase: str, near: Near) -> bool:
    """Whether a phrase speaks of people in general: "children"."""
    first = phrase.split()[0].lower()
    several = is_plural(phrase) and first not in ARTICLES and not is_named(phrase)
    return several and _nearest_few(phrase, PERSONS, near) > _nearest_few(phrase, THINGS, near)


def is_related(phrase: str, other: str, near: Near, *, lenience: float = LENIENCE) -> bool:
    """Whether two phrases are nearer to one another than each is to things in general."""
    cosine = near(phrase, [other])[0]
    return all(cosine > fmean(near(one, THINGS)) - lenience for one in (phrase, other))


def is_event(phrase: str, near: Near) -> bool:
    """Whether the head of a phrase is rather what happens than a thing."""
    head = f"the {phrase.split()[-1]}"
    return fmean(near(head, EVENTS)) - fmean(near(head, THINGS)) > _SURELY


def is_said_of_events(question: str, event: str, thing: str, near: Near) -> bool:
    """Whether a question about "it" speaks of an event, and not of the thing to which it happened."""
    said = _nearest_few(question, SAID_OF_EVENTS, near) - _nearest_few(question, SAID_OF_THINGS, near)
    of_event, of_thing = near(question, [f"the {event}", f"the {thing.split()[-1]}"])
    return said > _RATHER and said + of_event - of_thing > _SURELY


def _nearest_few(text: str, others: Sequence[str], near: Near) -> float:
    return fmean(nlargest(_OF_ONE_KIND, near(text, others)))


def is_detail(phrase: str, near: Near) -> bool:
    """Whether a phrase names what something has rather than something: "the length"."""
    return nearest(phrase, DETAILS, near) > nearest(phrase, THINGS, near)
