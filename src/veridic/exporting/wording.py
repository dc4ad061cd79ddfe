"""The words in which people read what a result says in names; the result itself keeps its names.

The terminal and the exports take them from here; the page (`server/page_files/words.js`) has the same.
"""

from collections.abc import Mapping

from veridic.ports.shapes import Action, Outcome, Standing
from veridic.ports.shapes.checking import CheckVerdict, Unjudged
from veridic.ports.shapes.report import Result, StoppedBy

OUTCOMES: Mapping[Outcome, str] = {
    "accepted": "verified",
    "corrected": "verified after a second look",
    "partial": "answered in part",
    "abstained": "no answer",
    "unverified": "not verified",
}
STOPPED: Mapping[StoppedBy, str] = {
    "retries": "Every further attempt that the run may make was made.",
    "time": "The time that the run may take ran out.",
    "tokens": "The tokens that the run may use ran out.",
    "calls": "The calls of the chat model that the run may make ran out.",
}
"""By what a run was stopped."""
ACTIONS: Mapping[Action, str] = {
    "correct": "judged to answer the question",
    "ambiguous": "judged to answer the question only perhaps",
    "incorrect": "judged not to answer the question",
}
STANDINGS: Mapping[Standing, str] = {"borne_out": "confirmed", "contradicted": "contradicted", "open": "left open"}
CHECKED: Mapping[CheckVerdict, str] = {
    "supported": "supported",
    "contradicted": "contradicted",
    "not_found": "not found",
    "unverified": "not verified",
}
UNJUDGED: Mapping[Unjudged, str] = {
    "question": "it asks and states nothing",
    "heading": "it is a heading",
    "code": "it is code",
    "no words": "it has no words",
    "table": "tables are not read",
    "foreign": "it is in a language that the judges do not know",
    "too long": "it is too long to be read at once",
    "no time": "the time ran out",
    "judge failed": "the judge failed",
    "changed": "the run was changed from outside",
}
"""Why nothing is said of a sentence of a text that is checked."""
LEFT_OUT = "left out, it reads like an instruction"
"""Of evidence that gives orders."""
PHASES: Mapping[str, tuple[str, ...]] = {
    "understanding the question": ("analyze",),
    "deciding whether evidence is needed": ("decide",),
    "recalling what earlier runs taught": ("recall",),
    "looking in your documents": ("retrieve", "take", "search_claims"),
    "falling back on the documents": ("fall_back",),
    "opening the document": ("open_document",),
    "judging what was found": ("evaluate",),
    "wording the search anew": ("rewrite",),
    "asking outside sources": ("search",),
    "keeping what helps": ("refine",),
    "reading for the answer": ("read",),
    "writing an answer": ("generate", "draft", "write_segments", "reply"),
    "checking every sentence": ("reopen", "critique", "judge_claims"),
    "grading sentences": ("grade_segments",),
    "checking claims once more": ("extract_claims", "validate"),
    "looking a claim up": ("look_up",),
    "choosing the answer": ("finish", "give", "give_best", "report"),
    "deciding what to remember": ("write_back", "write_all", "accept", "review"),
    "writing the run down": ("log",),
    "taking the text apart": ("open_text", "split_text"),
}
"""What is done in the nodes of each."""
_STEPS = {node: phase for phase, nodes in PHASES.items() for node in nodes}


def step(node: str) -> str:
    """What a node does; of a node of somebody's own its name."""
    return _STEPS.get(node, node.replace("_", " "))


def counted(count: int, what: str) -> str:
    """A count with its noun: `1 document`, `2,000 documents`."""
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


def outcome_of(result: Result) -> str:
    """What a run came to, and how sure it is that what it tells answers the question."""
    sure = None if result["outcome"] == "abstained" else result["confidence"]
    told = OUTCOMES[result["outcome"]]
    return told if sure is None else f"{told}, {sure:.0%} sure that it answers the question"
