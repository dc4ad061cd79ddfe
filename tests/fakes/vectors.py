"""LangChain's vector store in memory over the hashing embedder."""

from collections.abc import Mapping

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore

from tests.fakes.embedder import HashingEmbedder


class Hashed(Embeddings):
    """LangChain's interface of an embedder."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[float(value) for value in row] for row in HashingEmbedder().embed(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def vector_store(texts: Mapping[str, str]) -> InMemoryVectorStore:
    """A store of texts by their names."""
    documents = [Document(text, metadata={"source": name, "title": name}) for name, text in texts.items()]
    return InMemoryVectorStore.from_documents(documents, Hashed())
