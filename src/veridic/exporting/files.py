"""Runs as documents that can be kept, sent on and printed: Markdown, HTML, JSON."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from veridic.errors import UsageError
from veridic.exporting.as_markdown import as_markdown
from veridic.exporting.outgoing import for_html, for_json
from veridic.exporting.views import AnswerView, view_of
from veridic.ports.shapes import Logged, Result

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

__all__ = ["FORMATS", "export_result", "export_runs", "free_path"]


def as_html(views: Sequence[AnswerView]) -> str:
    """A page of HTML that needs nothing else, with one article for each run: the Markdown, HTML in it shown as text."""
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


def _as_json(views: Sequence[AnswerView]) -> str:
    """The whole result; of several a list."""
    results = [one.result for one in views]
    return for_json(results[0] if len(results) == 1 else results) + "\n"


FORMATS: Mapping[str, Callable[[Sequence[AnswerView]], str]] = {
    ".md": as_markdown,
    ".html": as_html,
    ".json": _as_json,
}
"""How runs are written, by the suffix of the file."""


def export_result(result: Result, path: str | Path, *, answered_at: datetime | None = None) -> Path:
    """Write a run's answer with its sources into a new file, in the format of its suffix; returns the path.

    Markdown and HTML number the citations; JSON is the result itself.
    `answered_at` is now unless it is given. Raises as `free_path` does.
    """
    return _written([view_of(result, answered_at)], free_path(path))


def export_runs(runs: Sequence[Logged], path: str | Path) -> Path:
    """The same for runs of the decision log, one after another in one file."""
    return _written([view_of(run.result, datetime.fromisoformat(run.decided_at)) for run in runs], free_path(path))


def free_path(path: str | Path) -> Path:
    """Where an export may go. Raises `UsageError` for another suffix, a file that is there, a folder that is not."""
    wanted = Path(path).expanduser()
    if wanted.suffix.lower() not in FORMATS:
        raise UsageError(
            f"{path}: the name says no format that is written.",
            "Let it end in .md for Markdown, .html for HTML, or .json for the whole result.",
        )
    if wanted.exists():
        raise _taken(wanted)
    if not wanted.parent.is_dir():
        raise UsageError(f"There is no folder {wanted.parent}.", "Make it, or name another file.")
    return wanted


def _written(views: Sequence[AnswerView], path: Path) -> Path:
    text = FORMATS[path.suffix.lower()](views)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as error:
        raise _taken(path) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}.", "Name another file.") from error
    return path


def _taken(path: Path) -> UsageError:
    return UsageError(f"{path} is there already, and nothing is written over.", "Name another file, or remove it.")
