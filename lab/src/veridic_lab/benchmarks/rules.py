"""What each rule about sentences earns beside the critic, on sentences by other hands than the rules'.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.rules [--limit N]`. The sentences are those of
`tests/evidence/by_other_hands.jsonl`, of labelled sets that nothing learned from or was tuned on, and what is held out
of the others. Printed for each set and rule: of the false sentences that the critic alone lets pass how many the rule
stops, and of the true ones that it lets pass how many the rule stops wrongly; and both for the rules that hold. A
missing name and a changed "not" are measured too, and hold no more.
"""

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veridic.evidence.alterations import alteration
from veridic.evidence.details import missing_names, missing_numbers
from veridic.models.judges import open_judges
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.training.calibrate import sample
from veridic_lab.training.mixture import held_out_pairs
from veridic_lab.training.pairs import Pair, find, read_pairs, read_rows

NEVER = float("inf")
LIMIT = 1000
OTHER_HANDS = Path("tests/evidence/by_other_hands.jsonl")
"""In the checkout this is run in."""
SETS = "breaking_nli.nli fever_symmetric.nli ling_in_loop.nli med.nli semi_auto_nli.nli mtrag.grounded".split()
HELD_OUT = """answered attribution_bench begin conjnli contract_nli factcheck_gpt fever_nli fool_me_twice halueval_qa
    scifact""".split()
MEASURED_ONLY = frozenset(("name", "negation"))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT, help="pairs of a set, drawn with a fixed seed")
    limit = options.parse_args().limit
    _, critic = open_judges(Settings.load())
    support = critic.thresholds("normal").support
    say(f"Critic {critic.fingerprint}, supported from {support:.3f}", "")
    say("| set | critic lets pass: false, true | rule | of these it stops: false, true |", "|---|---|---|---|")
    for name, found in sets(Path(os.environ["VERIDIC_DATA"])).items():
        pairs = sample(found, limit)
        said = critic.judge([(pair.first, pair.second) for pair in pairs], deadline=NEVER)
        passed = [pair for pair, one in zip(pairs, said, strict=True) if one.entailment >= support]
        say(*rows(name, pairs, passed))


def sets(data: Path) -> Mapping[str, Sequence[Pair]]:
    """The pairs of each set."""
    ours = [row for row in list(read_rows(OTHER_HANDS)) if "held" in row]
    by_hand = [Pair("nli", row["premise"], row["sentence"], int(not row["held"]), "", "") for row in ours]
    held = held_out_pairs(data)
    untouched = {name.partition(".")[0]: read_pairs(find(data, name)) for name in SETS}
    return {"by other hands": by_hand, **untouched, **{name: held[name] for name in HELD_OUT}}


def rows(name: str, pairs: Sequence[Pair], passed: Sequence[Pair]) -> Iterator[str]:
    """A row for each rule that stops anything, and one for all of them."""
    stopped = [frozenset(rules_against(pair)) for pair in passed]
    counts = [[sum(pair.positive is wanted for pair in one) for one in (passed, pairs)] for wanted in (False, True)]
    of = ", ".join(f"{some} of {every}" for some, every in counts)
    for rule in (*sorted(frozenset[str]().union(*stopped)), "any"):
        hit = [
            pair.positive
            for pair, found in zip(passed, stopped, strict=True)
            if rule in found or (rule == "any" and found - MEASURED_ONLY)
        ]
        yield f"| {name} | {of} | {rule} | {hit.count(False)}, {hit.count(True)} |"


def rules_against(pair: Pair) -> Iterator[str]:
    """The rules by which the sentence departs from its premise."""
    if missing_numbers(pair.second, pair.first):
        yield "number"
    if missing_names(pair.second, pair.first):
        yield "name"
    if kind := alteration(pair.second, pair.first):
        yield kind


if __name__ == "__main__":
    main()
