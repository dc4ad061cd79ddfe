"""Sentences split into atomic claims: by a chat model that follows instructions, whose list is checked."""

import json
import re
from collections.abc import Sequence

from veridic.evidence.evidence import tokens
from veridic.ports.chat import ChatModel
from veridic.ports.shapes import AtomicClaim, Usage
from veridic.prompts import listing, render
from veridic.text.facts import LETTERS, digits, missing_names, numbers
from veridic.text.fences import defuse

CLAIMS_SCHEMA = listing("claims", sentence={"type": "integer"}, claim={"type": "string"})
"""JSON schema of a reply: claims, each with the number of its sentence."""
_LISTED = re.compile(r"^\s*\d{1,2}[.)]\s", re.MULTILINE)


def split_by(chat: ChatModel, told: Sequence[AtomicClaim], *, deadline: float) -> tuple[list[AtomicClaim], Usage]:
    """The claims of sentences as the model lists them; the sentences where its list cannot be read.

    Raises what `ChatModel.write` raises.
    """
    listed, usage = _listed(chat, told, deadline)
    return (accepted(listed, told) if listed else list(told)), usage


def accepted(listed: Sequence[tuple[int, str]], told: Sequence[AtomicClaim]) -> list[AtomicClaim]:
    """A model's claims (number of the sentence, text), in the sentences' order.

    A sentence stands as it is when its claims together gain or lose a name or number.
    """
    found: list[AtomicClaim] = []
    for number, one in enumerate(told, start=1):
        claims = [claim for place, claim in listed if place == number]
        together = "\n".join(claims)
        gained, lost = _told_only(together, one["text"]), _told_only(one["text"], together)
        kept = [one["text"]] if gained or lost or not claims else claims
        found.extend(AtomicClaim(text=claim, sentence=one["sentence"]) for claim in dict.fromkeys(kept))
    return found


def _told_only(text: str, other: str) -> set[str]:
    """The names and numbers of a text that another lacks."""
    return missing_names(text, other) | missing_numbers(text, other)


def missing_numbers(sentence: str, evidence: str) -> set[str]:
    """The numbers written in digits in a sentence that its evidence does not hold in any form.

    The numbering of a list is none, and a word may hold one: FGF21.
    """
    said = digits(_LISTED.sub("", sentence))
    return said - numbers(evidence) - digits(LETTERS.sub(" ", evidence)) if said else said


def _listed(chat: ChatModel, told: Sequence[AtomicClaim], deadline: float) -> tuple[list[tuple[int, str]], Usage]:
    sentences = "\n".join(f"[{number}] {defuse(one['text'])}" for number, one in enumerate(told, start=1))
    reply = chat.write(
        render("claims", sentences=sentences),
        max_tokens=3 * tokens(sentences) + 64,
        temperature=0.0,
        seed=0,
        deadline=deadline,
        schema=CLAIMS_SCHEMA,
    )
    return listed_claims(reply.text), reply.usage()


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
