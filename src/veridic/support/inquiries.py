"""Whether a sentence tells what somebody wanted to find out, and not what was found."""

import re

_INQUIRE = (
    r"(?:analy[sz]|address|ascertain|assess|characteri[sz]|clarif|compar|describ|determin|discuss|estimat|"
    r"evaluat|examin|explor|find\ out|identif|investigat|look(?:ed|s)?\ (?:at|into)|measur|review|stud(?:y|ie)|test)\w*"
)
_MATTER = (
    r"(?:whether|if|how|the\ (?:question|ability|association|effect|efficacy|feasibility|impact|influence|relation|"
    r"role|safety|severity|usefulness|value)\w*)\b"
)
_PURPOSE = re.compile(
    rf"""^\W*(?:
        (?-i:[A-Z]{{3,}}:?\ )?to\ {_INQUIRE}\b
      | .{{0,60}}\b(?:aim|goal|objective|purpose)s?\b .{{0,80}}? \b(?:is|was|are|were)\ to\ {_INQUIRE}\b
      | .{{0,60}}\b(?:aims|aimed|sought|seeks|designed|undertaken|conducted|performed)\ to\ {_INQUIRE}\b
      | (?:.{{0,40}}\b(?:study|review|paper|article|trial|work|report|survey|authors)|we|they)\ (?:\w+ly\ )?{_INQUIRE}
        \ (?:\w+ly\ )?{_MATTER}
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ABOUT = re.compile(
    rf"\b(?!(?:study|studies|tests?|measures?|reviews?|compared\ (?:to|with))\b)"
    rf"(?:{_INQUIRE}|(?:aim|goal|purpose)\w*)\b",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"\b(?:finds|findings?|found|show|reveal|conclud|demonstrat|confirm|suggest|indicat|prove|led to|turned out)",
    re.IGNORECASE,
)


def is_about_inquiry(question: str) -> bool:
    """Whether a question asks what was looked into or meant, so that a purpose may answer it; English."""
    return bool(_ABOUT.search(question))


def inquires(sentence: str) -> bool:
    """Whether it speaks of a purpose or of what was looked into, and of nothing found; English."""
    return bool(_PURPOSE.match(sentence)) and not _FOUND.search(sentence)
