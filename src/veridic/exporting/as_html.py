"""Runs as one page of HTML that needs nothing else: no script, no picture, readable in dark and light and on paper.

The page is the Markdown of `as_markdown`, rendered; HTML that stands in it is shown as text.
"""

from collections.abc import Sequence

from veridic.exporting.as_markdown import as_markdown
from veridic.exporting.views import AnswerView
from veridic.text.outgoing import for_html

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem;
  overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; }
h2 { font-size: 1.1rem; }
article + article { border-top: 1px solid; margin-top: 3rem; padding-top: 1rem; }
pre { white-space: pre-wrap; border-left: 3px solid; padding-left: .75rem; }
ul { padding-left: 1.25rem; }
@media print { body { max-width: none; margin: 0; } li { break-inside: avoid; } }
"""
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def as_html(views: Sequence[AnswerView]) -> str:
    """A page with one article for each run."""
    from markdown_it import MarkdownIt

    title = for_html(" ".join(views[0].result["question"].split())) if views else "No run"
    rendering = MarkdownIt("commonmark", {"html": False})
    articles = "\n".join(f"<article>\n{rendering.render(as_markdown([one]))}</article>" for one in views)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{articles}\n</body>\n</html>\n"
    )
