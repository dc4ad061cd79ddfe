"""The generated parts of the documentation; `make docs` writes them, a test compares them.

`python -m veridic_lab.reference` rewrites, in the README and in `docs/`, what stands between
`<!-- NAME -->` and `<!-- end NAME -->`, and writes whole pages (`PAGES`) and the JSON schemas.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from veridic.cli.options import bounds_of
from veridic.context import Context
from veridic.graph.builder import Graph, build_graph
from veridic.graph.checking import CheckGraph, check_graph
from veridic.graph.systems import SYSTEMS, System
from veridic.ports.method import Method
from veridic.ports.shapes import Result
from veridic.ports.shapes.checking import CheckResult
from veridic.settings import Settings
from veridic_lab import benchmarks
from veridic_lab.manual.capable import checked_table, remembered_table
from veridic_lab.manual.commands import commands_page
from veridic_lab.manual.fields import fields_page
from veridic_lab.manual.judges import judges_card, promise_line
from veridic_lab.manual.names import names_page
from veridic_lab.manual.results import (
    asked_part,
    bidirectional_table,
    corrupted_part,
    costs_table,
    loops_table,
    told_part,
)
from veridic_lab.manual.rooms import rooms_table
from veridic_lab.manual.routes import routes_page
from veridic_lab.manual.tables import table

SYSTEMS_INTRODUCTION = """# The systems

Each method of the papers is a graph of the same nodes, chosen by name: `veridic ask --system crag "…"`,
`build_graph(system="crag")`, `veridic eval run … --systems standard_rag,crag`, or as the graph `crag` of the server.
The topology is compiled, so it is no choice of a run; the other choices are, and each system has its own defaults.
This page is written by `make docs` from `veridic.graph.systems`."""

RUNS = Path(benchmarks.__file__).with_name("runs")
"""What `python -m veridic_lab.benchmarks.systems --keep` kept of runs."""
MEASURED = {
    "systems-extractive": "Without a chat model",
    "systems-embedded": "With SmolLM2-135M, embedded",
    "systems-instructed": "With Qwen2.5-Coder-0.5B, as a model that follows instructions",
    "self-rag-extractive": "Self-RAG by threshold of Retrieve and number of candidates; no chat model",
    "self-rag-instructed": "The same with Qwen2.5-Coder-0.5B",
}
COSTS = {"calls": "calls", "prompt_tokens": "prompt tokens", "completion_tokens": "completion tokens"}
"""What a question costs beside its seconds."""

COMPARED = {
    "veridic": "`veridic`",
    "standard_rag": "plain RAG, its best number of passages",
    "pastes_best": "pastes the best passage",
    "always_abstains": "never answers",
}

SHOWN = {
    "right": "right",
    "wrong": "wrong",
    "abstained": "silent",
    "hallucinated": "answered where there is no answer",
    "seconds_p50": "seconds (p50)",
}
"""The metrics of the table."""

HANDLER = "__error_handler__"
"""LangGraph draws failure handlers as unconnected boxes; they are left out."""


def drawing(system: str = "veridic") -> str:
    """A system's graph as Mermaid, as LangGraph draws it, without the failure handlers."""
    return _drawn(build_graph(system=system))


def _drawn(graph: Graph | CheckGraph) -> str:
    lines = [line for line in graph.get_graph().draw_mermaid().splitlines() if HANDLER not in line]
    return "```mermaid\n" + "\n".join(lines) + "\n```"


def context_table() -> str:
    """The fields of `Context`."""
    return _table(Context.model_fields, lambda name: f"`--{name.replace('_', '-')}`")


def method_table() -> str:
    """The fields of `Method`."""
    return _table(Method.__pydantic_fields__, lambda name: f"`{name}`")  # type: ignore[attr-defined]


def settings_table() -> str:
    """The fields of `Settings`."""
    return _table(Settings.model_fields, lambda name: f"`VERIDIC_{name.upper()}`")


SCHEMAS: Mapping[str, type] = {
    "docs/result.schema.json": Result,
    "docs/check.schema.json": CheckResult,
}
"""What `veridic ask` and `check` print with `--json`, by the file that holds its JSON schema."""


def schema(name: str) -> str:
    """The JSON schema that a file of `SCHEMAS` holds."""
    return json.dumps(TypeAdapter(SCHEMAS[name]).json_schema(), indent=2, ensure_ascii=False) + "\n"


def check_drawing() -> str:
    """The graph that checks a text."""
    return _drawn(check_graph())


def systems_table() -> str:
    """The systems by name, a line each."""
    rows = [(f"[`{one.name}`](docs/systems.md#{one.name})", one.title, one.source) for one in SYSTEMS.values()]
    return table(("name", "what it does", "from"), rows)


def systems_page() -> str:
    """Each system with its drawing, its paper's numbers, and what differs."""
    return "\n\n".join([SYSTEMS_INTRODUCTION, *(_system(one) for one in SYSTEMS.values())]) + "\n"


def _system(system: System) -> str:
    rows = [(one.name, one.value, one.source, one.here) for one in system.numbers]
    differs = [f"- {line}" for line in system.differs]
    chosen = ", ".join(f"`{name}` {_plain(value)}" for name, value in system.choices.items())
    parts = (
        f"## {system.name}",
        f"{system.title}. From: {system.source}.",
        f"Its own defaults of a run's choices: {chosen}." if chosen else "",
        drawing(system.name),
        table(("number", "in the source", "where it is given", "here"), rows) if rows else "",
        "\n".join(["What differs, and why:", "", *differs]) if differs else "",
    )
    return "\n\n".join(part for part in parts if part)


def results_table() -> str:
    """What the systems came to on the suite `answers`, from the summary of a run that is kept in the checkout."""
    run = json.loads((RUNS / "answers-extractive.json").read_text(encoding="utf-8"))
    asked = f"{run['planned']:,} questions of the suite `{run['suite']}`, `{run['model']}`, 95 % intervals:"
    return _measured(asked, {told: run["systems"][name] for name, told in COMPARED.items()}, SHOWN)


def measured_tables() -> str:
    """What each system does and costs, from the runs that are kept in the checkout."""
    runs = {told: json.loads((RUNS / f"{name}.json").read_text(encoding="utf-8")) for name, told in MEASURED.items()}
    return "\n\n".join(
        _measured(
            f"{told}, {run['planned']} questions of `{run['suite']}`:",
            {f"`{system}`": metrics for system, metrics in run["systems"].items()},
            {**SHOWN, **COSTS},
        )
        for told, run in runs.items()
    )


def _measured(said: str, systems: Mapping[str, Any], shown: Mapping[str, str]) -> str:
    rows = [(told, *(_cell(name, metrics.get(name)) for name in shown)) for told, metrics in systems.items()]
    return f"{said}\n\n{table(('', *shown.values()), rows)}"


def _cell(name: str, found: Mapping[str, float] | None) -> str:
    if found is None:
        return "-"
    if name in COSTS:
        return f"{found['value']:.1f}"
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]"


PARTS: Mapping[str, Callable[[], str]] = {
    "graph": drawing,
    "check": check_drawing,
    "context": context_table,
    "method": method_table,
    "settings": settings_table,
    "systems": systems_table,
    "results": results_table,
    "promise": promise_line,
    "measured": measured_tables,
    "bidirectional": bidirectional_table,
    "remembered": remembered_table,
    "checked": checked_table,
    "loops": loops_table,
    "corrupted": corrupted_part,
    "told": told_part,
    "asked": asked_part,
    "costs": costs_table,
    "rooms": rooms_table,
    "judges": judges_card,
}
FILLED: Mapping[str, tuple[str, ...]] = {
    "README.md": ("results", "promise", "systems"),
    "docs/how-it-works.md": ("graph", "check"),
    "docs/settings.md": ("context", "method", "settings"),
    "docs/measuring.md": ("results", "measured"),
    "docs/results.md": (
        "results",
        "bidirectional",
        "remembered",
        "checked",
        "loops",
        "corrupted",
        "told",
        "asked",
        "costs",
    ),
    "docs/judges.md": ("judges",),
    "CONTRIBUTING.md": ("rooms",),
}
"""Which generated parts stand in which document."""


PAGES: Mapping[str, Callable[[], str]] = {
    "docs/systems.md": systems_page,
    "docs/reference/commands.md": commands_page,
    "docs/reference/routes.md": routes_page,
    "docs/reference/result.md": fields_page,
    "docs/reference/api.md": names_page,
}
"""The pages that are generated whole."""


def filled(text: str, parts: Sequence[str]) -> str:
    """A document with its generated parts as they should be; raises `ValueError` when a part has no place."""
    for name in parts:
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not pattern.search(text):
            raise ValueError(f"no place for {name!r}: <!-- {name} --> … <!-- end {name} -->")
        made = PARTS[name]()
        text = pattern.sub(lambda place, made=made: f"{place[1]}{made}\n{place[2]}", text)  # type: ignore[misc]
    return text


def _table(fields: Mapping[str, FieldInfo], shown: Callable[[str], str]) -> str:
    rows = [
        (
            shown(name),
            "" if field.default_factory or field.default is None else _plain(field.default),
            bounds_of(field),
            field.description or "",
        )
        for name, field in fields.items()
    ]
    return table(("name", "default", "bounds", "meaning"), rows)


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def main() -> None:
    """Write the generated parts into the checkout this is run in."""
    for name, parts in FILLED.items():
        document = Path(name)
        document.write_text(filled(document.read_text(encoding="utf-8"), parts), encoding="utf-8")
    for name, page in PAGES.items():
        Path(name).write_text(page(), encoding="utf-8")
    for name in SCHEMAS:
        Path(name).write_text(schema(name), encoding="utf-8")


if __name__ == "__main__":
    main()
