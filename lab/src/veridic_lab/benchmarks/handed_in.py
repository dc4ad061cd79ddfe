"""What a user sees of parts of their own: good ones, broken ones, and ones that are no parts at all.

Run from a checkout: `python -m veridic_lab.benchmarks.handed_in`. Chroma is left out where `langchain-chroma` is not
installed.
"""

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import FakeListChatModel
from langchain_core.retrievers import BaseRetriever

from veridic import Context, Settings, build_graph
from veridic.errors import VeridicError
from veridic.models.embedder import OnnxEmbedder

QUESTION = "Who opened the Alder Bridge?"
TEXT = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long."
DOCUMENTS = [Document(TEXT, metadata={"source": "archive/bridges.pdf", "title": "Bridges", "page": 11})]


class Shipped(Embeddings):
    """The embedder that ships."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text."""
        return OnnxEmbedder().embed(texts).tolist()  # type: ignore[no-any-return]

    def embed_query(self, text: str) -> list[float]:
        """One vector."""
        return self.embed_documents([text])[0]


class Told(BaseRetriever):
    """A retriever that does what it is told."""

    behave: Callable[[], list[Document]]

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:  # noqa: ANN401, ARG002
        return self.behave()


def raises() -> list[Document]:
    """Fail as a client of a database does."""
    raise ConnectionError("refused by 10.0.0.7:6333")


def slow() -> list[Document]:
    """Take longer than the run has."""
    time.sleep(20)
    return DOCUMENTS


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    """A name and what is handed in."""
    from langchain_community.vectorstores import FAISS

    truth, lie = "Mayor Clara Voss opened it in 1932.", "Emil Stark opened the Alder Bridge in 1955."
    faiss = FAISS.from_documents(DOCUMENTS, Shipped())
    yield "FAISS", {"retriever": faiss}
    if importlib.util.find_spec("langchain_chroma"):
        from langchain_chroma import Chroma

        yield "Chroma", {"retriever": Chroma.from_documents(DOCUMENTS, Shipped())}
    yield "a chat model that tells the truth", {"retriever": faiss, "model": FakeListChatModel(responses=[truth])}
    yield "a chat model that lies", {"retriever": faiss, "model": FakeListChatModel(responses=[lie])}
    yield "a retriever that raises", {"retriever": Told(behave=raises)}
    yield "a retriever that is slow", {"retriever": Told(behave=slow)}
    yield "a retriever that finds nothing", {"retriever": Told(behave=list)}
    yield "a retriever that gives strings", {"retriever": Told(behave=lambda: ["text"])}
    yield "an embedding model as chat model", {"model": Shipped()}
    yield "a model of no provider", {"model": "olama:llama3.2"}
    yield "a list as retriever", {"retriever": DOCUMENTS}
    yield "a judge without methods", {"judges": {"critic": object()}}
    yield "a judge of another name", {"judges": {"critics": "folder"}}


def main() -> None:
    """Print what each comes to, or the one line that refuses it."""
    for name, handed in cases():
        with TemporaryDirectory() as folder:
            settings = Settings.load(kb=f"{folder}/kb.sqlite", model="extractive", docs="", begin_with="")
            try:
                graph = build_graph(settings=settings, **handed)
                result = graph.invoke({"question": QUESTION}, context=Context(time_budget=6))["result"]
            except VeridicError as error:
                sys.stdout.write(f"{name}: {type(error).__name__}: {error}\n")
                continue
            stopped = f", stopped by {result['stopped_by']}" if result["stopped_by"] else ""
            answer = " / ".join(result["answer"].split("\n\n"))
            cited = sorted({c["url"] for s in result["sentences"] for c in s["citations"]})
            sys.stdout.write(f"{name}: {result['outcome']}{stopped}: {answer} {cited}\n")


if __name__ == "__main__":
    main()
