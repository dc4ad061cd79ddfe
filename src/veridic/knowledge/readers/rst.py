"""reStructuredText, by docutils: no file or address that it names is opened, and nothing in it is run."""

from collections.abc import Iterator
from typing import Any

from veridic.knowledge.readers import sphinx_markup
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.spans import Cell, laid_out
from veridic.knowledge.readers.tables import Tables
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

Node = Any
"""A node of docutils, which is not typed."""

_SILENT = 5
"""A level of report that nothing reaches."""

_LEFT_OUT = frozenset("comment substitution_definition target raw pending decoration meta index".split())
_CODE = frozenset(("literal_block", "doctest_block", "math_block"))
_CODE_DIRECTIVES = frozenset(("code", "code-block", "sourcecode", "parsed-literal", "doctest", "testcode"))
_CLOSED = frozenset(("raw", "include", "csv-table"))
"""Directives that open files or hand something on unread; refused, they give nothing."""

_TEXT = frozenset(("paragraph", "title", "rubric", "attribution", "caption", "line_block", "subtitle"))


def read_rst(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a reStructuredText file. Raises `DocumentUnreadable`."""
    document = _tree(decode(content), limits)
    _put_in(document, limits)
    walk = _Walk(limits)
    walk.enter(document, 0)
    return walk.composer.finish("")


def _tree(text: str, limits: FileLimits) -> Node:
    """What the parser alone makes of it: docutils' transforms would put one name in for another without an end."""
    from docutils.frontend import get_default_settings
    from docutils.parsers.rst import Parser
    from docutils.utils import new_document

    sphinx_markup.register()
    settings = get_default_settings(Parser)
    settings.file_insertion_enabled = settings.raw_enabled = False
    settings.report_level = settings.halt_level = _SILENT
    settings.syntax_highlight = "none"
    settings.line_length_limit = limits.characters
    document = new_document("", settings)
    Parser().parse(text, document)
    return document


def _put_in(document: Node, limits: FileLimits) -> None:
    """Put in what stands for a name, as it is written; names within it stay names."""
    from docutils import nodes

    characters = 0
    for reference in list(document.findall(nodes.substitution_reference)):
        key = document.substitution_names.get(reference["refname"].lower(), reference["refname"])
        if key in document.substitution_defs:
            told = document.substitution_defs[key].astext()
            characters += len(told)
            if characters > limits.characters:
                raise limits.beyond("characters")
            reference.children = [nodes.Text(told)]


class _Walk:
    """Goes through a tree and hands its blocks to a composer. Raises `DocumentUnreadable` at what is too much."""

    def __init__(self, limits: FileLimits) -> None:
        self.composer = Composer()
        self._limits = limits
        self._tables = Tables(limits)
        self._marker = ""
        self._line = 1
        self._nodes = 0

    def enter(self, node: Node, depth: int) -> None:
        """Take in a node with all it holds; `depth` is how many sections it is within."""
        self._nodes += 1
        if self._nodes > self._limits.elements:
            raise self._limits.beyond("elements")
        kind = node.tagname
        if kind in _LEFT_OUT or "contents" in node.get("classes", ()):
            return
        if kind == "title" and node.parent.tagname in ("section", "document"):
            self.composer.heading(depth, _text(node), self._place(node))
        elif kind == "system_message":
            self._failed(node)
        elif kind in _CODE:
            self.composer.code(clean(node.astext()), self._place(node))
        elif kind == "table":
            self._table(node)
        elif kind in _TEXT:
            self._block(_text(node), node)
        elif kind == "image":
            self._block(clean(node.get("alt", "")), node)
        elif kind in ("definition_list_item", "field"):
            self._described(node, depth)
        else:
            self._children(node, depth)

    def _children(self, node: Node, depth: int) -> None:
        within = depth + (node.tagname == "section")
        for number, child in enumerate(node.children, start=1):
            if child.tagname == "list_item":
                self._marker = f"{number}. " if node.tagname == "enumerated_list" else "- "
            if child.tagname != "#text":
                self.enter(child, within)

    def _table(self, node: Node) -> None:
        for caption in node.children:
            if caption.tagname == "title":
                self._block(_text(caption), caption)
        headers = sum(row.parent.tagname == "thead" for row in node.findall(_is_row))
        rows = laid_out([[*_cells(row)] for row in node.findall(_is_row)], headers, self._tables)
        for _, paragraph in self._tables.told(list(rows), headers):
            self.composer.block(paragraph, self._place(node))

    def _described(self, node: Node, depth: int) -> None:
        """A term before what is said of it."""
        said, *rest = node.children
        self._marker = _text(said) + ": "
        for child in rest:
            self.enter(child, depth)
        if self._marker:
            self._block("", node)

    def _failed(self, message: Node) -> None:
        """What stands within a directive that docutils does not know, or not with such options, as it is written."""
        for source in message.findall(lambda node: node.tagname == "literal_block"):
            name, text = sphinx_markup.within(source.astext())
            if name in _CODE_DIRECTIVES:
                self.composer.code(clean(text), self._place(message))
            elif name not in _CLOSED:
                self._block(clean(text), message)

    def _block(self, text: str, node: Node) -> None:
        self.composer.block(self._marker + text if text else self._marker.rstrip(" :"), self._place(node))
        self._marker = ""

    def _place(self, node: Node) -> Place:
        """The lines of a node in the file; where docutils does not say, those of what stands before."""
        self._line = max(self._line, node.line or 1)
        return Place("line", self._line, self._line + node.rawsource.rstrip().count("\n"))


def _is_row(node: Node) -> bool:
    return bool(node.tagname == "row")


def _cells(row: Node) -> Iterator[Cell]:
    for cell in row.children:
        if cell.tagname == "entry":
            yield Cell(_text(cell), cell.get("morecols", 0) + 1, cell.get("morerows", 0) + 1)


def _text(node: Node) -> str:
    return clean(sphinx_markup.without_roles(" ".join(node.astext().split())))
