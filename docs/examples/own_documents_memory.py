"""LangChain's vector store in memory in place of our knowledge base: any retriever or vector store will do."""

from tempfile import TemporaryDirectory

from embeddings import ShippedEmbeddings
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from veridic import Settings, build_graph

DOCUMENTS = [
    Document(
        "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long.",
        metadata={"source": "archive/bridges.pdf", "title": "Bridges of the county", "page": 11},
    ),
    Document("The Marsh Library holds 90,000 books.", metadata={"source": "archive/libraries.pdf", "page": 2}),
]

with TemporaryDirectory() as folder:  # lessons and the decision log are kept there
    settings = Settings.load(kb=f"{folder}/knowledge.sqlite", model="extractive")
    graph = build_graph(retriever=InMemoryVectorStore.from_documents(DOCUMENTS, ShippedEmbeddings()), settings=settings)
    state = graph.invoke({"question": "Who opened the Alder Bridge?"})
    place = state["result"]["answer_span"]
    print(state["result"]["short_answer"], "·", place["title"], "·", place["location"], "·", place["url"])
    print(graph.invoke({"question": "Who painted the Alder Bridge?"})["answer"])
