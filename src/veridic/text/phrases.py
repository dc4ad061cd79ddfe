"""The noun phrases of a question, by its closed-class words and the order of words; English, and no tagger.

What lies between words of a closed class is a run of words that carry meaning. A question has its auxiliary before its
subject and its verb behind it, so of the run that holds the verb the verb is the last word: "does the tram | leave".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

PREPOSITIONS = frozenset(
    "in on at by for from with without of during before after under over above across along despite between about "
    "into onto through against among around behind below beside beyond inside outside near per since till to until "
    "towards upon via within as off up down out".split()
)
ARTICLES = frozenset(
    "a an the this that these those my your our its his their each every any some all no another both".split()
)
_BE = frozenset("is are was were".split())
_AUXILIARIES = _BE | frozenset(
    "am be been being do does did has have had can could will would shall should may might must cannot".split()
)
_OF_MANY = frozenset("do are were have".split())
"""What stands beside a subject in the plural."""
_ASKING = frozenset("who whom whose what which when where why how".split())
_CLAUSE = frozenset(("when", "where", "why"))
"""What asks for no thing, and may begin a clause."""
_QUANTITY = frozenset(("many", "much"))
_PRONOUNS = frozenset(
    "i you he she it we they me him her us them there here one ones anyone somebody anything something "
    "nothing everything else more less most others".split()
)
_SUBJECTS = frozenset("i you he she it we they anyone somebody".split())
_ONE = frozenset(("one", "ones"))
_JOINING = frozenset("and or but if when while because whether unless than not also then so".split())
_ADVERBS = frozenset(
    "still usually normally often always ever never only just already again please today tomorrow yesterday now "
    "later".split()
)
_CLOSED = PREPOSITIONS | ARTICLES | _AUXILIARIES | _ASKING | _QUANTITY | _PRONOUNS | _JOINING | _ADVERBS
_NO_ADVERBS = frozenset("family supply assembly monopoly anomaly reply fly rally jelly".split())
_IRREGULAR = frozenset(
    "born bought brought built caught cut done drawn fed felt forbidden fought found given gone grown held hidden hit "
    "kept known laid led left lent lit lost made meant met paid put read run said seen sent set shot shown shut sold "
    "spent split stolen struck sung sunk taken taught thrown told torn understood won worn written".split()
)
_WITHIN_NAMES = frozenset("of and de van von der".split())
_NAMES = frozenset("May IT US".split())
_STATES = frozenset("open closed free full empty busy ready due valid available reachable".split())
"""What is said of a subject at the end of a question, as a participle is: "is the bar | open"."""
_PLURALS = frozenset("people children men women police mice feet teeth media criteria".split())
CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august "
    "september october november december christmas easter".split()
)
_WORD = re.compile(r"[^\W_](?:[\w'’.-]*\w)?")


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: the characters from `start` to `end`, with its article."""

    text: str
    start: int
    end: int
    opens: int
    """Where the preposition that leads it begins; `start` where none does."""
    preposition: str = ""
    """Lower-cased."""
    asked: bool = False
    """Whether it is what is asked for: "how many eggs"."""
    named: bool = False
    """Whether a word of it is a name; see `is_named`."""
    led_by: str = ""
    """The word before it and its article, lower-cased."""

    @property
    def bare(self) -> str:
        """Without its article, and without the words that ask for it."""
        kept = self.text.split()
        while len(kept) > 1 and kept[0].lower() in ARTICLES | _ASKING | _QUANTITY:
            kept = kept[1:]
        return " ".join(kept)

    @property
    def plural(self) -> bool:
        """Whether it speaks of several, by its last word or as a pair."""
        return is_plural(self.text)


@dataclass(frozen=True)
class _Word:
    text: str
    start: int
    end: int
    named: bool
    """Whether it begins with a capital or a figure, and not only because a sentence does."""
    inside: bool = False
    """Whether it belongs to what stands around it: "University of Oslo", "a weekly ticket"."""

    @property
    def low(self) -> str:
        """Lower-cased; a name that is written as a word of a closed class stays apart from it."""
        return self.text if self.named and self.text in _NAMES else self.text.lower()

    @property
    def carries(self) -> bool:
        return self.inside or (self.low not in _CLOSED and not _is_adverb(self.text))


@dataclass(frozen=True)
class _Run:
    before: tuple[_Word, ...]
    """The words of a closed class between the run before it and this one."""
    words: tuple[_Word, ...]
    following: str
    """The word behind it, lower-cased; empty at the end."""

    @property
    def article(self) -> _Word | None:
        last = self.before[-1] if self.before else None
        return last if last and last.low in ARTICLES else None

    @property
    def leader(self) -> _Word | None:
        """The last word before it and its article."""
        left = self.before[:-1] if self.article else self.before
        return left[-1] if left else None

    @property
    def asked(self) -> _Word | None:
        """The word right before it that asks for it: "which", "how many"."""
        left = self.before[:-1] if self.before and self.before[-1].low in _QUANTITY else self.before
        return left[-1] if left and left[-1].low in _ASKING - _CLAUSE else None

    @property
    def of_which(self) -> bool:
        """Whether it says of what is asked for what it is like: "which is | better"."""
        lead = [word.low for word in self.before]
        return len(lead) == len(("which", "is")) and lead[0] in ("which", "who") and lead[1] in _BE

    @property
    def asks_who(self) -> bool:
        """Whether it follows "who" and an auxiliary: the subject is asked for, and the verb comes first."""
        return [word.low for word in self.before[-2:-1]] == ["who"]


Words = tuple[_Word, ...]


def phrases(question: str) -> list[Phrase]:
    """The noun phrases of a question, in order; what cannot be told apart is left out, or in one."""
    found: list[Phrase] = []
    words = _words(question)
    helper = next((word for word in words if word.low in _AUXILIARIES), None)
    wants_verb = helper is None or helper.low not in _BE or helper is words[0]
    for run in _runs(question, words):
        nouns, verb, rest = _parted(run, helper.low if helper else "", wants_verb=wants_verb)
        found += [_phrase(question, run, part) for part in (nouns, rest) if part]
        if helper and run.words[0].start > helper.start:
            wants_verb = wants_verb and run.following not in _AUXILIARIES and not (nouns and helper.low in _BE)
        wants_verb = wants_verb and not verb
    return found


def is_named(text: str) -> bool:
    """Whether a word of a text is a name or begins with a figure; days and months count as common words."""
    return any(_is_name(word) for word in text.split())


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase speaks of several, by its last word or as a pair."""
    words = phrase.lower().split()
    return _is_plural(words[-1]) or "and" in words


def is_noun_phrase(text: str) -> bool:
    """Whether a text is a noun phrase, led by a preposition or not, as far as closed classes tell.

    "Restart the service" is none.
    """
    words = _words(text)
    opening = [True, *(word.low in PREPOSITIONS | ARTICLES for word in words)]
    articles = all(opens for word, opens in zip(words, opening, strict=False) if word.low in ARTICLES)
    plain = all(word.carries or word.low in PREPOSITIONS | ARTICLES | {"and", "or"} for word in words[:-1])
    return bool(words) and articles and plain and (words[-1].carries or (len(words) > 1 and words[-1].low in _ONE))


def is_whole(question: str) -> bool:
    """Whether a question has a verb: an auxiliary, or a word to ask by and what it is asked of."""
    words = _words(question)
    asks = any(word.low in _ASKING for word in words)
    return has_auxiliary(question) or (asks and any(not one.asked for one in phrases(question)))


def is_closed(word: str) -> bool:
    """Whether a lower-cased word is of a closed class: it leads, joins or stands for what carries meaning."""
    return word in _CLOSED


def is_auxiliary(word: str) -> bool:
    """Whether a lower-cased word is an auxiliary."""
    return word in _AUXILIARIES


def has_auxiliary(text: str) -> bool:
    """Whether an auxiliary stands in a text."""
    return any(word.low in _AUXILIARIES for word in _words(text))


def _words(text: str) -> Words:
    words = [_Word(one.group(), one.start(), one.end(), _stands_out(text, one)) for one in _WORD.finditer(text)]
    around = zip((words[:1] + words)[:-1], words, words[1:] + words[-1:], strict=True)
    return tuple(replace(word, inside=_inside(before, word, behind)) for before, word, behind in around)


def _stands_out(text: str, match: re.Match[str]) -> bool:
    first, rest = match.group()[0], match.group()[1:]
    begins = text[: match.start()].rstrip(" \"'“‘(")[-1:] in ("", *".!?:\n")
    following = text[match.end() :][1:2].isupper()
    return not first.islower() and (not begins or following or rest != rest.lower() or any(map(str.isdigit, rest)))


def _inside(before: _Word, word: _Word, behind: _Word) -> bool:
    if before.low in ARTICLES and _is_adverb(word.text):
        return True
    return word.low in _WITHIN_NAMES and all(one.named and one.carries for one in (before, behind))


def _runs(question: str, words: Words) -> Iterator[_Run]:
    """Runs end at words of a closed class and at punctuation."""
    before: list[_Word] = []
    run: list[_Word] = []
    for word, following in zip_longest(words, words[1:]):
        (run if word.carries else before).append(word)
        parts = following is None or not following.carries or question[word.end : following.start].strip()
        if run and parts:
            yield _Run(tuple(before), tuple(run), following.low if following else "")
            before, run = [], []


def _parted(run: _Run, helper: str, *, wants_verb: bool) -> tuple[Words, Words, Words]:
    """The words of a noun phrase, of the verb behind it, and of a noun phrase behind that; any may be empty."""
    words = run.words
    if run.asked:
        return _asked_for(run)
    if run.leader and run.leader.low == "to" and not run.article and not words[0].named:
        return (), words[:1], words[1:]
    if run.leader and run.leader.low in _SUBJECTS:
        return (), words[:1], words[1:]
    if run.of_which:
        return (), words, ()
    if not wants_verb:
        last = _end_of_name(run) if not run.article else len(words) - _is_participle(words[-1].low)
        return words[:last], words[last:], ()
    if not run.before and not helper and len(words) == 1 and run.following:
        return (), words, ()
    if run.following in _AUXILIARIES | {"of"} or (helper in _BE and run.following not in PREPOSITIONS | {""}):
        return words, (), ()
    verb = 0 if run.asks_who and not run.article and not words[0].named else _verb_at(run, helper)
    return words[:verb], words[verb : verb + 1], words[verb + 1 :]


def _asked_for(run: _Run) -> tuple[Words, Words, Words]:
    """Of "which port | listens", "how many eggs", "who | wrote"; "how long" asks for no thing."""
    counted = run.before[-1].low in _QUANTITY
    if run.asked and run.asked.low == "how" and not counted:
        return (), (), ()
    if run.asked and run.asked.low == "who" and run.following not in _AUXILIARIES:
        return (), run.words[:1], run.words[1:]
    if run.following in _AUXILIARIES | {"of"}:
        return run.words, (), ()
    return (run.words[:-1], run.words[-1:], ())


def _verb_at(run: _Run, helper: str) -> int:
    """Which word of a run the verb is; its length where it is none of it."""
    words = run.words
    if len(words) == 1:
        return 1 if run.article or words[0].named or _is_plural(words[0].low) else 0
    plural = next((place for place, word in enumerate(words[:-1]) if _is_plural(word.low) and not word.named), None)
    if plural is not None and (helper in _OF_MANY or not run.article):
        return plural + 1
    lower = [place for place, word in enumerate(words) if place and not word.named]
    return lower[-1] if lower else len(words)


def _end_of_name(run: _Run) -> int:
    """Where what begins with a name and has no article ends: with the name, "Basel | late"."""
    words = run.words
    named = [place for place, word in enumerate(words, 1) if word.named]
    if words[0].named and not _is_plural(words[-1].low):
        return named[-1]
    return len(words) - _is_participle(words[-1].low)


def _is_name(word: str) -> bool:
    return not word[0].islower() and word.lower().rstrip("s") not in CALENDAR


def _is_adverb(word: str) -> bool:
    return word.islower() and word.endswith("ly") and word not in _NO_ADVERBS


def _is_plural(word: str) -> bool:
    return word in _PLURALS or (word.endswith("s") and not word.endswith(("ss", "us", "is")))


def _is_participle(word: str) -> bool:
    return word in _IRREGULAR | _STATES or (word.endswith("ed") and not word.endswith("eed") and len(word) > len("red"))


def _phrase(question: str, run: _Run, words: Words) -> Phrase:
    first = words[0].start
    leads = words[0] is run.words[0]
    leader = run.leader if leads else None
    if leads and run.asked:
        first = run.asked.start
    elif leads and run.article:
        first = run.article.start
    led = leader is not None and leader.low in PREPOSITIONS
    return Phrase(
        text=question[first : words[-1].end],
        start=first,
        end=words[-1].end,
        opens=leader.start if led and leader else first,
        preposition=leader.low if led and leader else "",
        asked=bool(leads and run.asked),
        named=any(word.named and _is_name(word.text) for word in words),
        led_by=leader.low if leader else "",
    )
