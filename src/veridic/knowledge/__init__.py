"""What is remembered: documents and their chunks, what was learned, lessons, runs and what people said of them.

`base.open_knowledge` opens a knowledge base; `ingest.ingest` and `ingest.ingest_texts` put documents into it. SQLite is
the truth (`schema.sql`; `store` opens it, `*_rows`, `lineage` and `reviewing` say what a transaction does to rows), the
FAISS index beside it a view (`vectors`). Importing these modules loads no heavy library.
"""
