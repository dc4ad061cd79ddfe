"""What is remembered: documents and their chunks, lessons, decisions.

`open_knowledge` opens a knowledge base, `ingest` and `ingest_texts` put documents into it.
SQLite is the truth, the FAISS index beside it a view. Importing this loads neither.
"""

from veridic.knowledge.ingest import IngestReport, Text, ingest, ingest_texts
from veridic.knowledge.opening import Knowledge, open_knowledge

__all__ = ["IngestReport", "Knowledge", "Text", "ingest", "ingest_texts", "open_knowledge"]
