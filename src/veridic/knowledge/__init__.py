"""What is remembered: documents and their chunks, lessons, decisions.

`base.open_knowledge` opens a knowledge base; `ingest.ingest` and `ingest.ingest_texts` put
documents into it; `reembedding.reembed` changes its embedder. SQLite is the truth, the FAISS
index beside it a view. Importing these modules loads no heavy library.
"""
