"""What the graph asks of the world, as protocols, and the shapes that cross them.

Adapters live in `models`, `sources` and `knowledge`. Every call takes a `deadline` in seconds since the epoch, total
and not per read; an adapter that passes it raises `DeadlineExceeded`. Adapters are safe to call from several threads.
"""

from veridic.ports.chat import ChatModel, Prompt, Reply
from veridic.ports.embedding import Embedder
from veridic.ports.judging import Critic, DraftDecision, InjectionDetector, Judge, Reader, RetrievalEvaluator
from veridic.ports.memory import DecisionLog, ExperienceStore, KnowledgeBase
from veridic.ports.sources import EvidenceSource, Found, PageSource

__all__ = [
    "ChatModel",
    "Critic",
    "DecisionLog",
    "DraftDecision",
    "Embedder",
    "EvidenceSource",
    "ExperienceStore",
    "Found",
    "InjectionDetector",
    "Judge",
    "KnowledgeBase",
    "PageSource",
    "Prompt",
    "Reader",
    "Reply",
    "RetrievalEvaluator",
]
