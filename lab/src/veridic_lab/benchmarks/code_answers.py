"""Questions that code in a document answers, or none does, asked of the whole graph; by other hands than the fit's.

Run from a checkout: `python -m veridic_lab.benchmarks.code_answers [--show]`. An answer is right where it holds the
piece of code that the writer of the question named; code that is told to a question which none answers is wrong.
"""

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic import Context, Settings, build_graph, ingest
from veridic.text.sentences import is_code
from veridic_lab.training.code.told import CodeQuestion, documents_in, write_into

FILE = Path(__file__).with_name("code_answers.txt")


def main() -> None:
    """Print how many were told right, wrong and not at all."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--show", action="store_true", help="Print what is told to every question")
    options.add_argument("--file", type=Path, default=FILE)
    told = options.parse_args()
    documents = documents_in(told.file.read_text(encoding="utf-8"))
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with TemporaryDirectory() as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        write_into(docs, documents)
        settings = Settings.load(kb=str(Path(folder) / "kb.sqlite"), docs="", model="extractive")
        ingest(docs, settings=settings)
        graph = build_graph(settings=settings)
        for document in documents:
            for asked in document.questions:
                result = graph.invoke({"question": asked.question}, context=Context(write_back=False))["result"]
                kind, verdict = _kind(asked, document.text), _verdict(asked, result)
                counts[kind][verdict] += 1
                if told.show:
                    confidence = result["confidence"] or 0.0
                    sys.stdout.write(
                        f"{kind:28} {verdict:11} {confidence:.2f} {asked.question} | {result['answer']!r}\n"
                    )
    for kind, found in counts.items():
        sys.stdout.write(f"{kind}: {dict(found)}\n")


def _kind(asked: CodeQuestion, text: str) -> str:
    if not asked.code:
        return "asked for, and none answers" if asked.typed else "prose answers, if anything"
    blocks = text.split("```")[1::2]
    own = any(asked.code in block for block in blocks)
    return "code answers" if own or f"    {asked.code}" in text else "code in a sentence answers"


def _verdict(asked: CodeQuestion, result: dict) -> str:
    if result["outcome"] == "abstained":
        return "silent"
    if asked.code:
        return "right" if asked.code in result["answer"] else "wrong"
    return "wrong" if any(is_code(one["text"]) for one in result["sentences"]) else "prose"


if __name__ == "__main__":
    main()
