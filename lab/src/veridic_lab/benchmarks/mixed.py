"""Ingestion of mixed files: the seconds of CPU and the memory that it takes.

Run from a checkout: `python -m veridic_lab.benchmarks.mixed [--files 500]`. The files are made by lot from words of
nobody: text, Markdown, HTML, Word, PowerPoint, Excel, CSV, PDF, mail, JSON, XML, subtitles, source code and archives of
such. Reading and learning are measured apart: the process that reads files is a child.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import resource
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic import Settings
from veridic.knowledge.ingest import ingest
from veridic.resources import open_knowledge_base
from veridic_lab.benchmarks.asking import say

SEED = 7
NAMES = "Alder Birch Cedar Dover Elm Fenwick Grange Harbour Inland Juniper Kestrel Linden".split()
VERBS = "keeps opens counts repairs sells paints moves lends".split()
THINGS = "boats gates wells bridges ladders lamps ovens tools".split()

Lot = random.Random
Rows = list[list[str]]


def prose(lot: Lot, sentences: int = 12) -> str:
    """A paragraph."""
    told = (
        f"The {lot.choice(NAMES)} station {lot.choice(VERBS)} {lot.randint(2, 990)} {lot.choice(THINGS)} "
        f"on day {lot.randint(1, 28)} of each month."
        for _ in range(sentences)
    )
    return " ".join(told)


def table(lot: Lot) -> Rows:
    """A header and rows."""
    rows = [
        [f"{lot.choice(NAMES)} {number}", f"{lot.randint(1, 999)}.50", str(lot.randint(1, 40))] for number in range(30)
    ]
    return [["Name", "Price", "Stock"], *rows]


def word(lot: Lot) -> bytes:
    """A Word file."""
    import docx

    made = docx.Document()
    for _ in range(8):
        made.add_heading(lot.choice(NAMES), 1)
        made.add_paragraph(prose(lot))
    return _saved(made.save)


def slides(lot: Lot) -> bytes:
    """A PowerPoint file."""
    import pptx

    made = pptx.Presentation()
    for _ in range(6):
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = lot.choice(NAMES), prose(lot, 3)
    return _saved(made.save)


def workbook(lot: Lot) -> bytes:
    """An Excel file."""
    import openpyxl

    made = openpyxl.Workbook()
    for row in table(lot):
        made.active.append(row)
    return _saved(made.save)


def pdf(lot: Lot) -> bytes:
    """A PDF file of pages of forty lines."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for _ in range(4):
        lines = "".join(f"({prose(lot, 1)}) Tj T* " for _ in range(40))
        drawn = f"BT /F1 10 Tf 14 TL 60 780 Td {lines}ET".encode()
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents {len(objects) + 1} 0 R "
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
        objects.append(page.encode() + b"/Resources << /Font << /F1 3 0 R >> >> >>")
    pages = range(5, len(objects) + 1, 2)
    objects[1] = f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(f'{at} 0 R' for at in pages)}] >>".encode()
    made, places = b"%PDF-1.4\n", []
    for at, one in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (at, one)
    table_of = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n%s%s" % (len(objects) + 1, table_of, end)


def mail(lot: Lot) -> bytes:
    """A message with a table beside it."""
    made = EmailMessage()
    made["From"], made["Subject"] = "ann@example.org", lot.choice(NAMES)
    made.set_content(prose(lot))
    made.add_attachment(separated(lot), maintype="text", subtype="csv", filename="stock.csv")
    return made.as_bytes()


def separated(lot: Lot) -> bytes:
    """A CSV file."""
    return "\n".join(",".join(row) for row in table(lot)).encode()


def packed(lot: Lot) -> bytes:
    """An archive."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.md", f"# {lot.choice(NAMES)}\n\n{prose(lot)}")
        made.writestr("b.csv", separated(lot))
    return held.getvalue()


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    held = io.BytesIO()
    save(held)
    return held.getvalue()


def _records(lot: Lot) -> bytes:
    header, *rows = table(lot)
    return json.dumps([dict(zip(header, row, strict=True)) for row in rows]).encode()


def _xml(lot: Lot) -> bytes:
    told = "".join(f"<item><name>{name}</name><price>{price}</price></item>" for name, price, _ in table(lot)[1:])
    return f"<stock>{told}</stock>".encode()


def _subtitles(lot: Lot) -> bytes:
    return "".join(f"{at}\n00:00:0{at} --> 00:00:0{at + 1}\n{prose(lot, 1)}\n\n" for at in range(1, 9)).encode()


MAKERS: dict[str, Callable[[Lot], bytes]] = {
    "txt": lambda lot: "\n\n".join(prose(lot) for _ in range(10)).encode(),
    "md": lambda lot: "\n\n".join(f"# {lot.choice(NAMES)}\n\n{prose(lot)}" for _ in range(8)).encode(),
    "html": lambda lot: f"<h1>Stations</h1>{''.join(f'<p>{prose(lot)}</p>' for _ in range(8))}".encode(),
    "docx": word,
    "pptx": slides,
    "xlsx": workbook,
    "csv": separated,
    "pdf": pdf,
    "eml": mail,
    "json": _records,
    "xml": _xml,
    "srt": _subtitles,
    "py": lambda lot: f'"""{prose(lot, 1)}"""\n\nLIMIT = {lot.randint(1, 99)}\n'.encode(),
    "zip": packed,
}


def main() -> None:
    """Make the files, ingest them, and print what it took."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--files", type=int, default=500)
    count = options.parse_args().files
    lot = random.Random(SEED)  # noqa: S311 - no secret
    with TemporaryDirectory() as folder:
        kinds = list(MAKERS)
        for number in range(count):
            kind = kinds[number % len(kinds)]
            Path(folder, f"file{number}.{kind}").write_bytes(MAKERS[kind](lot))
        before = resource.getrusage(resource.RUSAGE_SELF)
        settings = Settings.load(kb=f"{folder}/kb.sqlite", model="extractive")
        report = ingest([Path(folder)], open_knowledge_base(settings).corpus)
        own, child = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
        say(
            f"{len(report.added)} of {count} files read, {len(report.unreadable)} refused",
            f"reading: {child.ru_utime + child.ru_stime:.1f} s of CPU, at most {child.ru_maxrss / 1024:.0f} MB",
            f"all else: {own.ru_utime + own.ru_stime - before.ru_utime - before.ru_stime:.1f} s, "
            f"{own.ru_maxrss / 1024:.0f} MB",
        )


if __name__ == "__main__":
    main()
