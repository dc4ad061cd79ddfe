"""How well lines of code are told from prose, and questions that ask for code from others.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.code_lines`. Lines of the pages that nothing was
fitted on (what a forum fences is code, though some of it is a recipe or a prompt; what stands outside is prose, though
some of it is a command), and the questions of `code_asked.txt`. Prints a Markdown table and the worst of each.
"""

import os
import sys
from pathlib import Path

from veridic.evidence.code_asked import ASKED, FILE
from veridic.evidence.direction import shipped
from veridic.models.embedder import OnnxEmbedder
from veridic.text.code_lines import log_odds
from veridic_lab.training.code.fit import of_pages
from veridic_lab.training.metrics import auc
from veridic_lab.training.need import embedded, written

HERE = Path(__file__).parent
SHOWN = 15


def main() -> None:
    """Print the table."""
    say("| texts | of code | taken for it | of prose | taken for code | AUC |\n|---|---|---|---|---|---|")
    lines = list({one.text: one for one in of_pages(Path(os.environ["VERIDIC_DATA"]), measured=True)}.values())
    told("lines", [one.text for one in lines], [one.code for one in lines], [log_odds(one.text) for one in lines], 0.0)
    asked = written((HERE / "code_asked.txt").read_text(encoding="utf-8"))
    model = shipped(FILE)
    sure = [model.probability(vector) for vector in embedded(asked, OnnxEmbedder())]
    told("questions", [one.text for one in asked], [one.needs for one in asked], sure, ASKED)


def told(name: str, texts: list[str], code: list[bool], found: list[float], point: float) -> None:
    """A row, and beneath it the texts that are judged worst."""
    of_code = [sure for sure, is_code in zip(found, code, strict=True) if is_code]
    of_prose = [sure for sure, is_code in zip(found, code, strict=True) if not is_code]
    shares = [sum(sure >= point for sure in one) / len(one) for one in (of_code, of_prose)]
    say(
        f"| {name} | {len(of_code)} | {shares[0]:.1%} | {len(of_prose)} | {shares[1]:.2%} | "
        f"{auc(code, [max(-99.0, sure) for sure in found]):.3f} |"
    )
    judged = zip(found, texts, code, strict=True)
    wrong = sorted((-sure if is_code else sure, text) for sure, text, is_code in judged)
    for sure, text in wrong[::-1][:SHOWN]:
        sys.stderr.write(f"{name} {sure:.2f} {' '.join(text.split())[:100]}\n")


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main()
