"""What each rule about sentences earns beside the critic, on sentences by other hands than the rules'.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.rules [--limit N]`. The sentences are those of
`tests/support/by_other_hands.jsonl`, of labelled sets that nothing learned from or was tuned on, and what is held out
of the others. Printed for each set and rule: of the false sentences that the critic alone lets pass how many the rule
stops, and of the true ones that it lets pass how many the rule stops wrongly; and both for the rules that hold. A
missing name and a changed "not" are measured too, and hold no more.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.evidence.alterations import alteration
from veridic.evidence.details import missing_names, missing_numbers
from veridic.models.by_settings import open_judges
from veridic.settings import Settings
from veridic_lab.training.calibrate import sample
from veridic_lab.training.mixture import held_out_pairs
from veridic_lab.training.pairs import Pair, find, read_pairs

NEVER = float("inf")
LIMIT = 1000
OTHER_HANDS = Path(__file__).parent.parent / "tests" / "support" / "by_other_hands.jsonl"
SETS = (
    "breaking_nli.nli",
    "fever_symmetric.nli",
    "ling_in_loop.nli",
    "med.nli",
    "semi_auto_nli.nli",
    "mtrag.grounded",
)
HELD_OUT = (
    "answered",
    "attribution_bench",
    "begin",
    "conjnli",
    "contract_nli",
    "factcheck_gpt",
    "fever_nli",
    "fool_me_twice",
    "halueval_qa",
    "scifact",
)
MEASURED_ONLY = frozenset(("name", "negation"))


@dataclass(frozen=True)
class Case:
    """A sentence, its premise, and whether it follows."""

    premise: str
    sentence: str
    true: bool


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT, help="pairs of a set, drawn with a fixed seed")
    limit = options.parse_args().limit
    _, critic = open_judges(Settings.load())
    support = critic.thresholds("normal").support
    sys.stdout.write(
        f"Critic {critic.fingerprint}, supported from {support:.3f}\n\n"
        "| set | critic lets pass: false, true | rule | of these it stops: false, true |\n|---|---|---|---|\n"
    )
    for name, cases in sets(Path(os.environ["VERIDIC_DATA"]), limit).items():
        said = critic.judge([(case.premise, case.sentence) for case in cases], deadline=NEVER)
        passed = [case for case, one in zip(cases, said, strict=True) if one.entailment >= support]
        print_set(name, cases, passed)


def sets(data: Path, limit: int) -> Mapping[str, list[Case]]:
    """The cases of each set."""
    rows = [json.loads(line) for line in OTHER_HANDS.read_text(encoding="utf-8").splitlines()]
    found = {"by other hands": [Case(one["premise"], one["sentence"], one["held"]) for one in rows if "held" in one]}
    for name in SETS:
        pairs = sample(read_pairs(find(data, name)), limit)
        found[name.split(".")[0]] = _cases(pairs)
    held = held_out_pairs(data)
    return {**found, **{name: _cases(sample(held[name], limit)) for name in HELD_OUT}}


def _cases(pairs: Sequence[Pair]) -> list[Case]:
    return [Case(pair.first, pair.second, pair.label == 0) for pair in pairs]


def print_set(name: str, cases: Sequence[Case], passed: Sequence[Case]) -> None:
    """A row for each rule that stops anything, and one for all of them."""
    stopped = [frozenset(rules_against(case)) for case in passed]
    false, true = (sum(case.true is wanted for case in passed) for wanted in (False, True))
    of = f"{false} of {sum(not case.true for case in cases)}, {true} of {sum(case.true for case in cases)}"
    for rule in (*sorted(frozenset[str]().union(*stopped)), "any"):
        hit = [
            case.true
            for case, found in zip(passed, stopped, strict=True)
            if rule in found or (rule == "any" and found - MEASURED_ONLY)
        ]
        sys.stdout.write(f"| {name} | {of} | {rule} | {hit.count(False)}, {hit.count(True)} |\n")


def rules_against(case: Case) -> Iterator[str]:
    """The rules by which the sentence departs from its premise."""
    if missing_numbers(case.sentence, case.premise):
        yield "number"
    if missing_names(case.sentence, case.premise):
        yield "name"
    if kind := alteration(case.sentence, case.premise):
        yield kind


if __name__ == "__main__":
    main()
