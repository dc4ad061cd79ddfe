"""Prints all tables, row by row as they are measured."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from veridic.errors import UsageError
from veridic.models.by_settings import judge_folder
from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED
from veridic.settings import Settings
from veridic_lab.training.report.beside import embedded_chat, side_by_side
from veridic_lab.training.report.sets import Line, actions, critic_lines, evaluator_lines, parts, usefulness_lines
from veridic_lab.training.report.speed import first_score, latency
from veridic_lab.training.report.swaps import swaps
from veridic_lab.training.scoring import RawScorer, present_calibration

HEADER = "| set | rows | pairs | 3-way | balanced | AUC | lexical | ECE |\n|---|---|---|---|---|---|---|---|\n"


def row(line: Line) -> str:
    """A row of a Markdown table."""
    three = "" if line.three_way is None else f"{line.three_way:.3f}"
    numbers = " | ".join(f"{value:.3f}" for value in (line.balanced, line.ranking, line.lexical, line.ece))
    return f"| {line.name} | {line.kind} | {line.pairs} | {three} | {numbers} |\n"


def main() -> int:
    """Measure the judge that the settings name on the folder in VERIDIC_DATA."""
    data = os.environ.get("VERIDIC_DATA")
    if not data:
        raise UsageError("VERIDIC_DATA is not set.", "Point it at the folder with the labelled data.")
    for text in _pieces(Path(data), Settings.load()):
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0


def _pieces(data: Path, settings: Settings) -> Iterator[str]:
    scorer = RawScorer.open(settings)
    folder = judge_folder(settings)
    calibration = present_calibration(settings, scorer.fingerprint("nli"))
    embedder = OnnxEmbedder(threads=settings.threads)
    yield f"# Judge {calibration.fingerprint}\n\n## Critic\n\n{HEADER}"
    yield from map(row, critic_lines(data, scorer, calibration))
    yield f"\n## Evaluator\n\n{HEADER}"
    yield from map(row, evaluator_lines(data, scorer, calibration))
    errors = ", ".join(f"{name} {value:.3f}" for name, value in calibration.ece.items())
    yield f"\nCalibration error as fitted, all sets together: {errors}\n"
    yield "\n## Usefulness: strips with the answer among strips of the same passages, AUC\n\n"
    yield "| set | strips | usefulness | relevance | lexical |\n|---|---|---|---|---|\n"
    for name, count, *ranked in usefulness_lines(data, scorer):
        yield f"| {name} | {count} | {' | '.join(f'{value:.3f}' for value in ranked)} |\n"
    yield "\n## Actions: correct, ambiguous, incorrect\n\n| set | questions | right | AUC |\n|---|---|---|---|\n"
    for name, count, right, ranking in actions(data, scorer, calibration, embedder):
        yield f"| {name} | {count} | {right:.3f} | {ranking:.3f} |\n"
    yield "\n## Changed sentences of unseen text\n\n"
    yield "| change | makes it | pairs | critic alone | with the rules |\n|---|---|---|---|---|\n"
    for swap in swaps(data, scorer, calibration):
        kind = "true" if swap.true else "false"
        yield f"| {swap.kind} | {kind} | {swap.pairs} | {swap.alone:.2f} | {swap.with_rules:.2f} |\n"
    yield "\n## breaking_nli: false sentences not called supported\n\n| part | pairs | share |\n|---|---|---|\n"
    for part, count, share in parts(data, scorer, calibration):
        yield f"| {part} | {count} | {share:.3f} |\n"
    yield "\n## The same 300 pairs each\n\n| judge | way | balanced | AUC | ms a pair |\n|---|---|---|---|---|\n"
    for way in side_by_side(data, RawScorer.open(settings), calibration, embedder.embed, embedded_chat(settings)):
        numbers = f"{way.balanced:.3f} | {way.ranking:.3f} | {way.milliseconds:.1f}"
        yield f"| {'evaluator' if way.task == 'relevance' else 'critic'} | {way.name} | {numbers} |\n"
    yield "\n"
    for name, head in (("evaluator", "relevance"), ("critic", "nli")):
        ours, torchs = latency(folder, head)
        other = f", torch fp32 {1000 * torchs:.0f} ms ({torchs / ours:.2f} times)" if torchs else ""
        yield f"{name}, 40 pairs of 64 tokens: {1000 * ours:.0f} ms{other}\n"
    yield f"import, load and first score {first_score():.2f} s\n"
    sizes = ", ".join(f"{path.parent.name} {path.stat().st_size / 1e6:.1f} MB" for path in SHIPPED.glob("*/model.onnx"))
    yield f"{sizes}\n"


if __name__ == "__main__":
    sys.exit(main())
