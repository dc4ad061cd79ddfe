"""Take what was retrieved as it is: what plain RAG writes from."""

from veridic.evidence.evidence import decompose, fitting, headed, whole
from veridic.ports.embedding import embedded
from veridic.ports.shapes import Passage, Strip
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def take(state: GraphState, run: Run) -> StateUpdate:
    """Write the documents as kept strips, as many as fit the prompt, ungraded.

    Without a chat model they are cut into windows, nearest to the question first by the embedder, since the answer is
    then the first one as it stands.
    """
    documents = state["documents"][: state["analysis"]["passages"]]
    strips = [whole(document) for document in documents]
    if run.chat is None:
        strips = _nearest_first(state["standalone"], documents, run)
    return {"strips": [{**strip, "kept": True} for strip in fitting(strips, run.context.evidence_tokens)]}


def _nearest_first(question: str, documents: list[Passage], run: Run) -> list[Strip]:
    strips = [strip for document in documents for strip in decompose(document)]
    if not strips:
        return []
    vectors = embedded(
        run.resources.embedder, [question, *(headed(strip["passage"], strip["text"]) for strip in strips)]
    )
    for strip, cosine in zip(strips, vectors[1:] @ vectors[0], strict=True):
        strip["score"] = max(0.0, float(cosine))
    return sorted(strips, key=lambda strip: -(strip["score"] or 0.0))
