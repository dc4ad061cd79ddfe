"""Plain RAG, the baseline of Bidirectional RAG's paper, and the same with everything written back."""

from langgraph.graph import END, START

from veridic.graph import policies
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Step, Wiring
from veridic.nodes.give import give
from veridic.nodes.write_all import write_all

PAPER = "Bidirectional RAG (Chinthala)"

STANDARD_RAG = System(
    name="standard_rag",
    title="Standard RAG: retrieve, then write",
    source=f"{PAPER}, V.B: retrieve-and-generate with a static corpus",
    wiring=Wiring(
        {START: "analyze", "analyze": "retrieve", "retrieve": "take", "take": "generate", "generate": "finish",
         "finish": "log", "log": END},
        own={"finish": Step(give)},
    ),
    choices={"retrieval": "always", "passages": 5},
    numbers=(
        Number("k", "not given", f"{PAPER}, V.D", "`passages` = 5, as the pseudocode of the patterns page; the bench "
               "chooses it on other questions"),
        Number("embedder", "all-MiniLM-L6-v2", f"{PAPER}, V.D", "the same, int8"),
    ),
    differs=(
        "Retrieval is dense and lexical, as in every system here, where the paper's is dense alone: what is compared "
        "is what follows it.",
        "Without a chat model the answer is the window nearest to the question.",
    ),
)  # fmt: skip

NAIVE_WRITE_BACK = System(
    name="naive_write_back",
    title="Naive write-back: standard RAG that learns every answer",
    source=f"{PAPER}, V.B: writes all responses to the corpus without validation",
    wiring=Wiring(
        {START: "analyze", "analyze": "retrieve", "retrieve": "take", "take": "generate", "generate": "finish",
         "finish": "write_back", "write_back": "log", "log": END},
        own={
            "finish": Step(give),
            "write_back": Step(write_all, again=AGAIN, on_failure=policies.unlearned("log")),
        },
    ),
    choices={"retrieval": "always", "passages": 5},
    numbers=(Number("documents added", "500 of 500 answers", f"{PAPER}, Table I", "every answer; refusals too"),),
    differs=(
        "The paper's warning, made runnable: it writes to a copy of the knowledge base, never to yours, unless it is "
        "told to (`VERIDIC_OWN_KB=no`).",
    ),
    learns_unchecked=True,
)  # fmt: skip
