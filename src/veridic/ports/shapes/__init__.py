"""The shapes of what flows through the graph: passages, strips, candidates, claims, the result.

Only JSON-like values: a checkpoint written today must be readable by the next version, under
LangGraph's strict msgpack too. Offsets count characters; scores are probabilities in [0, 1];
`None` means "not judged".
"""

# ruff: noqa: F403 - every shape of these modules is meant

from veridic.ports.shapes.answers import *
from veridic.ports.shapes.claims import *
from veridic.ports.shapes.evidence import *
from veridic.ports.shapes.learning import *
from veridic.ports.shapes.report import *
