"""HTML: the main text of a page as trafilatura finds it, or all of its text when it finds too little."""

from copy import deepcopy
from itertools import takewhile
from typing import Any

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import html_tables
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.raised import raised
from veridic.knowledge.readers.tables import LONG
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

Element = Any
"""An lxml element; lxml is not typed."""

_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form header "
    "hr html legend li main nav ol p section summary table td th tr ul "
    "item list quote row cell ab".split()
)
"""HTML's block elements, and those of the tree that trafilatura makes."""

_UNSEEN = frozenset("script style noscript template head nav svg math object iframe select button textarea".split())
_NOT_TOLD = (*_UNSEEN - {"head"}, "input", "link", "audio", "video", "option", "source")
"""What is taken out before the main text is looked for: at any of them trafilatura leaves headings, lists and code."""
_WORDS = ("time", "label")
"""Elements around words of a sentence, which trafilatura would drop with their words."""
_PARTS = ("figure", "fieldset", "form")
"""Parts of a page that trafilatura takes for decoration; what they say belongs to the text."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_ITEMS = frozenset({"li", "item"})
_GONE = "//del|//s|//strike|//*[contains(@style, 'line-through')]|//a[@role='doc-noteref' or @role='doc-backlink']"
"""What is struck, and the marks of notes that stand below their paragraph."""

MAIN_TEXT = 500
"""Characters from which what trafilatura finds is taken for the page; on a short one it loses too much."""


def read_html(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse an HTML file. Raises `DocumentUnreadable`, and whatever lxml raises on a corrupt one."""
    import trafilatura

    tree = page(content)
    title = clean(" ".join("".join(element.itertext()) for element in tree.iter("title")))
    seen = _without_the_unseen(tree)
    found = trafilatura.bare_extraction(
        deepcopy(seen), favor_recall=True, include_comments=False, include_tables=True, include_formatting=True
    )
    body = getattr(found, "body", None)
    if body is not None and _has_headings(body) >= _has_headings(seen):
        main = composed(body, title, limits)
        if len(main.blocks) > 1 and len(main.text) >= MAIN_TEXT:
            return main
    return composed(tree, title, limits)


def page(content: bytes | str) -> Element:
    """The whole page as a tree, its tables told. Raises `DocumentUnreadable`."""
    from lxml import html  # type: ignore[import-untyped]
    from trafilatura.utils import decode_file

    text = decode_file(content)
    if "\0" in text:
        raise DocumentUnreadable("It is binary, not HTML.", "Save it as HTML in the program that opens it.")
    # A declared encoding would be taken at its word, though the text is decoded already.
    text = text.partition(">")[2] if text.lstrip().startswith("<?xml") else text
    tree = html.document_fromstring(text, parser=html.HTMLParser(huge_tree=True))
    for block in list(tree.iter("pre")):
        _mark_as_code(block)
    _settle(tree)
    return tree


def _settle(tree: Element) -> None:
    """Make plain text of what only its look tells: struck text is not there, raised marks and numbers of lists are."""
    from lxml import etree

    for element in tree.xpath(_GONE):
        element.tag = "del"
    etree.strip_elements(tree, "del", with_tail=False)
    marks = [(mark, "".join(mark.itertext())) for mark in tree.iter("sup")]
    notes = {text.strip() for mark, text in marks if not _before(mark).strip()}
    for mark, text in marks:
        mark[:], mark.text = [], raised(_before(mark), text, mark.tail or "", notes)
    etree.strip_tags(tree, "sup")
    for numbered in tree.iter("ol"):
        _number(numbered)
    for term in list(tree.iter("dt")):
        _name(term)
    html_tables.tell(tree)


def _before(element: Element) -> str:
    """The text right before an element in its paragraph."""
    before, parent = element.getprevious(), element.getparent()
    if before is not None:
        return before.tail or "".join(before.itertext())
    return parent.text or ("" if parent.tag in _BLOCKS or parent.getparent() is None else _before(parent))


def _number(numbered: Element) -> None:
    """Put its number before the text of each item."""
    items, step = list(numbered.iterchildren("li")), -1 if "reversed" in numbered.attrib else 1
    number = _whole(numbered, "start", len(items) if step < 0 else 1)
    for item in items:
        number = _whole(item, "value", number)
        _lead(item, f"{number}. ")
        number += step


def _whole(element: Element, name: str, default: int) -> int:
    told = element.get(name, "")
    return int(told) if told.isdecimal() else default


def _name(term: Element) -> None:
    """Put a term before what is briefly said of it."""
    said = list(takewhile(lambda one: one.tag == "dd", term.itersiblings()))
    if said and all(len(_text(one)) <= LONG for one in said):
        for one in said:
            _lead(one, f"{_text(term).rstrip(' :')}: ")
        term.drop_tree()


def _lead(element: Element, text: str) -> None:
    """Put a text before all that an element says."""
    told = next((part for part in element.iter("*") if (part.text or "").strip()), element)
    told.text = text + (told.text or "").lstrip()


def _without_the_unseen(tree: Element) -> Element:
    """A copy of the page for trafilatura, without what it would lose the headings over."""
    from lxml import etree

    seen = deepcopy(tree)
    etree.strip_elements(seen, *_NOT_TOLD, with_tail=False)
    etree.strip_tags(seen, *_WORDS)
    for element in seen.iter(*_PARTS):
        element.tag = "div"
    return seen


def _has_headings(root: Element) -> bool:
    return any(map(_level, root.iter()))


def _mark_as_code(block: Element) -> None:
    """Put a `code` element into a `pre`: without one trafilatura takes it for a quotation."""
    from lxml import etree

    if block.find(".//code") is None:
        code = etree.Element("code")
        code.text, block.text = block.text, None
        code.extend(list(block))
        block.append(code)


def text_of(fragment: str) -> str:
    """All the text of a piece of HTML, a line for each block. Raises `DocumentUnreadable`."""
    from lxml import html

    if not fragment.strip():
        return ""
    root = html.fragment_fromstring(fragment, create_parent="div", parser=html.HTMLParser(huge_tree=True))
    _settle(root)
    return composed(root, "").text.replace("\n\n", "\n")


def composed(root: Element, title: str, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """All the text of a page as a document. Raises `DocumentUnreadable`."""
    walk = _Walk(Composer(limits))
    walk.enter(root)
    walk.flush()
    return walk.composer.finish(title)


class _Walk:
    """Goes through a tree and hands its blocks to a composer."""

    def __init__(self, composer: Composer) -> None:
        self.composer = composer
        self._inline: list[str] = []
        self._marker = ""
        self._blocks = 0

    def enter(self, element: Element) -> None:
        """Take in an element with all it holds; its tail is its parent's."""
        tag = element.tag
        level = _level(element)
        if not isinstance(tag, str) or (tag in _UNSEEN and not level):
            return
        if level:
            self.flush()
            self.composer.heading(level, _text(element), self._place())
        elif tag == "pre" or (tag == "code" and _stands_alone(element)):
            self.flush()
            self.composer.code(clean("".join(element.itertext())), self._place())
        else:
            self._open(element)

    def flush(self) -> None:
        """End the paragraph that is being gathered."""
        lines = [" ".join(line.split()) for line in "".join(self._inline).split("\n")]
        text = clean("\n".join(line for line in lines if line))
        self._inline.clear()
        if text:
            self.composer.block(self._marker + text, self._place())
            self._marker = ""

    def _open(self, element: Element) -> None:
        block = element.tag in _BLOCKS
        if block:
            self.flush()
        if element.tag in _ITEMS:
            parent = element.getparent()
            self._marker = "" if "ol" in (parent.tag, parent.get("rend")) else "- "
        elif element.tag in {"br", "lb"}:
            self._inline.append("\n")
        self._inline.append((element.text or "").replace("\n", " "))
        for child in element:
            self.enter(child)
            self._inline.append((child.tail or "").replace("\n", " "))
        if block:
            self.flush()

    def _place(self) -> Place:
        self._blocks += 1
        return Place("paragraph", self._blocks, self._blocks)


def _level(element: Element) -> int:
    """Level of a heading; 0 for anything else."""
    named = element.get("rend", "") if element.tag == "head" else element.tag
    return _HEADINGS.get(named, 0)


def _text(element: Element) -> str:
    return clean(" ".join("".join(element.itertext()).split()))


def _stands_alone(code: Element) -> bool:
    parent = code.getparent()
    return "\n" in "".join(code.itertext()) or (parent is not None and parent.tag == "body")
