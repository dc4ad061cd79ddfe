"""A chat model of one's own: anything that is a LangChain `BaseChatModel`.

What it says is judged like anybody's: the second sentence stands in no document and is not given.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from veridic import Settings, build_graph

DOCUMENTS = Path(__file__).parents[2] / "examples"


class HouseModel(BaseChatModel):
    """Stands for yours."""

    @property
    def _llm_type(self):
        return "house"

    def _generate(self, messages, stop=None, run_manager=None, **given):
        said = "The first dome was paid for by the shipowner Anton Brekke [1]. A band played when it was opened."
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said))])


with TemporaryDirectory() as folder:
    settings = Settings.load(kb=f"{folder}/knowledge.sqlite", docs=str(DOCUMENTS))
    graph = build_graph(model=HouseModel(), settings=settings)
    state = graph.invoke({"question": "Who paid for the first dome?"})
    print(state["answer"])
    for candidate in state["result"]["candidates"]:
        print(candidate["origin"], "·", candidate["objection"] or "holds", "·", candidate["text"])
