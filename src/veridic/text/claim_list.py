"""The JSON in which a chat model lists claims, and its strict reading."""

import json
from collections.abc import Mapping
from typing import Any

CLAIMS_SCHEMA: Mapping[str, Any] = {
    "title": "claims",
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"sentence": {"type": "integer"}, "claim": {"type": "string"}},
                "required": ["sentence", "claim"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}
"""JSON schema of a reply: claims, each with the number of its sentence."""


def listed_claims(reply: str) -> list[tuple[int, str]]:
    """The (sentence number, claim) pairs of a reply; empty when it does not have the schema's shape throughout.

    A fence around the JSON is forgiven, since many models write one; nothing else is.
    """
    bare = reply.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        rows = json.loads(bare)["claims"]
        pairs = [(row["sentence"], row["claim"].strip()) for row in rows]
    except (ValueError, LookupError, TypeError, AttributeError):
        return []
    return pairs if all(type(number) is int and claim for number, claim in pairs) else []
