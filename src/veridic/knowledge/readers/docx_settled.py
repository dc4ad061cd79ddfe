"""A Word document's text as it reads once its edits are accepted: python-docx tells only what stands plainly there."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any

from veridic.knowledge.readers.raised import raised

if TYPE_CHECKING:
    from docx.document import Document

Element = Any
"""An lxml element; lxml is not typed."""

_GONE = (
    ".//w:del | .//w:moveFrom | .//w:tr[w:trPr/w:del] | .//w:sdtPr | .//w:sdtEndPr"
    " | .//w:r[w:rPr/*[(self::w:strike or self::w:dstrike or self::w:vanish)"
    " and not(@w:val='0' or @w:val='false' or @w:val='off')]]"
    " | .//mc:Fallback[preceding-sibling::mc:Choice//w:txbxContent]"
)
"""What is deleted, moved away, struck or hidden; what describes a control; a text box's second copy."""

_AROUND = ("ins", "moveTo", "sdt", "sdtContent", "smartTag", "customXml", "fldSimple")
"""Elements around text that is there."""

_JOINED = ".//w:p[w:pPr/w:rPr/w:del][following-sibling::*[1][self::w:p]]"
"""Paragraphs whose end is deleted."""

_RAISED = ".//w:r[w:rPr/w:vertAlign/@w:val='superscript'] | .//w:r[w:rPr/w:position/@w:val > 3]"
_PAGE_NUMBER = ".//w:instrText[contains(., 'PAGE')] | .//w:fldSimple[contains(@w:instr, 'PAGE')]"
_NAMES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
}


def settle(document: "Document") -> tuple[list[str], str]:
    """Put all that is read into the body, in its place.

    What stands in headers and footers, once each, and what is said of what is left out.
    """
    body = document.element.body
    around = [paragraph for root in _margins(document) for paragraph in root.iter(_w("p"))]
    for kind in ("footnote", "endnote"):
        _put_notes(body, kind, _notes(document, kind))
    for root in (body, *around):
        _settle(root)
    commented = any(one.text.strip() for one in document.comments)
    written = dict.fromkeys("".join(map(str, _found(one, ".//w:t/text()"))) for one in around)
    return list(written), "Its comments are left out" if commented else ""


def _w(name: str) -> str:
    return f"{{{_NAMES['w']}}}{name}"


def _found(root: Element, path: str) -> list[Element]:
    from lxml import etree  # type: ignore[import-untyped]

    return etree.XPath(path, namespaces=_NAMES)(root)  # type: ignore[no-any-return]


def _settle(root: Element) -> None:
    from lxml import etree

    for paragraph in _found(root, _JOINED):
        following = paragraph.getnext()
        at = int(following.find(_w("pPr")) is not None)
        following[at:at] = [part for part in paragraph if part.tag != _w("pPr")]
        paragraph.getparent().remove(paragraph)
    for element in _found(root, _GONE):
        if element.getparent() is not None:
            element.getparent().remove(element)
    etree.strip_tags(root, *map(_w, _AROUND))
    for formula in _found(root, ".//m:oMath"):
        formula.addprevious(_run("".join(formula.itertext())))
    marks = [(run, str(_found(run, "string(preceding-sibling::w:r[1])"))) for run in _found(root, _RAISED)]
    notes = {str(_found(run, "string()")).strip() for run, before in marks if not before.strip()}
    for run, before in marks:
        for text in run.findall(_w("t")):
            text.text = raised(before, text.text or "", notes=notes)
    for box in _found(root, ".//w:txbxContent"):
        _below(next(box.iterancestors(_w("p")), None), list(box))


def _run(text: str) -> Element:
    from docx.oxml import OxmlElement

    run, told = OxmlElement("w:r"), OxmlElement("w:t")
    told.text = text
    run.append(told)
    return run


def _below(holder: Element, paragraphs: list[Element]) -> None:
    """Put paragraphs below what holds them."""
    for paragraph in reversed(paragraphs):
        if holder is not None:
            holder.addnext(paragraph)


def _notes(document: "Document", kind: str) -> dict[str, Element]:
    """The notes of a kind by the number that marks of them have."""
    from docx.oxml import parse_xml

    parts = (part.target_part for part in document.part.rels.values() if part.reltype.endswith(f"/{kind}s"))
    return {note.get(_w("id")): note for part in parts for note in parse_xml(part.blob).iter(_w(kind))}


def _put_notes(body: Element, kind: str, notes: dict[str, Element]) -> None:
    """Put each note below the paragraph, or the table, with its mark, which goes."""
    for mark in reversed(list(body.iter(_w(f"{kind}Reference")))):
        note = notes.get(mark.get(_w("id")))
        holder = next(chain(reversed(list(mark.iterancestors(_w("tbl")))), mark.iterancestors(_w("p"))), None)
        _below(holder, [deepcopy(one) for one in note if one.tag == _w("p")] if note is not None else [])
        mark.getparent().remove(mark)


def _margins(document: "Document") -> Iterator[Element]:
    """The headers and footers, but for their paragraphs with page numbers."""
    parts = (part.target_part for part in document.part.rels.values())
    for part in parts:
        if part.partname.startswith(("/word/header", "/word/footer")):
            root = deepcopy(part.element)
            for paragraph in _found(root, ".//w:p"):
                if _found(paragraph, _PAGE_NUMBER):
                    paragraph.getparent().remove(paragraph)
            yield root
