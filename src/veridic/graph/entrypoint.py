"""The served graphs: what `langgraph.json` names. Import this module nowhere else.

Each without checkpointer and store: the server brings its own.
"""

from veridic.graph.serving import served

graph = served("veridic")
adaptive = served("adaptive")
bidirectional_rag = served("bidirectional_rag")
check = served("check")
crag = served("crag")
hybrid_self_rag = served("hybrid_self_rag")
llm_judge_crag = served("llm_judge_crag")
naive_write_back = served("naive_write_back")
self_rag = served("self_rag")
standard_rag = served("standard_rag")
