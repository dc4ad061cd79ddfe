"""What documentation in reStructuredText uses beyond docutils: Sphinx's directives and roles, read for their text."""

import re
from functools import cache
from textwrap import dedent
from typing import Any

_DESCRIBING = "function class method classmethod staticmethod attribute property data module currentmodule exception "
_DESCRIBING += "decorator option cmdoption program envvar describe object confval setting type macro member var"
_REMARKS = {
    "versionadded": "Added in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
    "seealso": "See also",
}
_WRAPPING = "only glossary productionlist centered hlist tabs tab"
_LEFT_OUT = "toctree index highlight literalinclude automodule autoclass autofunction automethod autosummary "
_LEFT_OUT += "tabularcolumns sectionauthor moduleauthor codeauthor testsetup testcleanup ifconfig graphviz"
_ROLES = "ref doc class func meth mod attr exc data const obj term option envvar numref any keyword token file "
_ROLES += (
    "samp guilabel menuselection kbd command program dfn abbr pep rfc download source issue gh bpo type macro member"
)

_ROLE = re.compile(r":[\w:+.-]+:`([^`]+)`")
_DIRECTIVE = re.compile(r"\s*\.\. ([\w:+.-]+)::[^\n]*\n?")
_OPTION = re.compile(r":[\w-]+:")
_TARGET = re.compile(r"^(.*?)\s*<[^<>]*>$", re.DOTALL)


@cache
def register() -> None:
    """Teach docutils these names, in this process; it knows no way to do so for one text."""
    from docutils.parsers.rst import directives, roles

    told, nothing = _directives()
    for name in (*_DESCRIBING.split(), *_REMARKS, *_WRAPPING.split()):
        directives.register_directive(name, told)
        directives.register_directive(f"py:{name}", told)
    for name in _LEFT_OUT.split():
        directives.register_directive(name, nothing)
    for name in _ROLES.split():
        for prefix in ("", "py:", "c:", "std:"):
            roles.register_local_role(prefix + name, _said)


def without_roles(text: str) -> str:
    """A text in which a role that is not known is what it marks."""
    return _ROLE.sub(lambda found: said_of(found.group(1)), text)


def within(directive: str) -> tuple[str, str]:
    """The name of a directive as it is written, and the text that stands within, without options."""
    head = _DIRECTIVE.match(directive)
    lines = dedent(directive[head.end() :]).split("\n") if head else []
    return (head.group(1) if head else "", "\n".join(line for line in lines if not _OPTION.match(line)).strip("\n"))


def said_of(marked: str) -> str:
    """What a role shows: its own words before a target, else the target without the signs that steer the showing."""
    titled = _TARGET.match(marked)
    if titled and titled.group(1):
        return titled.group(1)
    return marked.rpartition(".")[2] if marked.startswith("~") else marked.lstrip("!")


def _said(_name: str, rawtext: str, text: str, *_: object, **__: object) -> tuple[list[Any], list[Any]]:
    from docutils import nodes
    from docutils.utils import unescape

    return [nodes.literal(rawtext, said_of(unescape(text)))], []


def _directives() -> tuple[type, type]:
    """One that gives its argument and what stands within, and one that gives nothing."""
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Told(Directive):  # type: ignore[misc]  # docutils is not typed
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption()

        def run(self) -> list[nodes.Node]:
            found = nodes.container()
            argument = "" if self.name in _WRAPPING.split() else " ".join(self.arguments)
            label = f"{_REMARKS.get(self.name, '')} {argument}".strip()
            if label:
                inline, _ = self.state.inline_text(label, self.lineno)
                paragraph = nodes.paragraph(label, "", *inline)
                paragraph.line = self.lineno
                found += paragraph
            self.state.nested_parse(self.content, self.content_offset, found)
            return [found]

    class Nothing(Told):
        def run(self) -> list[nodes.Node]:
            return []

    return Told, Nothing


class _AnyOption(dict[str, Any]):
    """Takes every option as it is."""

    def __getitem__(self, _name: str) -> Any:  # noqa: ANN401 - docutils calls it
        return lambda argument: argument

    def __bool__(self) -> bool:
        return True
