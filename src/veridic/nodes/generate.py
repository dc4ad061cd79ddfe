"""Make candidate answers: what was read, what the best strips say as they stand, what the chat model writes."""

from hashlib import sha256

from veridic.evidence.answering import clearest, composes, decides, draft, held, quotable, undecided_in
from veridic.evidence.evidence import holds, kept
from veridic.evidence.quoting import quotations, with_announced
from veridic.evidence.telling import one_after_another, told_sentence
from veridic.ports.chat import ChatModel, Prompt, Reply
from veridic.ports.shapes import Candidate, Origin, ReadAnswer, Strip, Usage, merge_usage
from veridic.prompts.writing import cleaned, prompts_of
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.fences import markers, without_markers
from veridic.text.hidden import shown
from veridic.text.sentences import leans_back


def generate(state: GraphState, run: Run) -> StateUpdate:
    """Add this attempt's candidates, unjudged; no prompt is sent twice in a run."""
    attempt = state["attempt"]
    strips = kept(state["strips"])
    written, asked, usage = _written(state, run, strips)
    candidates = [*_read(state, attempt, strips), *written]
    readings = state["readings"]
    # what was surely read needs no sentence to compete with it
    answered = bool(held(readings)) and not composes(readings) and not decides(readings)
    quotes = not answered and (not undecided_in(readings) or run.reader.polar)
    if state["needs_evidence"] and state["intent"] != "summary" and quotes:
        read = [sentence for reading in readings for sentence in clearest(reading)]
        candidates += [_candidate(text, attempt, "extractive", len(strips)) for text in quotations(strips, read)]
    return {
        "candidates": _together(state["candidates"], [candidate for candidate in candidates if candidate["text"]]),
        "asked": [*state["asked"], *asked],
        "attempt": attempt + 1,
        "usage": usage,
    }


def _together(old: list[Candidate], new: list[Candidate]) -> list[Candidate]:
    """All candidates, each text once; what did not hold and is written again is judged again, by today's evidence."""
    written = {candidate["text"] for candidate in new}
    stay = [candidate for candidate in old if candidate["holds"] or candidate["text"] not in written]
    told = {candidate["text"] for candidate in stay}
    return [*stay, *(candidate for candidate in new if candidate["text"] not in told)]


def _read(state: GraphState, attempt: int, strips: list[Strip]) -> list[Candidate]:
    """The sentences that hold what was read, surely or perhaps; partial where a part of the question was not.

    Alone, what is told without being sure does not lean on the sentence before it.
    """
    found = quotable(state["readings"])
    told = one_after_another([_told(reading, strips) for reading in found])
    if not found or (not held(found) and leans_back(told)):
        return []
    candidate = _candidate(told, attempt, "read", len(strips))
    return [{**candidate, "partial": len(found) < len(state["readings"])}]


def _told(reading: ReadAnswer, strips: list[Strip]) -> str:
    """The sentence that holds what was read; with what follows, where it ends with a colon and says nothing alone."""
    said, place = told_sentence(reading), reading["sentence"]
    if place is None or not said.endswith(":"):
        return said
    whole = (with_announced(strip, strips) for strip in strips if holds(strip, place))
    return next(filter(None, whole), said)


def _written(state: GraphState, run: Run, strips: list[Strip]) -> tuple[list[Candidate], list[str], Usage]:
    """What the chat model writes: the first candidate at temperature 0, the others warmer.

    One that does not follow instructions is asked where reading is not enough, and for no summary: a document's own
    sentences are a better one.
    """
    chat = run.chat
    gone = any(failure["node"] == "generate" for failure in state["failures"])
    if chat is None or gone or (state["needs_evidence"] and not strips):
        return [], [], Usage()
    if not chat.follows_instructions and (state["intent"] == "summary" or not composes(state["readings"])):
        return [], [], Usage()
    candidates, asked, usage = list[Candidate](), list[str](), Usage(calls=0, prompt_tokens=0, completion_tokens=0)
    for number, (prompt, warm) in enumerate(prompts_of(state, run, chat, strips)):
        digest = sha256(f"{prompt.system}\0{prompt.user}\0{number if warm else 0}".encode()).hexdigest()
        if digest in state["asked"] or run.spent(merge_usage(state["usage"], usage)):
            continue
        reply = _reply(chat, prompt, number, state, run, warm=warm)
        asked.append(digest)
        usage = merge_usage(usage, reply.usage())
        candidates.append(_candidate(cleaned(reply), state["attempt"], "chat", len(strips)))
    return candidates, asked, usage


def _reply(chat: ChatModel, prompt: Prompt, number: int, state: GraphState, run: Run, *, warm: bool) -> Reply:
    attempt = state["attempt"]
    return chat.write(
        prompt,
        max_tokens=run.context.answer_tokens,
        temperature=0.7 if warm else 0.0,
        seed=17 * attempt + number,
        deadline=run.context.written_until(state["deadline"]),
        on_token=lambda text: run.emit(
            {"event": "token", "node": "generate", "attempt": attempt, "candidate": number, "text": shown(text)}
        ),
    )


def _candidate(text: str, attempt: int, origin: Origin, strips: int) -> Candidate:
    cited = markers(text)
    right = sum(1 <= number <= strips for number in cited)
    attribution = right / len(cited) if cited else None
    return {**draft(without_markers(text), origin), "attempt": attempt, "attribution": attribution}
