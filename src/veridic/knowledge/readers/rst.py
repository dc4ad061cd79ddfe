"""reStructuredText, as docutils makes a page of it: no file or address that it names is opened, nothing in it is run.

What docutils does not know, as Sphinx's directives and roles, stays as it is written.
"""

from typing import Any

from veridic.knowledge.readers import html
from veridic.knowledge.readers.counting import Markup
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.plain import decode
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "math_output": "LaTeX",
    "report_level": 3,  # errors: what is unknown stands in their messages
    "halt_level": 5,
    "warning_stream": False,
    "output_encoding": "utf-8",
}


def read_rst(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a reStructuredText file. Raises `DocumentUnreadable`, and whatever docutils raises on a corrupt one."""
    from docutils.core import publish_string
    from docutils.writers.html5_polyglot import Writer

    page = publish_string(decode(content), writer=Writer(), parser=_parser(), settings_overrides=_SETTINGS)
    tree = html.page(page, Markup(limits, depth=html.MAX_DEPTH))
    for message in tree.find_class("system-message"):
        if (written := message.find("pre")) is not None:
            text = "".join(written.itertext())
            message.clear(keep_tail=True)
            message.text = text
        else:
            message.drop_tree()
    return html.composed(tree.find("body"), "", limits)


def _parser() -> Any:  # noqa: ANN401 - docutils is not typed
    """Docutils' parser, but names within what a name stands for stay names: put in, they could grow without an end."""
    from docutils import nodes
    from docutils.parsers.rst import Parser
    from docutils.transforms import Transform

    class Flat(Transform):  # type: ignore[misc]
        default_priority = 200  # before docutils puts in what names stand for

        def apply(self) -> None:
            for definition in self.document.findall(nodes.substitution_definition):
                for name in list(definition.findall(nodes.substitution_reference)):
                    name.replace_self(nodes.Text(name.rawsource))

    class Flattening(Parser):  # type: ignore[misc]
        def get_transforms(self) -> list[type[Transform]]:
            return [*super().get_transforms(), Flat]

    return Flattening()
