"""The shipped embedder behind LangChain's interface, for the examples with vector stores."""

from langchain_core.embeddings import Embeddings

from veridic.models.embedder import OnnxEmbedder


class ShippedEmbeddings(Embeddings):
    """Sentences to vectors, on the CPU, without a key."""

    def __init__(self):
        self.embedder = OnnxEmbedder()

    def embed_documents(self, texts):
        return self.embedder.embed(texts).tolist()

    def embed_query(self, text):
        return self.embed_documents([text])[0]
