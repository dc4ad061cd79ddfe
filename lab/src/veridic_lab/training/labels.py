"""What logged runs, and what people said of them, can teach the judges: labelled pairs, as `veridic train` reads them.

`python -m veridic_lab.training.labels FILE` writes them; with `--reviewed`, once somebody has read what was said of the
runs, thumbs up and down may teach, too; with `--since DATE` of the runs from then on.

A row is a pair for the evaluator (`query`, `passage`, `label` 1 or 0) or for the critic (`premise`, `hypothesis`,
`label`), with its `kind`: `gold` where somebody gave the right answer, `feedback` where somebody said whether it was
right, `outcome` where nobody said anything. Of an answer that was not right nothing more is known: what it rests on may
well say so.
"""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from veridic.cli.options import moment
from veridic.cli.saying import say
from veridic.evidence.evidence import headed
from veridic.evidence.grounding import asserted, stated_answer
from veridic.ports.shapes import Passage
from veridic.resources import held_knowledge_base
from veridic.settings import Settings
from veridic.text.answers import holds_alias
from veridic_lab.training.discussed import Discussed, discussed

Row = dict[str, Any]

HARD = 4
"""Dropped passages of a run that are taken as of no help, the best graded: the others teach little."""
KINDS = ("outcome", "feedback", "gold")
"""From the weakest; of two rows of the same texts the stronger counts, then the newer."""


def labelled(runs: Iterable[Discussed], *, reviewed: bool) -> list[Row]:
    """The rows of all runs, no two of the same texts; `reviewed` is what feedback rows say of themselves."""
    rows = [row for run in runs for row in _rows(run)]
    rows.sort(key=lambda row: KINDS.index(row["kind"]))
    once = {tuple(row[name] for name in _TEXTS if name in row): row for row in rows}
    return [{**row, "reviewed": reviewed} if row["kind"] == "feedback" else row for row in once.values()]


_TEXTS = ("query", "passage", "premise", "hypothesis")


def _rows(run: Discussed) -> Iterator[Row]:
    if run.locatable:
        yield from _of_correction(run)
    elif run.correction:
        return
    elif run.opinion is None:
        yield from _of_outcome(run)
    elif run.opinion.right:
        yield from _of_praise(run)
    else:
        yield from _of_answering(run, "feedback")


def _of_outcome(run: Discussed) -> Iterator[Row]:
    """Weak labels: what an accepted answer cites helped; what was dropped did not, there and where nothing helped."""
    result = run.result
    if result["outcome"] in ("accepted", "corrected"):
        yield from (_graded(run, "outcome", passage, 1) for passage in run.cited)
        yield from _of_dropped(run)
    elif result["outcome"] == "abstained" and result.get("action") == "incorrect":
        yield from _of_dropped(run)


def _of_dropped(run: Discussed) -> Iterator[Row]:
    right = run.correction or run.result["short_answer"]
    others = [one for one in run.result.get("rejected", ()) if not (right and holds_alias(one["text"], [right]))]
    yield from (_graded(run, "outcome", passage, 0) for passage in others[:HARD])


def _of_praise(run: Discussed) -> Iterator[Row]:
    """What is cited helps, and says each told sentence; one that is copied word for word teaches nothing."""
    yield from (_graded(run, "feedback", passage, 1) for passage in run.cited)
    yield from _of_dropped(run)
    for sentence in run.result["sentences"]:
        hypothesis = asserted(sentence["text"], run.asked(sentence))
        premises = dict.fromkeys(run.premise(citation) for citation in sentence["citations"])
        if hypothesis and premises and sentence["verdict"] == "supported" and hypothesis not in "\n".join(premises):
            yield _held(run, "feedback", "\n".join(premises), hypothesis, "entailment")


def _of_answering(run: Discussed, kind: str) -> Iterator[Row]:
    """The sentence that gave the wrong answer is of no use to the question, however near to it."""
    for citation in run.answering:
        if not (run.correction and run.gives_it(citation["quote"])):
            yield _pair(run, kind, run.premise(citation), 0)


def _of_correction(run: Discussed) -> Iterator[Row]:
    """Passages that hold the right answer help, those that were cited and do not hold it did not.

    Of those that hold it the best alone is said to state it; what was dropped and does not hold it is of no help, as an
    outcome weighs. Where none holds it nothing more is known than from a thumb down.
    """
    holding = run.holding
    if not holding:
        yield from _of_answering(run, "feedback")
        return
    misled = [one for one in run.cited if run.wrong and not run.gives_it(one["text"])]
    yield from (_graded(run, "gold", passage, 1) for passage in holding)
    yield from (_graded(run, "gold", passage, 0) for passage in misled)
    yield from _of_dropped(run)
    if run.wrong:
        yield from _of_answering(run, "gold")
    if len(run.result.get("readings", ())) > 1:
        return
    right = stated_answer(run.result["standalone"], run.correction)
    yield _stated(run, holding[0], right, "entailment")
    yield from (_stated(run, passage, right, "not_entailment") for passage in misled)
    told = run.result["short_answer"]
    if told and run.wrong and not holds_alias(holding[0]["text"], [told]):
        yield _stated(run, holding[0], stated_answer(run.result["standalone"], told), "not_entailment")


def _graded(run: Discussed, kind: str, passage: Passage, label: int) -> Row:
    return _pair(run, kind, headed(passage, passage["text"]), label)


def _pair(run: Discussed, kind: str, passage: str, label: int) -> Row:
    about = {"kind": kind, "run_id": run.result["run_id"]}
    return {**about, "query": run.result["standalone"], "passage": passage, "label": label}


def _stated(run: Discussed, passage: Passage, statement: str, label: str) -> Row:
    return _held(run, "gold", headed(passage, passage["text"]), statement, label)


def _held(run: Discussed, kind: str, premise: str, hypothesis: str, label: str) -> Row:
    """A pair for the critic; its `question` keeps it on the same side of a split as the question's other pairs."""
    about = {"kind": kind, "run_id": run.result["run_id"], "question": run.result["standalone"]}
    return {**about, "premise": premise, "hypothesis": hypothesis, "label": label}


def export(
    out: Path, *, since: datetime | None = None, reviewed: bool = False, settings: Settings | None = None
) -> Counter[str]:
    """Write the rows of the decision log as JSONL; returns how many there are of a kind.

    Raises `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        results = (run.result for run in knowledge.decisions.logged(since))
        rows = labelled(discussed(results, iter(knowledge.feedback)), reviewed=reviewed)
    out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return Counter(f"{row['kind']}, {'relevance' if 'passage' in row else 'nli'}" for row in rows)


def main() -> None:
    """Write the rows of the process's own decision log, and say how many."""
    parser = ArgumentParser(prog="python -m veridic_lab.training.labels", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--since")
    parser.add_argument("--reviewed", action="store_true")
    chosen = parser.parse_args()
    for kind, count in sorted(export(chosen.out, since=moment(chosen.since), reviewed=chosen.reviewed).items()):
        say(f"{count:>7,}  {kind}")


if __name__ == "__main__":
    main()
