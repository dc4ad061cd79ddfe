"""Write the sentences that may come next (Self-RAG): for every answer in the beam one a passage and temperature."""

from collections.abc import Iterator
from functools import partial

from veridic.evidence.evidence import headed, repeats
from veridic.evidence.relevance import Told, relevance
from veridic.evidence.segments import EMPTY, segment, text_of
from veridic.ports.chat import Prompt, Reply
from veridic.ports.likelihood import likelihood, sure_words
from veridic.ports.reflection import Reflection, without_tokens
from veridic.ports.shapes import Beam, Failure, Passage, Segment, Usage, merge_usage
from veridic.prompts import render
from veridic.prompts.writing import cleaned, refused
from veridic.runtime.asked import CHAT, AskedChat
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.answers import refuses
from veridic.text.fences import defuse, without_markers
from veridic.text.sentences import ends, is_prose, leans_back, sentences

COMPLETE = "END"
"""What the prompt lets a model say when nothing is to be added."""
CRITIC = 'Nothing was doubted by them: choose the critic, Method(trigger="critic").'
"""What to do where a model is to be doubted by probabilities and tells none."""


def write_segments(state: GraphState, run: Run) -> StateUpdate:
    """Write the next sentences, ungraded; without a chat model the passages' own, the most useful first.

    A model trained as Self-RAG that needs no evidence writes without a passage.
    """
    beams = state["beams"] or [EMPTY]
    chat = run.chat
    failed = any(failure["node"] == "write_segments" for failure in state["failures"])
    if chat is None or failed:
        written, usage = _quoted(beams, state, run)
    else:
        written, usage = _by_model(chat, beams, state, run)
    return {"beams": beams, "segments": written, "usage": usage}


def _open(beams: list[Beam], state: GraphState) -> Iterator[tuple[int, Beam, Passage]]:
    """Each answer that is not done with each passage, those before the others that were just looked for.

    Where a sentence is doubted, these alone: from the others it was written.
    """
    fresh = [passage for passage in state["documents"] if passage["found_by"] in state["pending"]]
    known = [passage for passage in state["documents"] if passage["found_by"] not in state["pending"]]
    for place, beam in enumerate(beams):
        passages = fresh if beam["doubted"] else [*fresh, *known]
        for passage in [] if beam["done"] else passages[: state["analysis"]["passages"]]:
            yield place, beam, passage


def _by_model(chat: AskedChat, beams: list[Beam], state: GraphState, run: Run) -> tuple[list[Segment], Usage]:
    """One sentence for each answer, passage and temperature, while the budgets last."""
    written, usage = list[Segment](), Usage()
    alone = [
        (place, beam, None) for place, beam in enumerate(beams) if not state["needs_evidence"] and not beam["done"]
    ]
    for place, beam, passage in [*_open(beams, state), *alone]:
        for number in range(run.context.candidates):
            if run.spent(merge_usage(state["usage"], usage)):
                return written, usage
            reply = _reply(chat, beam, passage, number, state, run)
            usage = merge_usage(usage, reply.usage())
            if run.method.trigger == "confidence" and not reply.tokens:
                run.ledger.tell(Failure(node=CHAT, problem=f"{chat.name} tells no probabilities.", mend=CRITIC))
            written.append(_read(reply, beam, place, passage, run))
    return written, usage


def _reply(chat: AskedChat, beam: Beam, passage: Passage | None, number: int, state: GraphState, run: Run) -> Reply:
    return chat.write(
        _prompt(chat, beam, passage, state),
        max_tokens=run.context.answer_tokens,
        temperature=0.0 if number == 0 and not state["retries"] else 0.7,
        seed=17 * state["retries"] + number,
        deadline=run.context.written_until(state["deadline"]),
        probabilities=chat.reflects or run.method.trigger == "confidence",
    )


def _prompt(chat: AskedChat, beam: Beam, passage: Passage | None, state: GraphState) -> Prompt:
    question = defuse(state["standalone"])
    if passage is None:
        return render("reflective", question=question, so_far=text_of(beam), passage="[No Retrieval]")
    text = without_tokens(defuse(headed(passage, passage["text"])))
    if chat.reflects:
        given = f"[Retrieval]<paragraph>{text}</paragraph>"
        return render("reflective", question=question, so_far=text_of(beam), passage=given)
    refusal = refused(state["unsettled"])
    if not chat.follows_instructions:
        return render("answer_small", passages=defuse(passage["text"]), question=question, refused=refusal)
    if not beam["segments"]:
        return render("segment", passage=text, question=question, refused=refusal)
    so_far = defuse(text_of(beam))
    return render("segment_next", passage=text, question=question, so_far=so_far, refused=refusal)


def _read(reply: Reply, beam: Beam, place: int, passage: Passage | None, run: Run) -> Segment:
    """The first sentence of a reply, with what the model's own tokens say of it; empty where nothing is added.

    What the answer says already adds nothing.
    """
    told = reply.reflection or Reflection()
    trained = run.chat is not None and run.chat.reflects
    text = next((one.text for one in sentences(without_markers(cleaned(reply)))), "")
    said = "" if repeats(text, text_of(beam)) or refuses(text) or text.strip(" .") == COMPLETE else text
    return {
        **segment(said, beam=place, passage_id=passage["id"] if passage else "", chat=True),
        "likelihood": likelihood(said, reply.tokens) if trained else None,
        "sure": sure_words(said, reply.tokens, run.method.sure_from),
        "relevance": told.relevance,
        "support": told.support,
        "usefulness": told.usefulness,
    }


def _quoted(beams: list[Beam], state: GraphState, run: Run) -> tuple[list[Segment], Usage]:
    """For each answer the most useful sentences of each passage that it does not have, as many as there may be."""
    cases = [
        (place, passage, one.text)
        for place, beam, passage in _open(beams, state)
        for one in sentences(passage["text"])
        if is_prose(one.text) and ends(one.text) and not leans_back(one.text) and one.text not in text_of(beam)
    ]
    told = [Told(state["standalone"], passage, text) for _, passage, text in cases]
    judge = partial(run.sifter.usefulness, deadline=state["deadline"])
    useful, pairs = relevance(told, judge, least=run.thresholds().strip)
    ranked = sorted(zip(useful, cases, strict=True), key=lambda case: -case[0])
    chosen: list[Segment] = []
    for _, (place, passage, text) in ranked:
        same = [one for one in chosen if (one["beam"], one["passage_id"]) == (place, passage["id"])]
        if len(same) < run.context.candidates:
            chosen.append(segment(text, beam=place, passage_id=passage["id"], chat=False))
    return chosen, Usage(judged_pairs=pairs)
