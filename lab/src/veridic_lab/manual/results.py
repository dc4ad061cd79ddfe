"""What `docs/results.md` tells of kept runs: the papers' figures beside ours, how sure answers are, what they cost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridic_lab import benchmarks
from veridic_lab.evaluation import corrupted
from veridic_lab.evaluation.corrupted import Case
from veridic_lab.evaluation.told import Told, kept_in, share, surest_first
from veridic_lab.manual.curve import called
from veridic_lab.manual.tables import table

RUNS = Path(benchmarks.__file__).with_name("runs")
KEPT = RUNS / "answers-told.json"
"""What `python -m veridic_lab.benchmarks.told` kept of a run of `answers`."""
PICTURE = Path("docs/_static/risk-coverage.svg")
"""In the checkout this is run in."""
ASKED = RUNS / "asked.json"
"""What `python -m veridic_lab.drafts.asked` kept of the questions of written documents."""
ASKED_PICTURE = Path("docs/_static/risk-coverage-own.svg")

CORRUPTED = RUNS / "corrupted.json"
"""What `python -m veridic_lab.benchmarks.corrupted` kept."""
CORRUPTED_PICTURE = Path("docs/_static/corrupted.svg")
LOST = (0.0, 0.5, 0.9)
"""Shares of the right pages that are lost, in the table below the curve."""

COMPARED = ("standard_rag", "naive_write_back", "bidirectional_rag", "veridic")
FROM = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4)
"""Probabilities from which on an answer is taken, in the table beside the curve."""
UNDECIDED = ". That the sources do not decide a yes or no counts as silence here, and above as an answer"
WITHOUT = "Not measured: no rows are kept. `python -m veridic_lab.benchmarks.told FOLDER` keeps those of a run."

Metrics = Mapping[str, Any]


def systems_of(run: str) -> dict[str, Metrics]:
    """The metrics of each system in a kept run."""
    told: dict[str, Metrics] = json.loads((RUNS / f"{run}.json").read_text(encoding="utf-8"))["systems"]
    return told


def floors() -> dict[str, tuple[float, float]]:
    """What answers without saying how surely: its share of the questions, and what is wrong of that."""
    kept = systems_of("answers-extractive")
    shown = {"plain RAG": kept["standard_rag"], "pastes the best passage": kept["pastes_best"]}
    return {name: _answered(metrics) for name, metrics in shown.items()}


def _answered(metrics: Metrics) -> tuple[float, float]:
    answered = 1.0 - metrics["abstained"]["value"]
    return answered, metrics["wrong"]["value"] / answered


def bidirectional_table() -> str:
    """Table I of Bidirectional RAG, each of its columns a line here, and ours below."""
    answers, asked, quoted = (
        systems_of("answers-extractive"),
        systems_of("systems-instructed"),
        systems_of("systems-extractive"),
    )
    rows = [
        ("**coverage**, paper: a passage nearer than 0.4", "20.33 ± 35.22 %", "70.50 ± 34.24 %", "40.58 ± 28.54 %", ""),
        _ours("gold among the first five passages", answers, "recall_at_5"),
        ("**written**, paper, of 500 questions", "0", "500", "140", ""),
        ("ours, Natural Questions, of 1,200; false by gold", "0", "1,200; 419", "816; 359", "334; 8"),
        ("ours, HotpotQA, of 900; false by gold, of those it can tell", "0", "900; 573 of 822", "522; 390 of 483",
         "18; 9"),
        ("**citation F1**, paper", "58.26 ± 8.21 %", "16.75 ± 9.69 %", "33.03 ± 6.10 %", ""),
        _ours("quoting", answers, "citation_f1"),
        ("**seconds**, paper, mean", "31.9", "54.1", "71.0", ""),
        _ours("Qwen2.5-Coder-0.5B, median", asked, "seconds_p50"),
        _ours("quoting, median", quoted, "seconds_p50"),
    ]  # fmt: skip
    return table(("", *(f"`{name}`" for name in COMPARED)), rows)


def _ours(said: str, run: Mapping[str, Metrics], metric: str) -> tuple[str, ...]:
    found = [(run.get(name) or {}).get(metric) for name in COMPARED]
    number = next((f", n {one['n']}" for one in found if one), "")
    return (f"ours, {said}{number}", *(_cell(one) for one in found))


def _cell(found: Mapping[str, float] | None) -> str:
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]" if found else "not measured"


def loops_table() -> str:
    """What the patterns page and the article say that a loop costs, beside the same model with and without it."""
    asked = systems_of("systems-instructed")
    plain, crag, reflecting, graded = (asked[one] for one in ("standard_rag", "crag", "self_rag", "llm_judge_crag"))
    rows = [
        ("patterns page: CRAG's evaluator takes tens of milliseconds",
         "12 ms a pair, the small judge. A whole warm question .38 s with it, .79 s with base", "borne out"),
        ("patterns page: Self-RAG writes more tokens than plain RAG",
         f"{_mean(reflecting, 'completion_tokens')} and {_mean(plain, 'completion_tokens')} a question, in "
         f"{_mean(reflecting, 'calls', 1)} calls and {_mean(plain, 'calls', 1)}", "borne out"),
        ("article: a chat model that grades costs 300 to 800 ms",
         f"a question {_mean(graded, 'seconds_p50', 1)} s; graded by a trained evaluator "
         f"{_mean(crag, 'seconds_p50', 1)} s", "a trained evaluator is the cheap one"),
        ("article: it doubles the tokens of retrieval",
         f"{_mean(graded, 'prompt_tokens')} prompt tokens; {_mean(crag, 'prompt_tokens')}; plain RAG "
         f"{_mean(plain, 'prompt_tokens')}", "more than that: a call a passage"),
        ("patterns page: two iterations at most",
         "48 questions, no retry, one, two: right 14, 15, 14; wrong 17, 15, 16; two take 1.4 times the time",
         "more bring nothing"),
        ("patterns page: the incorrect branch triples the latency", "not measured: this suite has nothing outside", ""),
    ]  # fmt: skip
    return table(("said", "here", ""), rows)


def _mean(metrics: Metrics, name: str, digits: int = 0) -> str:
    return f"{metrics[name]['value']:,.{digits}f}"


def costs_table() -> str:
    """What a question comes to and costs, of every system with the same small chat model."""
    asked, quoted = systems_of("systems-instructed"), systems_of("systems-extractive")
    rows = [
        (
            f"`{name}`",
            *(_cell(metrics[one]) for one in ("right", "wrong", "hallucinated")),
            *(_mean(metrics, one, digits) for one, digits in (("seconds_p50", 1), ("calls", 1))),
            f"{_mean(metrics, 'prompt_tokens')} + {_mean(metrics, 'completion_tokens')}",
            _mean(quoted[name], "seconds_p50", 2) if name in quoted else "",
        )
        for name, metrics in asked.items()
        if name != "always_abstains"
    ]
    head = ("", "right", "wrong", "answered where there is no answer", "seconds", "calls", "tokens read + written",
            "seconds, quoting")  # fmt: skip
    return table(head, rows)


def corrupted_part() -> str:
    """The curve of lost pages and its table; what to do where nothing is kept."""
    cases = corrupted.kept_in(CORRUPTED)
    if not cases:
        return "Not measured: nothing is kept. `python -m veridic_lab.benchmarks.corrupted --out DIR` asks and keeps."
    questions = len({case.question for case in cases})
    place = CORRUPTED_PICTURE.relative_to("docs").as_posix()
    picture = f"![Right, wrong and silent, by how many of the right pages are lost]({place})"
    said = (
        f"{questions} questions, without a chat model; right, wrong, silent in %, where so many right pages are lost:"
    )
    return "\n\n".join((picture, said, _corrupted_table(cases)))


def _corrupted_table(cases: Sequence[Case]) -> str:
    systems = dict.fromkeys(case.system for case in cases)
    rows = [(_named(one), *(_came([case for case in cases if case.system == one], lost) for lost in LOST))
            for one in systems]  # fmt: skip
    return table(("", *(f"{lost:.0%} lost" for lost in LOST)), rows)


def _named(system: str) -> str:
    name, _, more = called(system).partition(",")
    return f"`{name}`" + (more and f",{more}")


def _came(cases: Sequence[Case], lost: float) -> str:
    right, wrong, silent = (corrupted.rate(cases, lost, came) for came in ("right", "wrong", "silent"))
    return (
        f"{right.value * 100:.0f} [{right.low * 100:.0f}, {right.high * 100:.0f}], "
        f"{wrong.value * 100:.0f} [{wrong.low * 100:.0f}, {wrong.high * 100:.0f}], {silent.value * 100:.0f}"
    )


def told_part() -> str:
    """The curve of `answers` and its tables; what to do where no rows are kept."""
    return _curve_part(kept_in(KEPT), PICTURE, UNDECIDED) or WITHOUT


def asked_part() -> str:
    """The curve of the questions of written documents, and its tables."""
    return _curve_part(kept_in(ASKED), ASKED_PICTURE)


def _curve_part(told: Sequence[Told], picture: Path, remark: str = "") -> str:
    systems = dict.fromkeys(one.system for one in told)
    parts = [_told_of(system, [one for one in told if one.system == system], remark) for system in systems]
    shown = f"![Wrong, of the answered, by how many are answered]({picture.relative_to('docs').as_posix()})"
    return "\n\n".join([shown, *parts]) if told else ""


def _told_of(system: str, told: Sequence[Told], remark: str) -> str:
    lacking = sum(not one.answerable for one in told)
    unstated = sum(one.probability is None for one in surest_first(told))
    return "\n\n".join(
        (
            f"`{system}`, {len(told):,} questions, of which {lacking} have no answer in the documents{remark}:",
            _taken_table(told, lacking),
            f"Of the answers that state a probability ({unstated} state none), by it:",
            _reliability_table(told),
        )
    )


def _taken_table(told: Sequence[Told], lacking: int) -> str:
    given = surest_first(told)
    taken = {
        "verified": [one for one in given if one.told_as == "verified"],
        **{f"P from {least}": [one for one in given if (one.probability or 0.0) >= least] for least in FROM},
        "all that is given": given,
    }
    rows = [
        (name, _share(len(some), len(told)), _share(sum(not one.right for one in some), len(some)),
         _share(sum(not one.answerable for one in some), lacking))
        for name, some in taken.items()
    ]  # fmt: skip
    return table(("what is taken", "answered, of all", "wrong, of these", "answered where there is no answer"), rows)


def _reliability_table(told: Sequence[Told]) -> str:
    stated = [(one.probability, one.right) for one in told if one.probability is not None]
    bins = ([pair for pair in stated if min(int(pair[0] * 10), 9) == tenth] for tenth in range(10))
    rows = [_bin(tenth, some) for tenth, some in enumerate(bins) if some]
    return table(("stated", "mean", "right"), rows)


def _bin(tenth: int, pairs: Sequence[tuple[float, bool]]) -> tuple[str, ...]:
    mean = sum(sure for sure, _ in pairs) / len(pairs)
    right = sum(right for _, right in pairs)
    return f"{tenth / 10:.1f} to {(tenth + 1) / 10:.1f}", f"{mean:.2f}", _share(right, len(pairs))


def _share(found: int, of: int) -> str:
    if not of:
        return "none"
    part = share(found, of)
    return f"{found} of {of:,}: {part.value:.2f} [{part.low:.2f}, {part.high:.2f}]"
