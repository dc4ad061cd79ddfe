"""The data folder of the judges and the suites, in small."""

import json
from pathlib import Path
from typing import Any

LABELLED = {
    "nli": (
        *("mnli", "snli", "scifact", "factcheck_gpt", "contract_nli"),
        *("fool_me_twice", "conjnli", "fever_nli", "fever_symmetric"),
    ),
    "grounded": ("attribution_bench", "begin", "halueval_qa", "clapnq"),
    "relevance": ("qnli", "selqa", "stackexchange", "musique", "2wiki", "hotpotqa", "clapnq", "qed"),
}
ROWS: dict[str, dict[str, Any]] = {
    "nli": {"premise": "A cat sits.", "hypothesis": "A cat.", "label": "entailment", "group": "cat"},
    "grounded": {"context": "A cat sits.", "response": "A cat.", "label": "supported", "group": "cat"},
    "relevance": {"query": "Which cat sits?", "passage": "A cat sits.", "label": 1, "group": "cat"},
}
READER = (
    "squadshifts_new_wiki squadshifts_amazon squadshifts_reddit qamr timeqa nq_gold qed boolq condaqa strategyqa"
).split()
PLACES = "Oslo Lima Cairo Quito Paris Delhi Rome Bern Kyiv Riga Tunis Hanoi Accra Baku Doha Malé".split()
GIVEN = "Anna Carl Eva Gil Ida Kim Mia".split()
BUILDERS = "Berg Costa Dahl Evans Fuchs Gomez Hall Ito Jansen Klein Lund Moreau Novak Olsen Popov Quist".split()


def write(file: Path, rows: list[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def data_folder(folder: Path, trained: tuple[str, ...] = ()) -> Path:
    """Every file the suites read; the questions in `trained` stand among the trained pairs."""
    for kind, names in LABELLED.items():
        for name in names:
            write(folder / kind / f"{name}.{kind}.jsonl", [{"id": name, "source": name, **ROWS[kind]}])
    extra = [{**ROWS["relevance"], "query": text, "group": text, "source": "selqa"} for text in trained]
    write(folder / "relevance" / "selqa.relevance.jsonl", extra or [{**ROWS["relevance"], "source": "selqa"}])
    answer = {"text": "A cat", "start": 0}
    for name in READER:
        row = {"question": "Who sits?", "context": "A cat sits.", "answers": [answer], "kind": "span", "group": "cat"}
        write(folder / "reader" / f"{name}.reader.jsonl", [{"id": name, "source": name, **row}])
    for name in ("nq_gold", "xquad_en", "hotpotqa", "2wiki", "musique", "pubmedqa"):
        _question_set(folder / "qa", name, 1000 if name in ("nq_gold", "hotpotqa", "2wiki") else 200)
    for name in ("clapnq", "mtrag"):
        _near_set(folder / "qa", name)
    return folder


def lighthouses(folder: Path, number: int = 60) -> Path:
    """The data folder with questions in `xquad_en` whose answers are a name, a year and a number."""
    questions, corpus = [], []
    for i in range(number):
        place, builder = f"{PLACES[i % 16]} lighthouse {chr(65 + i // 16)}", f"{GIVEN[i % 7]} {BUILDERS[i % 16]}"
        facts = (
            ("Who built", builder),
            ("In which year was built", str(1850 + i)),
            ("How many steps has", str(100 + i)),
        )
        corpus.append(
            {"id": f"light-{i}", "title": f"{place}", "source": "xquad_en",
             "text": f"The {place} was built by {builder} in {1850 + i}. It has {100 + i} steps to the lamp."}
        )  # fmt: skip
        questions += [
            {"id": f"light-{i}-{n}", "question": f"{asked} the {place}?", "answers": [answer], "source": "xquad_en",
             "gold_doc_ids": [f"light-{i}"], "type": "extractive"}
            for n, (asked, answer) in enumerate(facts)
        ]  # fmt: skip
    write(folder / "qa" / "xquad_en.qa.jsonl", questions)
    write(folder / "qa" / "xquad_en.corpus.jsonl", corpus)
    return folder


def asked_of(name: str, number: int) -> str:
    return f"Who built the {name} tower number {number} of {PLACES[number % 16]}?"


def _question_set(folder: Path, name: str, number: int) -> None:
    questions, corpus = [], []
    for i in range(number):
        answer = "yes" if name == "pubmedqa" else f"{BUILDERS[i % 16]} {name}{i}"
        passage = f"{name}-d{i // 2}"
        questions.append(
            {"id": f"{name}-{i}", "question": asked_of(name, i), "answers": [answer], "gold_doc_ids": [passage],
             "type": "factoid", "source": name}
        )  # fmt: skip
        if i % 2 == 0:
            text = f"{name} tower number {i} of {PLACES[i % 16]} was built by {BUILDERS[i % 16]} {name}{i}."
            corpus.append({"id": passage, "title": f"Tower_{i}", "text": text, "source": name})
    write(folder / f"{name}.qa.jsonl", questions)
    write(folder / f"{name}.corpus.jsonl", corpus)


def _near_set(folder: Path, name: str) -> None:
    questions, corpus = [], []
    for i in range(500):
        kind = "ANSWERABLE" if i % 2 else "UNANSWERABLE"
        questions.append(
            {"id": f"{name}-{i}", "question": f"Which colour has the {name} harbour number {i} of {PLACES[i % 16]}?",
             "answers": ["blue"] if i % 2 else [], "gold_doc_ids": [f"{name}-d{i}"], "type": f"x/{kind}",
             "history": "", "source": name}
        )  # fmt: skip
        corpus.append({"id": f"{name}-d{i}", "title": "", "text": f"The {name} harbour number {i} is deep."})
    write(folder / f"{name}.qa.jsonl", questions)
    write(folder / f"{name}.corpus.jsonl", corpus)
