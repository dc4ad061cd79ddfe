"""The standard sets in small."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

NLI = ("mnli", "snli", "scifact", "factcheck_gpt", "contract_nli", "fool_me_twice", "conjnli", "fever_nli")
GROUNDED = ("attribution_bench", "begin", "halueval_qa", "clapnq")
RELEVANCE = ("qnli", "selqa", "stackexchange", "musique", "2wiki", "hotpotqa", "clapnq", "qed")
CORPORA = ("nq_gold", "hotpotqa", "musique", "2wiki", "stackexchange", "clapnq")
READER = (
    *("squadshifts_new_wiki", "squadshifts_amazon", "squadshifts_reddit", "qamr", "timeqa", "nq_gold", "qed"),
    *("boolq", "condaqa", "strategyqa"),
)
SHARED = "Where is the tower number 3?"
MEASURED = "The tower of Oslo is tall."
READ = "The bridge of Bergen was closed in 1940."


def _write(folder: Path, stem: str, rows: list[dict[str, object]]) -> None:
    with gzip.open(folder / f"{stem}.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def write_sets(folder: Path) -> Path:
    """All sets, with the same questions in several of them."""
    questions = [f"Where is the tower number {n}?" for n in range(40)]
    text = "The tower of Riga is tall. It was built in 1890 by Anna Berg. Many people may visit it every year."
    for name in NLI:
        rows = [
            {"premise": text, "hypothesis": "It is tall.", "label": "entailment", "group": f"{n}"} for n in range(40)
        ]
        _write(folder, f"{name}.nli", [{**row, "source": name} for row in rows])
    for name in GROUNDED:
        rows = [{"context": text, "response": "It is tall.", "label": "supported", "question": q} for q in questions]
        _write(folder, f"{name}.grounded", [{**row, "source": name, "group": row["question"]} for row in rows])
    for name in RELEVANCE:
        rows = [{"query": q, "passage": f"Tower: {text}", "label": n % 2} for n, q in enumerate(questions)]
        rows += [{"query": "When was the bridge closed?", "passage": READ, "label": 1}] if name == "qnli" else []
        _write(folder, f"{name}.relevance", [{**row, "source": name, "group": row["query"]} for row in rows])
    for name in CORPORA:
        corpus = [{"id": f"{name}-{n}", "title": f"Tower {n}", "text": f"{text} Its number is {n}."} for n in range(40)]
        kind = "long-form/unanswerable"
        qa = [
            {"question": q, "answers": [f"{n}"], "gold_doc_ids": [f"{name}-{n}"], "type": kind}
            for n, q in enumerate(questions)
        ]
        _write(folder, f"{name}.qa", [dict(row) for row in qa])
        _write(folder, f"{name}.corpus", [dict(row) for row in corpus])
    for name in READER:
        _write(folder, f"{name}.reader", [{**row, "source": name} for row in readings()])
    measured = {"premise": MEASURED, "hypothesis": "It is tall.", "label": "entailment", "group": "measured"}
    _write(folder, "fever_symmetric.nli", [measured])
    for name in ("xquad_en", "pubmedqa", "mtrag"):
        _write(folder, f"{name}.qa", [{"question": SHARED}])
    _write(folder, "xquad_en.corpus", [{"id": "x", "title": "Bergen", "text": f"It rains. {READ}"}])
    return folder


def readings() -> list[dict[str, object]]:
    """Forty towers, each with who built it and who opened it."""
    rows: list[dict[str, object]] = []
    for number in range(40):
        text = f"The tower number {number} is tall. It was built by Anna Berg and opened by Otto Lund in 1890."
        for verb, answer in (("built", "Anna Berg"), ("opened", "Otto Lund")):
            told = {"question": f"Who {verb} the tower number {number}?", "context": text, "kind": "span"}
            rows.append({**told, "answers": [{"text": answer, "start": text.index(answer)}], "group": f"{number}"})
    return rows
