"""Put the spelling of the question right, by the words that the documents have."""

from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.questions import sub_questions
from veridic.text.spelling import doubtful_words, mended


def spell(state: GraphState, run: Run) -> StateUpdate:
    """Write the standalone question and the first queries anew where a word was misspelt; `question` stays as asked."""
    words = doubtful_words(state["standalone"])
    corrections = run.knowledge.corrections(words, deadline=state["deadline"])
    standalone = mended(state["standalone"], corrections)
    if standalone == state["standalone"]:
        return {}
    queries = [standalone, *sub_questions(standalone)]
    return {"standalone": standalone, "queries": queries, "pending": queries}
