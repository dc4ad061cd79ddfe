"""Bidirectional RAG: standard RAG that learns the answers which pass its acceptance layer."""

from langgraph.graph import END, START

from veridic.graph import policies
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Step, Wiring
from veridic.nodes.accept import accept
from veridic.nodes.give import give

PAPER = "Bidirectional RAG (Chinthala)"

BIDIRECTIONAL_RAG = System(
    name="bidirectional_rag",
    title="Bidirectional RAG: standard RAG with validated write-back",
    source=f"{PAPER}, IV",
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "recall",
            "recall": "retrieve",
            "retrieve": "take",
            "take": "generate",
            "generate": "critique",
            "critique": "finish",
            "finish": "write_back",
            "write_back": "log",
            "log": END,
        },
        own={
            "finish": Step(give),
            "write_back": Step(accept, again=AGAIN, on_failure=policies.unlearned("log")),
        },
    ),
    choices={"retrieval": "always", "passages": 5, "max_retries": 0, "validate_claims": "off"},
    numbers=(
        Number("grounding", "≥ 0.65", f"{PAPER}, equation 8", "setting `min_grounding`"),
        Number("attribution", "share of citations that exist; no bound is given", f"{PAPER}, equation 9",
               "setting `min_raw_attribution` = 1, of the writer's own citations; one that cites nothing passes"),
        Number("novelty", "≥ 0.10", f"{PAPER}, equation 10", "setting `min_novelty`"),
        Number("NLI model", "cross-encoder/nli-deberta-v3-base", f"{PAPER}, V.D", "the critic; that one by "
               "`VERIDIC_CRITIC=cross-encoder/nli-deberta-v3-base` after `pip install 'veridic[hf]'`"),
        Number("generator", "llama3.2:3b on Ollama", f"{PAPER}, V.D", "`--model ollama:llama3.2:3b`"),
    ),
    differs=(
        "What it learned last year's evidence for stands in a copy of the knowledge base, unless it is told otherwise "
        "(`VERIDIC_OWN_KB=no`).",
    ),
    learns_unchecked=True,
)  # fmt: skip
