"""Formats whose library comes with an extra: which, and what to do where it is not installed."""

from collections.abc import Mapping
from importlib.util import find_spec

OFFICE, OCR = "office", "ocr"

MODULES: Mapping[str, tuple[str, ...]] = {OFFICE: ("pptx", "openpyxl"), OCR: ("rapidocr", "pypdfium2", "PIL")}
"""What each extra brings."""


def installed(extra: str) -> bool:
    """Whether all that an extra brings can be imported; nothing is."""
    return all(find_spec(module) is not None for module in MODULES[extra])


def mend(extra: str) -> str:
    """What to do where an extra is not installed."""
    return f"pip install 'veridic[{extra}]'"
