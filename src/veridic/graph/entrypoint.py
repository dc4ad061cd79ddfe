"""The served graph: what `langgraph.json` names. Import this module nowhere else."""

from veridic.graph.builder import build_graph

graph = build_graph()
"""Without checkpointer and store: the server brings its own."""
