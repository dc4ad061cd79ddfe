"""The served graphs: what `langgraph.json` names. Import this module nowhere else.

Each without checkpointer and store: the server brings its own.
"""

from veridic.graph.builder import build_graph

graph = build_graph()
adaptive = build_graph(system="adaptive")
bidirectional_rag = build_graph(system="bidirectional_rag")
crag = build_graph(system="crag")
hybrid_self_rag = build_graph(system="hybrid_self_rag")
llm_judge_crag = build_graph(system="llm_judge_crag")
naive_write_back = build_graph(system="naive_write_back")
self_rag = build_graph(system="self_rag")
standard_rag = build_graph(system="standard_rag")
