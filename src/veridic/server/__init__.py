"""The doors for programs and browsers: who may ask, routes beside LangGraph's own, the page; tools for agents."""
