"""The graph as a tool in the loop of another agent. The scripted model stands for one that calls tools."""

from pathlib import Path
from tempfile import TemporaryDirectory

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from veridic import Settings, as_tool, build_graph

DOCUMENTS = Path(__file__).parents[2] / "examples"


class Scripted(BaseChatModel):
    """Calls the tool once, then repeats what it said."""

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **given):
        return self.bind(tools=tools)

    def _generate(self, messages, stop=None, run_manager=None, **given):
        last = messages[-1]
        if isinstance(last, ToolMessage):
            said = AIMessage(f"I looked it up. {last.content}")
        else:
            call = {"name": given["tools"][0].name, "args": {"question": last.text}, "id": "1"}
            said = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])


with TemporaryDirectory() as folder:
    settings = Settings.load(kb=f"{folder}/knowledge.sqlite", docs=str(DOCUMENTS), model="extractive")
    tools = [as_tool(build_graph(settings=settings), description="Knows everything about the observatory.")]
    model = Scripted().bind_tools(tools)

    agent = StateGraph(MessagesState)
    agent.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    agent.add_node("tools", ToolNode(tools))
    agent.add_edge(START, "model")
    agent.add_conditional_edges("model", tools_condition)
    agent.add_edge("tools", "model")

    messages = agent.compile().invoke({"messages": [("user", "Who founded the observatory?")]})["messages"]
    print(messages[-1].text)
    print(messages[-2].artifact["outcome"])
