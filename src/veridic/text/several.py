"""Questions that ask for several things."""

import re

_SEVERAL = re.compile(
    r"^\W*(?:(?:please )?(?:name|list|enumerate)\b(?! the \w+[^s\W]\b)|"
    r"(?:which|what) (?:\w+ ){0,3}?\w+s (?:are|were|do|did|have|had|can|could|will|made|make)\b|"
    r"(?:who|what) (?:are|were) (?:all )?(?:the|his|her|its|their) )",
    re.IGNORECASE,
)


def asks_several(question: str) -> bool:
    """Whether a question asks for a list: it names, or asks for, what stands in the plural."""
    return bool(_SEVERAL.match(question))
