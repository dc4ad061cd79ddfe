"""The recorded world: a local server that speaks MediaWiki, arXiv Atom and Tavily over a corpus of ours.

The real clients run against it over real sockets, without a network.
"""

from veridic.evaluation.world.behaviour import INJECTION, Behaviour
from veridic.evaluation.world.corpus import Corpus, WorldPage, read_rows
from veridic.evaluation.world.server import Received, Served, World

__all__ = ["INJECTION", "Behaviour", "Corpus", "Received", "Served", "World", "WorldPage", "read_rows"]
