"""Follow-ups made whole by rules, for models that follow no instructions: from what was asked and answered before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veridic.text.conditions import condition_of, under
from veridic.text.fragments import fragment_of, is_added, is_apart, put_in_place
from veridic.text.likeness import Near
from veridic.text.looking_back import asks_again, asks_for_more, asks_who_that_is
from veridic.text.phrases import ARTICLES, is_auxiliary, is_named, is_whole
from veridic.text.pronouns import resolved, speaks_of, subject_of
from veridic.text.questions import ASIDE, needs_context, parts_of, proper_names, resolve
from veridic.text.sentences import sentences
from veridic.text.small_talk import small_talk

LONGEST_NAME = 6
"""Words of an answer that somebody may be called by."""
_WAS_THAT = r"(?:was|were|did|(?<!where )(?:is|are)) (?:that|this|it)(?: happen)?"
_ANOTHER_DETAIL = re.compile(rf"^\W*(?:(?:and|but|so)\b,? )?(?P<aside>{ASIDE})(?: {_WAS_THAT})?\W*$", re.IGNORECASE)
_LED = re.compile(r"^\W*(?:(?:and|but|or|so|also|then)\b,?\s*)+", re.IGNORECASE)
"""What joins a question to the one before."""
_SUBJECT = re.compile(r"^\W*(?:who|what|which \w+) (?!(?:is|are|was|were|do|does|did)\b)(?P<rest>[^?]+?)\W*$", re.I)
_WHO = re.compile(r"^\W*(?:and |but |so )*who\b", re.IGNORECASE)
_FULL_NAME = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?[^\W\d_a-z][\w.'’-]*(?: (?:van|von|de|der|da|di|la|le))*(?: [^\W\d_a-z][\w'’-]*)+"
)
_PERSON = re.compile(r"\b(?:he|him|his|she|her|hers)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Turn:
    """A question of a conversation as it was asked, and the first line of its answer; empty where there was none."""

    asked: str
    answered: str


def leans_on_earlier(question: str) -> bool:
    """Whether a question cannot stand alone."""
    return (
        needs_context(question)
        or is_added(question)
        or asks_again(question)
        or asks_for_more(question)
        or asks_who_that_is(question)
        or bool(_ANOTHER_DETAIL.match(question) or condition_of(question))
    )


def made_whole(question: str, turns: Sequence[Turn], near: Near) -> str:
    """The question, able to stand alone where the turns before it tell what it leans on; as it is where they do not.

    `near` measures which phrase of the question before another one is like.
    """
    asked, answered, person = "", "", ""
    for turn in turns:
        if not small_talk(turn.asked):
            asked = _whole(turn.asked, asked, answered, person, near) if leans_on_earlier(turn.asked) else turn.asked
            answered = _name(asked, turn.answered)
            person = answered or person
    return _whole(question, asked, answered, person, near)


def _name(asked: str, answered: str) -> str:
    """The name a question was answered by; empty where it was by none.

    It is all of the answer, or behind what it is: "Director: Clara Voss."; a sentence that says who may begin with it,
    unless that is what was asked about.
    """
    name = answered.rpartition(": ")[2].rstrip(" .")
    words = name.split()
    if len(words) <= LONGEST_NAME and not any(map(is_auxiliary, words)) and any(map(is_named, _named_in(name))):
        return name
    found = _FULL_NAME.match(answered) if _WHO.match(asked) else None
    first = found.group() if found else ""
    return "" if first.lower() in asked.lower() or first.split()[0].lower() in ARTICLES else first


def _named_in(text: str) -> list[str]:
    return proper_names(f"It is {text}")


def _whole(question: str, asked: str, answered: str, person: str, near: Near) -> str:
    """`answered` is what `asked` was answered by, `person` the last that any question was.

    A doubt is met by asking the same again, and so is the question for the source: it is judged anew, and what it rests
    on is told.
    """
    if asked and asks_again(question):
        return asked
    if asks_who_that_is(question):
        return f"Who is {person}?" if person else question
    last = _last_question(asked)
    another = _another_detail(question, asked, answered) or _under_condition(question, last) or _more(question, last)
    if another:
        return another
    if (fragment := fragment_of(question)) and last:
        another = put_in_place(fragment, last, near)
        if another or is_apart(fragment, last, near):
            return another or question
    if person and _PERSON.search(question):
        question = resolve(question, f"It is {person}")
    if speaks_of(question):
        return resolved(question, last, person, near)
    if is_whole(question) and not needs_context(_LED.sub("", question)):
        return question
    return resolve(question, asked)


def _under_condition(question: str, asked: str) -> str:
    """The question before under the condition that is all of this one; empty for any other."""
    condition = condition_of(question)
    return under(condition, asked) if condition and asked else ""


def _more(question: str, asked: str) -> str:
    """What asks for more of what the question before is about; empty where that cannot be told."""
    subject = subject_of(asked) if asks_for_more(question) else ""
    return f"Tell me more about {subject}." if subject else ""


def _last_question(asked: str) -> str:
    """The last sentence of a message that asks, or the last of all."""
    said = [one.text.strip() for one in sentences(asked)]
    return next((one for one in reversed(said) if one.endswith("?")), said[-1] if said else "")


def _another_detail(question: str, asked: str, name: str) -> str:
    """The question before, asked for another detail: "And by whom?" after "When was it built?"; empty for others.

    After "Who built it?" that is asked of who did: in which year was it that Clara Voss built it.
    """
    found = _ANOTHER_DETAIL.match(question)
    if not found:
        return ""
    subject = _SUBJECT.match(asked)
    if subject and name:
        return f"{found['aside'].capitalize()} was it that {name} {subject['rest']}?"
    parts = parts_of(f"{asked.rstrip(' ?')}, and {found['aside']}?")
    return parts[-1] if asked and len(parts) > 1 else ""
