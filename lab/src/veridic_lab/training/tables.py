"""What of a recipe is data: weights of sets, frames, pairs of opposites, where sets come from."""

import json
from importlib.resources import files
from typing import Any


def table(package: str, name: str) -> Any:  # noqa: ANN401 - JSON
    """The content of a JSON file that lies beside the modules of a package."""
    return json.loads(files(package).joinpath(f"{name}.json").read_text(encoding="utf-8"))
