"""Runs as one page of HTML that needs nothing else: no script, no picture, readable in dark and light and on paper."""

from collections.abc import Iterator, Sequence

from veridic.evidence.code_blocks import unfenced
from veridic.evidence.sides import disagreement_on, kind_and_date
from veridic.exporting.views import DISAGREE, MISSING, AnswerView, Piece, SentenceView
from veridic.ports.shapes import Citation
from veridic.text.outgoing import for_html, web_address

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; }
h2 { font-size: 1.1rem; }
article + article { border-top: 1px solid; margin-top: 3rem; padding-top: 1rem; }
pre { white-space: pre-wrap; border-left: 3px solid; padding-left: .75rem; }
blockquote { margin: .25rem 0 .75rem; padding-left: .75rem; border-left: 3px solid; }
.verdict, dt { font-weight: 600; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
dd { margin: 0; }
@media print { body { max-width: none; margin: 0; } li, blockquote { break-inside: avoid; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def as_html(views: Sequence[AnswerView]) -> str:
    """A page with one article for each run."""
    title = for_html(" ".join(views[0].result["question"].split())) if views else "No run"
    articles = "\n".join(
        "\n".join(["<article>", *_blocks(number, one), "</article>"]) for number, one in enumerate(views, start=1)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{articles}\n</body>\n</html>\n"
    )


def _blocks(run: int, one: AnswerView) -> Iterator[str]:
    result = one.result
    yield f"<h1>{for_html(result['question'])}</h1>"
    yield from (_paragraph(run, pieces) for pieces in one.paragraphs)
    yield f'<p><span class="verdict">{for_html(one.outcome.text)}</span>: {for_html(one.why)}</p>'
    facts = "".join(f"<dt>{name}</dt><dd>{for_html(text)}</dd>" for name, text in one.facts)
    yield f"<dl>{facts}</dl>"
    if one.sentences:
        yield "<h2>Sentence by sentence</h2>"
        yield _listed("ul", [_sentence(run, sentence) for sentence in one.sentences])
    if result["conflicts"]:
        yield f"<h2>{DISAGREE}</h2>"
        told = ((conflict["claim"], disagreement_on(conflict)) for conflict in result["conflicts"])
        yield _listed("ul", [f"<li>{for_html(claim)}: {for_html(both)}</li>" for claim, both in told])
    if one.sources:
        yield "<h2>Sources</h2>"
        yield _listed("ol", [_source(run, number, source) for number, source in enumerate(one.sources, start=1)])


def _paragraph(run: int, pieces: Sequence[Piece]) -> str:
    """A paragraph; one with lines of its own is code."""
    tag = "pre" if any("\n" in piece.text.strip() for piece in pieces) else "p"
    return f"<{tag}>{''.join(for_html(unfenced(piece.text)) + _marks(run, piece.numbers) for piece in pieces)}</{tag}>"


def _sentence(run: int, one: SentenceView) -> str:
    missing = "".join(f"<br>{MISSING}{for_html(text)}" for text in one.missing)
    judged = f'<span class="verdict">{for_html(one.judged)}</span>'
    return f"<li>{judged}: {for_html(one.text)}{_marks(run, one.numbers)}{missing}</li>"


def _source(run: int, number: int, source: Citation) -> str:
    address = for_html(web_address(source["url"]))
    shown = for_html(source["url"])
    where = f'<a href="{address}" rel="noreferrer">{shown}</a>' if address else f"<code>{shown}</code>" if shown else ""
    title = f"<strong>{for_html(source['title'])}</strong>" if source["title"].strip() else ""
    at = f"characters {source['start']}-{source['end']}"
    parts = (title, where, for_html(source["location"]), at, for_html(kind_and_date(source)))
    told = ", ".join(filter(None, parts))
    quote = for_html(unfenced(source["quote"]))
    return f'<li id="run-{run}-source-{number}">{told}<blockquote>{quote}</blockquote></li>'


def _listed(tag: str, items: Sequence[str]) -> str:
    return "\n".join([f"<{tag}>", *items, f"</{tag}>"])


def _marks(run: int, numbers: Sequence[int]) -> str:
    marks = "".join(f'<a href="#run-{run}-source-{number}">[{number}]</a>' for number in numbers)
    return f" {marks}" if marks else ""
