"""What Python programs call beside the graph: documents, runs, threads, and what was learned."""
