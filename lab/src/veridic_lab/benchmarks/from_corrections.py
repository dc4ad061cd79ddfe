"""Whether what people say of runs makes a better judge: simulated corrections, exported, learned from, compared.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.from_corrections --out DIR --step
ask|export|train|compare [--minutes 60]`, in this order. `ask` puts XQuAD's questions, on which nothing that ships was
trained, to `veridic` without a chat model until 300 answers were wrong: these are corrected with the gold answer, right
ones are praised; interrupted, it goes on. `train` prints the commands and runs them; it needs `pip install
'veridic[train]'` and takes over an hour on two cores. `compare` asks questions of passages that no question before was
about, once with each judge.
"""

import argparse
import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from veridic import Context, Settings, build_graph, export_log, feedback
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.models.onnx_encoder import SHIPPED
from veridic.ports.shapes import Result
from veridic.resources import open_knowledge_base
from veridic_lab.evaluation.answers import is_right
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import find, fraction_of, normalised, read_rows

SET = "xquad_en"
CORRECTIONS = 300
COMPARED = 200
"""Held-out questions that each judge is asked."""
LEARNED = 0.7
"""Share of the passages whose questions are learned from."""
OFTEN = 8
"""How often an epoch shows what people said: some hundred pairs beside many thousand."""
BIN = Path(sys.executable).parent


def main() -> None:
    """Do one step."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--step", choices=[*STEPS, "train"], required=True)
    options.add_argument("--minutes", type=float, default=60.0, help="That `train` learns")
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    if told.step == "train":
        train(told.out, told.minutes)
    else:
        STEPS[told.step](told.out)


def ask(out: Path) -> None:
    """Ask and correct until enough answers were wrong."""
    settings = settings_in(out)
    fill(settings)
    known = dict(said(settings))
    graph = build_graph(settings=settings)
    for question in questions(learned=True):
        if list(known.values()).count("correction") >= CORRECTIONS:
            break
        if question.text not in known:
            result = graph.invoke({"question": question.text}, context=Context(write_back=False))["result"]
            verdict = "up" if right(result, question) else "correction"
            feedback(result["run_id"], verdict, "" if verdict == "up" else question.answers[0], settings=settings)
            known[question.text] = verdict
    tell(f"{len(known)} runs: {dict(Counter(known.values()))}")


def export(out: Path) -> None:
    """Write the rows; say how many of which kind there are."""
    counts = export_log(out / "log.jsonl", reviewed=True, settings=settings_in(out))
    labels = Counter(f"{row['kind']}, {row['label']}" for row in read_rows(out / "log.jsonl"))
    tell(f"{counts}\nby label: {dict(labels)}")


def train(out: Path, minutes: float) -> None:
    """From the rows, beside the labelled sets, to a judge in `current`, if it is better than the one that ships.

    What people say gives few examples of what does not help and of what does not follow: the rows alone fit no judge.
    """
    data, log, judge = str(folder()), f"{out}/log.jsonl", f"{out}/mine"
    weights = [word for task in ("relevance", "usefulness", "nli") for word in ("--weight", f"log ({task})={OFTEN}")]
    how = ["--start", str(SHIPPED / "judge"), "--keep", "0.5", *weights, "--minutes", str(minutes)]
    commands = (
        ["train", "both", f"{out}/run", "--data", data, "--from-log", log, *how],
        ["export", f"{out}/run/judge.pt", judge, "--data", data],
        ["calibrate", "--data", data, "--out", f"{judge}/calibration.json"],
        ["promote", judge, f"{out}/current", "--data", data, "--from-log", log],
    )
    for command in commands:
        own = {"VERIDIC_JUDGE": judge} if command[0] == "calibrate" else {}
        tell(" ".join([*(f"{name}={value}" for name, value in own.items()), shlex.join(["veridic", *command])]))
        subprocess.run([BIN / "veridic", *command], check=True, env={**os.environ, **own})  # noqa: S603 - ours


def compare(out: Path) -> None:
    """What each judge comes to on questions of other passages."""
    held = list(questions(learned=False))[:COMPARED]
    for name, judge in (("shipped", None), ("corrected", str(out / "current"))):
        settings = settings_in(out, name, judge=judge)
        fill(settings)
        graph = build_graph(settings=settings)
        found = Counter[str]()
        for question in held:
            result = graph.invoke({"question": question.text}, context=Context(write_back=False))["result"]
            silent = result["outcome"] == "abstained"
            found["silent" if silent else "right" if right(result, question) else "wrong"] += 1
        tell(f"{name}: {dict(found)} of {len(held)}")


STEPS = {"ask": ask, "export": export, "compare": compare}


def settings_in(out: Path, name: str = "kb", *, judge: str | None = None) -> Settings:
    """A knowledge base of this benchmark by its name, and the judge that is asked."""
    return Settings.load(kb=str(out / f"{name}.sqlite"), model="extractive", judge=judge)


def fill(settings: Settings) -> None:
    """Take the passages in; those that are there stay."""
    knowledge = open_knowledge_base(settings)
    rows = list(read_rows(find(folder(), f"{SET}.corpus")))
    texts = [Text(url=row["id"], title=row["title"].replace("_", " "), text=row["text"]) for row in rows]
    ingest_texts(texts, knowledge.corpus)
    knowledge.close()


def said(settings: Settings) -> Iterator[tuple[str, str]]:
    """The questions that were asked before, with what was said of their runs."""
    knowledge = open_knowledge_base(settings)
    asked = {result["run_id"]: result["question"] for result in knowledge.decisions}
    yield from ((asked[opinion.run_id], opinion.verdict) for opinion in knowledge.feedback)
    knowledge.close()


def questions(*, learned: bool) -> Iterator[GoldQuestion]:
    """Unseen questions of the passages that are learned from, or of the others, by lot."""
    unseen = Unseen.read(folder())
    rows = sorted(read_rows(find(folder(), f"{SET}.qa")), key=lambda row: fraction_of(row["id"]))
    for row in rows:
        [gold, *_] = row["gold_doc_ids"]
        text = row["question"]
        if (fraction_of(gold) < LEARNED) == learned and unseen.allows(SET, normalised(text)):
            yield GoldQuestion(row["id"], SET, text, tuple(row["answers"]), (gold,), "short", "", gold)


def right(result: Result, question: GoldQuestion) -> bool:
    """Whether there is an answer, and it is right."""
    return result["outcome"] != "abstained" and is_right(result["answer"], question, short=result["short_answer"])


def folder() -> Path:
    """The data."""
    return Path(os.environ["VERIDIC_DATA"])


def tell(text: str) -> None:
    """Say it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
