"""The recorded world: a local server that speaks MediaWiki, arXiv Atom and Tavily over a corpus of ours.

The real clients run against it over real sockets, without a network.
"""

from veridic_lab.evaluation.world.behaviour import INJECTION, Behaviour
from veridic_lab.evaluation.world.corpus import Corpus, WorldPage
from veridic_lab.evaluation.world.server import Received, Served, World

__all__ = [
    "INJECTION",
    "Behaviour",
    "Corpus",
    "Received",
    "Served",
    "World",
    "WorldPage",
]
