"""A capable chat model, scripted, in the systems of the papers: what is right, wrong, borne out, written back.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.capable outside|memory --out DIR [--limit N]
[--keep]`. The writer gives an accepted answer where the passages that it is shown hold it. Else it says what it knows:
by lot the right answer for four questions of five, as the chat model of Hybrid Self-RAG's table 2 did, and for the
others another name or number of the text that answers. `outside` asks the suite of that name, whose answers stand in
Wikipedia and arXiv alone. `memory` asks Natural Questions; there the writer misreads every fifth question whatever it
is shown, each system has a copy of the documents and writes into it, and then other questions are asked.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from veridic import Context, Settings
from veridic.graph.builder import build_graph
from veridic.graph.systems import SYSTEMS
from veridic.knowledge.base import begun_as_copy
from veridic.models.fitting import auc
from veridic.resources import open_knowledge_base, open_resources
from veridic.runtime.run import Resources
from veridic.text.answers import holds_alias
from veridic.text.facts import digits
from veridic.text.questions import proper_names
from veridic_lab.benchmarks.asking import Says, say
from veridic_lab.benchmarks.systems import RUNS, SEED
from veridic_lab.commands.judges import data_folder
from veridic_lab.evaluation.connected import connected
from veridic_lab.evaluation.corpus import fill, settings_for
from veridic_lab.evaluation.journal import Journal, Row, rows_in
from veridic_lab.evaluation.measuring import row_of
from veridic_lab.evaluation.metrics import metrics_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.sampling import drawn, with_fewer_documents
from veridic_lab.evaluation.scores import Score, scored
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.suites import open_suite
from veridic_lab.evaluation.summary import of_system
from veridic_lab.evaluation.systems import System, open_systems
from veridic_lab.training.pairs import fraction_of

DOCUMENTS = 800
KNOWN = 0.81
"""Share of the questions whose answer the writer knows (Hybrid Self-RAG, table 2: Self-RAG alone)."""
MISREAD = 0.2
"""Share of the questions, in `memory`, which it answers wrongly whatever it is shown."""
CHECKING = (
    "standard_rag",
    "self_rag",
    "hybrid_self_rag",
    "veridic:sources=wikipedia+arxiv,validate_claims=always",
)
LEARNING = ("standard_rag", "naive_write_back", "bidirectional_rag", "veridic")
TOLD = ("right", "wrong", "abstained", "right_of_answered", "fact_score_before", "fact_score_after", "passed_before",
        "passed_after", "calls", "seconds_p50")  # fmt: skip
ASKED_AGAIN = 50
"""Of the questions that were learned from."""

Found = dict[str, Any]


@dataclass
class Capable:
    """What the writer says to a prompt about the question of now."""

    near: Mapping[str, str]
    """By question, the wrong answer."""
    misread: float
    now: GoldQuestion

    def says(self, prompt: str) -> str:
        """A sentence; none after it; nothing to a prompt that asks for queries or claims."""
        if "Already tried:" in prompt or "<sentences>" in prompt:
            return ""
        if "<answer>" in prompt:
            return "END"
        return sentence(self.now, self.now.answers[0] if self.is_right(prompt) else self.near[self.now.id])

    def is_right(self, prompt: str) -> bool:
        """Whether it gives an accepted answer."""
        lot = fraction_of(f"capable:{self.now.id}")
        shown = holds_alias(prompt.partition("<question>")[0], self.now.answers)
        return lot >= self.misread if shown else lot < KNOWN


def sentence(question: GoldQuestion, answer: str) -> str:
    """An answer as a sentence that stands alone."""
    return f"{opening(question)}{answer}."


def opening(question: GoldQuestion) -> str:
    """What stands before the answer."""
    return f"The answer to “{question.text}” is "


def near_answers(asked: Sequence[GoldQuestion], texts: Mapping[str, str]) -> dict[str, str]:
    """For each question, by lot, a wrong answer: a name or number of its gold texts; where there is none, another's."""
    answers = [one.answers[0] for one in asked]
    return {one.id: _near(one, stated(one, texts)) or _near(one, answers) for one in asked}


def stated(question: GoldQuestion, texts: Mapping[str, str]) -> list[str]:
    """The names of a question's gold texts, or the numbers where it is answered by one."""
    gold = "\n".join(texts[url] for url in question.gold)
    return sorted(digits(gold) if digits(question.answers[0]) else {*proper_names(gold)})


def _near(one: GoldQuestion, answers: Sequence[str]) -> str:
    """One that neither holds an accepted answer, nor is a part of one or of the question."""
    drawn = random.Random(one.id).sample(answers, len(answers))  # noqa: S311 - no secret
    apart = (told for told in drawn if not holds_alias(told, one.answers))
    return next((told for told in apart if not holds_alias(" / ".join([*one.answers, one.text]), [told])), "")


def main() -> None:
    """Ask, print what came of it, and keep it beside the rows."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("part", choices=PARTS)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--limit", type=int, default=100, help="Questions")
    options.add_argument("--keep", action="store_true", help="Keep the summary in the checkout, for the documents")
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    found = PARTS[told.part](told.out, told.limit)
    text = json.dumps(found, indent=1) + "\n"
    (told.out / f"capable-{told.part}.json").write_text(text, encoding="utf-8")
    if told.keep:
        (RUNS / f"capable-{told.part}.json").write_text(text, encoding="utf-8")
    say(text)


def outside(out: Path, limit: int) -> Found:
    """Each system over a corpus that answers nothing, the recorded world beside it; what was interrupted goes on."""
    suite, asked, settings = _opened("outside", limit, out, "nq_gold", "xquad_en", "hotpotqa", "2wiki")
    texts = {page.url: page.text for page in suite.outside.pages} if suite.outside else {}
    writer = Capable(near_answers(asked, texts), 0.0, asked[0])
    resources = replace(open_resources(settings), chat=Says(writer.says))
    journal, named = Journal(out / "outside.jsonl"), {one.id: one for one in asked}
    with connected(resources, suite.outside) as there:
        systems = open_systems(CHECKING, there, Context(), k=5)
        for writer.now in asked:
            for system in systems:
                if (writer.now.id, system.name) not in journal:
                    journal.append(row_of(system, writer.now))
    rows = [row for row in rows_in(journal.path) if row["question"]["id"] in named]
    found = {
        name: [score_of(row, named[row["question"]["id"]]) for row in rows if row["system"] == name]
        for name in CHECKING
    }
    return {
        "suite": suite.name,
        "planned": len(asked),
        "systems": {name: _told(scores, suite.name) for name, scores in found.items()},
        "fact_score_auc": _tells(found["hybrid_self_rag"], writer),
    }


def score_of(row: Row, question: GoldQuestion) -> Score:
    """A row as numbers: of a sentence of the writer's its answer is judged."""
    result = row["result"]
    return scored({**row, "result": {**result, "answer": result["answer"].replace(opening(question), "")}})


def _told(scores: Sequence[Score], suite: str) -> Found:
    metrics = metrics_of(suite)
    return of_system(scores, {name: metrics[name] for name in TOLD if name in metrics})


def _tells(scores: Sequence[Score], writer: Capable) -> float:
    """How surely FactScore tells a first answer that is right from one that is wrong: AUC."""
    checked = [(one.outward.before.fact_score or 0.0, _knows(one, writer)) for one in scores if one.outward.before]
    return round(auc([known for _, known in checked], [score for score, _ in checked]), 3)


def _knows(score: Score, writer: Capable) -> bool:
    writer.now = score.question
    return writer.is_right("<question>")


def memory(out: Path, limit: int) -> Found:
    """Each system over its own copy: so many questions to learn from, half as many others, some of the first again."""
    suite, asked, settings = _opened("answers", limit + limit // 2, out, "nq_gold")
    learned_from, others = asked[:limit], asked[limit:]
    writer = Capable(near_answers(asked, {one.url: one.text for one in suite.documents}), MISREAD, asked[0])
    found: dict[str, Found] = {}
    for name in LEARNING:
        with copied(settings, writer) as resources:
            system = _learning(name, resources)
            first = [learned(system, one, writer) for one in learned_from]
            found[name] = {
                "written": sum(written for _, written in first),
                "written_false": sum(written and not score.right for score, written in first),
                "first": counted([score for score, _ in first]),
                "others": counted([learned(system, one, writer)[0] for one in others]),
                "again": counted([learned(system, one, writer)[0] for one in learned_from[:ASKED_AGAIN]]),
            }
            say(json.dumps({name: found[name]}))
    again = min(ASKED_AGAIN, limit)
    return {"suite": suite.name, "planned": limit, "others": len(others), "again": again, "systems": found}


@contextmanager
def copied(settings: Settings, writer: Capable) -> Iterator[Resources]:
    """Resources over a copy of the documents, which may be learned into."""
    with TemporaryDirectory() as folder:
        kb = Path(folder, "kb.sqlite")
        begun_as_copy(kb, of=Path(settings.kb))
        own = settings.model_copy(update={"kb": str(kb), "write_back": "active", "own_kb": False})
        yield replace(open_resources(own), chat=Says(writer.says))


def _learning(name: str, resources: Resources) -> System:
    system = SYSTEMS[name]
    return System(name, build_graph(resources, system=name), system.schema(sources=()))


def learned(system: System, question: GoldQuestion, writer: Capable) -> tuple[Score, bool]:
    """What a question came to, and whether it was written back."""
    writer.now = question
    row = row_of(system, question)
    write_back = row["result"]["write_back"]
    return score_of(row, question), bool(write_back and write_back["written"])


def counted(scores: Sequence[Score]) -> Found:
    """How many are right, wrong, silent; how many gold passages are among the first five, a question."""
    right, answered = sum(one.right for one in scores), sum(one.answered for one in scores)
    covered = sum(one.found(5) for one in scores) / len(scores)
    return {"right": right, "wrong": answered - right, "silent": len(scores) - answered, "covered": round(covered, 3)}


def _opened(name: str, limit: int, out: Path, *sets: str) -> tuple[Suite, list[GoldQuestion], Settings]:
    """A suite, the questions drawn of some of its sets that short answers answer, its documents held."""
    suite = open_suite(name, lambda: data_folder(None))
    usable = [one for one in suite.questions if one.set in sets and one.answerable and one.kind == "short"]
    asked = drawn(usable, limit, SEED)
    suite = with_fewer_documents(suite, asked, DOCUMENTS)
    settings = settings_for(suite, Settings.load(model="extractive"), out)
    fill(suite, open_knowledge_base(settings), settings, lambda *_: None)
    return suite, asked, settings


PARTS: Mapping[str, Callable[[Path, int], Found]] = {"outside": outside, "memory": memory}


if __name__ == "__main__":
    main()
