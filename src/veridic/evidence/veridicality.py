"""Whether a source vouches for a clause it holds: "it turned out that" does, "some claimed that" does not.

The words that suspend a clause are read off what a near copy of it left out.
"""

from collections.abc import Sequence

_CONDITIONS = frozenset(("if", "unless"))
_NO_CONDITION = frozenset("not any only ever anything".split())
"""Words after which a condition is none: if any, if only briefly."""
_CLAIMING = frozenset(
    "claim claims claimed claiming allege alleges alleged argue argues argued believe believes believed think thinks "
    "thought suppose supposes supposed assume assumes assumed suspect suspects suspected speculate speculated suggest "
    "suggests suggested hypothesize hypothesized hypothesise hypothesised propose proposes proposed contend contends "
    "contended fear fears feared hope hopes hoped wish wishes wished pretend pretends pretended imagine imagined "
    "dreamt expect expects expected predict predicts predicted rumoured rumored".split()
)
_DENYING = frozenset(
    "doubt doubts doubted deny denies denied denying dispute disputes disputed reject rejects rejected".split()
)
"""With a "not" beside them they vouch: no doubt that, nobody denies that."""
_DOUBTED = frozenset(
    "theory theories hypothesis assumption suspicion speculation suggestion proposal rumour rumours rumor rumors "
    "myth hoax legend prediction possibility belief false falsely untrue wrongly unlikely possible impossible likely "
    "probable idea allegation allegations accusation".split()
)
_KNOWING = frozenset(
    "know knew known knows knowing realise realised realises realize realized realizes notice noticed notices remember "
    "remembered forget forgot aware learn learned learnt discover discovered regret regretted mention mentioned see "
    "saw understand understood".split()
)
"""These vouch, with a "not" or without: nobody noticed that, he did not know that."""
_NEGATIONS = frozenset("not never no none neither nor without cannot nobody nothing nowhere".split())
_PROOF = frozenset("true case evidence proof prove proven proved show shown certain clear sure".split())
_REPORTING = frozenset("whether say says said reported reportedly allegedly".split())
_BEGINNING = frozenset("it he she they there the a an its his her their".split())
"""Words with which the clause begins there, and which the copy has otherwise."""
NEAR = 6
"""Words before a clause among which the verb or noun that suspends it stands."""
ASIDE = 4
"""Words of an aside, at most: critics claimed, it is believed."""


def suspends(left_out: Sequence[str]) -> bool:
    """Whether words that stood before, within or after a clause keep it from being vouched for; lower-cased."""
    while left_out and left_out[-1] in _BEGINNING:
        left_out = left_out[:-1]
    if not left_out:
        return False
    if left_out[-1] in ("if", "whether") or _is_condition(left_out):
        return True
    if left_out[-1] == "that":
        return _doubts(left_out[-NEAR:])
    return left_out[-1] in _CLAIMING | _DENYING and len(left_out) <= ASIDE


def vouches(left_out: tuple[str, ...]) -> bool:
    """Whether words before a clause tell who knew it, or did not; lower-cased."""
    return left_out[-1:] == ("that",) and bool(_KNOWING & set(left_out))


def is_negated(words: Sequence[str]) -> bool:
    """Whether lower-cased words deny: two negations make none."""
    return sum(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words) % 2 == 1


def is_qualified(added: Sequence[str]) -> bool:
    """Whether words that a sentence adds say in their turn that it is asked, supposed or claimed; lower-cased."""
    return bool((_CONDITIONS | _CLAIMING | _DENYING | _DOUBTED | _REPORTING) & set(added))


def _is_condition(words: Sequence[str]) -> bool:
    return words[0] in _CONDITIONS and not _NO_CONDITION & set(words[1:2])


def _doubts(words: Sequence[str]) -> bool:
    told = set(words)
    if told & _DENYING:
        return not is_negated(words)
    return bool(told & (_CLAIMING | _DOUBTED)) or (is_negated(words) and bool(told & _PROOF) and "only" not in told)
