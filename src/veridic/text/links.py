"""Questions that speak of a thing by what it is to another: where was the director of X born."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridic.text.questions import keywords

_JOINING = r"(?:of|the|and|de|von|van|der|du|la|le|in|on|to|for|a|an|at|from|with)"
_NAME = (
    r"(?:[\"“][^\"”]{2,80}[\"”]|"
    rf"[A-Z0-9][\w'’.&-]*(?:,? (?:{_JOINING} )*[A-Z0-9][\w'’.&-]*)*(?: \([^)]*\))?)"
)
_NOUN = r"(?P<noun>[a-z]+(?: [a-z]+)?)"
_OF = re.compile(rf"\b[Tt]he {_NOUN} of (?:the )?(?:(?!of\b)[a-z]+ ){{0,3}}{_NAME}(?!['’]s)")
_OWNER = _NAME.replace("'’", "")
_SHORTENED = r"(?:Who|What|Where|When|Why|How|It|He|She|That|There|Here|Let)['’]s\b"
"""Who is, it has, let us: nobody owns anything there."""
_OWNED = re.compile(
    rf"\b(?!{_SHORTENED})(?P<owner>{_OWNER})['’]s (?P<noun>(?!(?:the|an?)\b)[a-z]+)\b(?! [a-z]+(?:ed|ing)? [A-Z])"
)
_WHERE = re.compile(
    rf"\b[Tt]he {_NOUN} (?:where|in which) (?P<name>{_NAME}) (?P<be>is|was|are|were)"
    r"(?: (?P<done>located|situated|born|found|based|held|buried|founded))?"
)
_THAT = re.compile(rf"\b[Tt]he {_NOUN} (?:that|which|who) (?P<clause>[a-z]+(?: [a-z]+){{0,2}} {_NAME})")
_PERSON = re.compile(
    r"(?:or|er|ist|ian|ess|man|woman|wife|husband|spouse|son|child|king|queen|president|star)$", re.IGNORECASE
)


@dataclass(frozen=True)
class Link:
    """A question about something that is only described, and the question what that is."""

    first: str
    """Asks what is described."""
    before: str
    after: str
    """What stands around the description."""

    def second(self, answer: str) -> str:
        """The question about what the description was found to mean."""
        return f"{self.before}{answer}{self.after}"


def link_of(question: str) -> Link | None:
    """The innermost description in a question, where more is asked than what it means; None where there is none."""
    found = [link for link in _links(question) if keywords(f"{link.before} {link.after}")]
    return max(found, key=lambda link: len(link.before), default=None)


def _links(question: str) -> Iterator[Link]:
    for match in _OF.finditer(question):
        yield _link(question, match, f"{_asking(match)} {_lower(match.group())}?")
    for match in _OWNED.finditer(question):
        yield _link(question, match, f"{_asking(match)} {match.group()}?")
    for match in _WHERE.finditer(question):
        done = match["done"] or "located"
        yield _link(question, match, f"In which {match['noun']} {match['be']} {match['name']} {done}?")
    for match in _THAT.finditer(question):
        yield _link(question, match, f"Which {match['noun']} {match['clause']}?")


def _link(question: str, match: re.Match[str], first: str) -> Link:
    return Link(first, question[: match.start()], question[match.end() :])


def _asking(match: re.Match[str]) -> str:
    return "Who is" if _PERSON.search(match["noun"].split()[0]) or _PERSON.search(match["noun"]) else "What is"


def _lower(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"
