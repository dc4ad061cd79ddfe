"""Every node by its name in the graph, with what is done when it fails; systems choose from these."""

from collections.abc import Mapping

from veridic.graph import policies
from veridic.graph.policies import AGAIN
from veridic.graph.wiring import Step
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.decide import decide
from veridic.nodes.draft import draft
from veridic.nodes.evaluate import evaluate
from veridic.nodes.extract_claims import extract_claims
from veridic.nodes.fall_back import fall_back
from veridic.nodes.finish import finish
from veridic.nodes.follow import follow
from veridic.nodes.generate import generate
from veridic.nodes.grade_segments import grade_segments
from veridic.nodes.keep_outside import keep_outside
from veridic.nodes.log import log
from veridic.nodes.look_up import look_up
from veridic.nodes.open_document import open_document
from veridic.nodes.read import read
from veridic.nodes.recall import recall
from veridic.nodes.recollect import recollect
from veridic.nodes.refine import refine
from veridic.nodes.reply import reply
from veridic.nodes.retrieve import retrieve
from veridic.nodes.review import review
from veridic.nodes.rewrite import rewrite
from veridic.nodes.search import search
from veridic.nodes.spell import spell
from veridic.nodes.take import take
from veridic.nodes.validate import validate
from veridic.nodes.write_back import write_back
from veridic.nodes.write_segments import write_segments
from veridic.state import LookUpTask, SourceTask

STEPS: Mapping[str, Step] = {
    "analyze": Step(analyze),
    "reply": Step(reply, again=AGAIN, on_failure=policies.retrieval_failed),
    "open_document": Step(open_document, again=AGAIN, on_failure=policies.opening_failed),
    "spell": Step(spell, again=AGAIN, on_failure=policies.spelling_failed),
    "recall": Step(recall, again=AGAIN, on_failure=policies.recall_failed),
    "recollect": Step(recollect, again=AGAIN, on_failure=policies.recall_failed),
    "retrieve": Step(retrieve, again=AGAIN, on_failure=policies.retrieval_failed),
    "take": Step(take),
    "decide": Step(decide, again=AGAIN, on_failure=policies.undecided),
    "write_segments": Step(write_segments, again=AGAIN, on_failure=policies.unwritten("write_segments")),
    "grade_segments": Step(grade_segments, on_failure=policies.critic_failed),
    "evaluate": Step(evaluate, on_failure=policies.ungraded("refine")),
    "rewrite": Step(rewrite),
    "search": Step(search, state=SourceTask, on_failure=policies.source_failed),  # sources try again by their terms
    "refine": Step(refine, on_failure=policies.ungraded("refine")),
    "read": Step(read, on_failure=policies.reader_failed),
    "follow": Step(follow),
    "generate": Step(generate, again=AGAIN, on_failure=policies.unwritten("generate")),
    "critique": Step(critique, on_failure=policies.critic_failed),
    "extract_claims": Step(extract_claims, again=AGAIN, on_failure=policies.claims_failed),
    "look_up": Step(look_up, state=LookUpTask, again=AGAIN, on_failure=policies.look_up_failed("validate")),
    "validate": Step(validate, again=AGAIN, on_failure=policies.validation_failed),
    "draft": Step(draft, again=AGAIN, on_failure=policies.unwritten("draft")),
    "fall_back": Step(fall_back, again=AGAIN, on_failure=policies.not_fallen_back),
    "finish": Step(finish),
    "write_back": Step(write_back, again=AGAIN, on_failure=policies.unlearned("keep_outside")),
    "review": Step(review, on_failure=policies.unlearned("__end__")),  # once: a second try would ask a second time
    "keep_outside": Step(keep_outside, again=AGAIN, on_failure=policies.keeping_failed),
    "log": Step(log, again=AGAIN, on_failure=policies.log_failed),
}
