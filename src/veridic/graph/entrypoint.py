"""The served graphs: what `langgraph.json` names. Import this module nowhere else.

Each without checkpointer and store: the server brings its own.
"""

from veridic.graph.builder import build_graph
from veridic.graph.checking import check_graph
from veridic.graph.serving import served

graph = served(build_graph())
adaptive = served(build_graph(system="adaptive"))
bidirectional_rag = served(build_graph(system="bidirectional_rag"))
check = served(check_graph())
crag = served(build_graph(system="crag"))
hybrid_self_rag = served(build_graph(system="hybrid_self_rag"))
llm_judge_crag = served(build_graph(system="llm_judge_crag"))
naive_write_back = served(build_graph(system="naive_write_back"))
self_rag = served(build_graph(system="self_rag"))
standard_rag = served(build_graph(system="standard_rag"))
