"""The words said to a model, one Markdown file each.

A file has a `# system` and a `# user` part; `$name` marks a variable. `render` refuses a
variable that is missing and one the text does not know.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from veridic.ports.chat import Prompt


def render(name: str, **variables: str) -> Prompt:
    """The system and the user text of prompt `name`, filled.

    Raises:
        ValueError: a variable of the text is not given, or one is given that the text does not have.
        FileNotFoundError: there is no such prompt.
    """
    parts = _parts(name)
    wanted = {variable for part in parts for variable in part.get_identifiers()}
    if wanted != variables.keys():
        unfilled, unknown = sorted(wanted - variables.keys()), sorted(variables.keys() - wanted)
        raise ValueError(f"prompt {name!r}: unfilled {unfilled}, unknown {unknown}")
    return Prompt(*(part.substitute(variables).strip() for part in parts))


def listing(name: str, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of a reply that lists, under a name, objects that have these properties and no other."""
    return {"title": name, **_object({name: {"type": "array", "items": _object(properties)}})}


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@cache
def _parts(name: str) -> tuple[Template, Template]:
    text = files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    system, user = text.removeprefix("# system\n").split("# user\n", 1)
    return Template(system), Template(user)
