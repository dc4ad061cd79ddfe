"""The names that a program may import, in groups: the page that Sphinx fills from their docstrings."""

import inspect
from collections.abc import Iterable, Iterator, Mapping

import veridic
from veridic import errors

INTRODUCTION = """# Python

`from veridic import NAME`: these names are public, and what they take, give and raise is a promise. Importing
`veridic` loads nothing heavy; a name is loaded when it is first used. This page is written by `make docs` from
`veridic.__all__`; what it says stands in the docstrings."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "Asking": ("build_graph", "as_tool", "Context", "Method", "check_graph"),
    "What an answer is": ("Result", "Sentence", "Citation", "CheckResult", "CheckedClaim", "export_result"),
    "Documents": (
        "ingest", "list_documents", "remove", "IngestReport", "RemovalReport", "DocumentSummary",
    ),
    "Runs, and what people say of them": (
        "list_runs", "logged_run", "feedback", "forget_runs", "RunSummary", "Opinion",
        "KeptOpinion", "ForgetReport",
    ),
    "Threads": ("list_threads", "thread_runs", "add_to_thread", "forget_thread", "messages_of"),
    "What was learned": ("remembered",),
    "A chat model as judge": ("try_judge", "TriedJudge"),
    "Settings and resources": ("Settings", "Resources", "open_resources"),
}  # fmt: skip
TOLD_IN_TABLES: Mapping[str, str] = {
    "Context": "(**choices)|:doc:`Choices of a run </settings>`",
    "Method": "(**numbers)|:doc:`Numbers of a method </settings>`",
    "Settings": "(**settings)|:doc:`Settings </settings>`, made by `Settings.load(**settings)`",
    **dict.fromkeys(("Result", "Sentence", "Citation", "CheckResult", "CheckedClaim"), "|:doc:`result`"),
}
"""Classes whose fields stand in a table of their own: how they are called, and where that is."""


def names_page() -> str:
    """All public names, then the errors."""
    groups = [f"## {title}\n\n{_block(map(_directive, names))}" for title, names in GROUPS.items()]
    return "\n\n".join([INTRODUCTION, *groups, _errors()]) + "\n"


def _directive(name: str) -> str:
    thing = getattr(veridic, name)
    if inspect.ismodule(thing):
        return f".. automodule:: {thing.__name__}\n   :members: {', '.join(_told(thing.__all__))}"
    if not isinstance(thing, type):
        return f".. autofunction:: veridic.{name}"
    if name in TOLD_IN_TABLES:
        called, _, where = TOLD_IN_TABLES[name].partition("|")
        return f".. autoclass:: veridic.{name}{called}\n   :class-doc-from: class\n\n   Its fields: {where}."
    return f".. autoclass:: veridic.{name}\n   :members:\n   :undoc-members:\n   :class-doc-from: class"


def _told(names: list[str]) -> Iterator[str]:
    """What is told of a module: its functions; its shapes tell themselves."""
    return (name for name in names if name[0].islower())


def _errors() -> str:
    """The tree, then what each means."""
    kinds = [
        name for name, kind in vars(errors).items() if isinstance(kind, type) and kind.__module__ == errors.__name__
    ]
    blocks = _block(f".. autoexception:: veridic.errors.{name}\n   :show-inheritance:" for name in kinds)
    said = "Each says what is wrong (`problem`) and what to do (`mend`); `retryable`: if the same call may succeed."
    return f"## Errors\n\n{said}\n\n```text\n{chr(10).join(_tree(errors.VeridicError))}\n```\n\n{blocks}"


def _tree(kind: type[errors.VeridicError], depth: int = 0) -> Iterator[str]:
    """A class and those beneath it, a line each, with what it means and whether another try is worth it."""
    meaning = inspect.cleandoc(kind.__doc__ or "").partition("\n")[0].removesuffix(".")
    again = " (worth another try)" if kind.retryable else ""
    yield f"{'    ' * depth + kind.__name__:<32} {meaning}{again}"
    for beneath in kind.__subclasses__():
        if beneath.__module__ == errors.__name__:
            yield from _tree(beneath, depth + 1)


def _block(directives: Iterable[str]) -> str:
    return "```{eval-rst}\n" + "\n\n".join(directives) + "\n```"
