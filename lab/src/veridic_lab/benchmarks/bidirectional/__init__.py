"""Bidirectional RAG's experiment: what write-back brings and what it spoils, with the paper's measures beside gold."""
