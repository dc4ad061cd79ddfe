"""`veridic calibrate`: thresholds fitted to labelled pairs, and P(right) fitted to what people said of answers."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from veridic.cli.options import with_options
from veridic.cli.saying import promised, say
from veridic.errors import UsageError
from veridic.exporting.wording import counted
from veridic.settings import Settings


@with_options()
def calibrate(
    chosen: Settings,
    out: Annotated[
        Path,
        typer.Option(
            "--out", help="Where it goes, for VERIDIC_CALIBRATION; of answers for VERIDIC_READER_CALIBRATION."
        ),
    ],
    data: Annotated[
        Path | None, typer.Option("--data", metavar="PATH", help="Labelled pairs: a JSONL file, or a folder.")
    ] = None,
    what: Annotated[
        Literal["both", "evaluator", "critic", "answers"],
        typer.Argument(help="The judges or one of them, by labelled pairs; answers: P(right), by what people said."),
    ] = "both",
) -> None:
    """Fit the judges' scale and thresholds to labelled pairs, or P(right) to what people said of answers.

    A pair is a query, a passage and a label 0 or 1, or a premise, a hypothesis and a label: entailment, neutral,
    contradiction or not_entailment. At least 20 of each class are needed. `answers` asks again, without a chat model,
    what people said of that it was right or wrong, or what is right. It needs 30 such answers, and a hundred to verify
    more than before.
    """
    if what == "answers":
        _fit_to_people(chosen, out)
        return
    if data is None:
        raise UsageError("There are no labelled pairs to fit to.", "Name them with --data, or say `calibrate answers`.")
    from veridic.models.by_settings import calibrate as fitted
    from veridic.models.calibrating import labelled_pairs, summary

    found = fitted(labelled_pairs(data), chosen, what)
    found.write(out)
    say("\n".join(summary(found)))


def _fit_to_people(chosen: Settings, out: Path) -> None:
    """Fit P(right) of what is read and quoted to what people said, and say what came of it."""
    from veridic.api.judged import fitted_to_people
    from veridic.cli.opening import progress_bar

    with progress_bar("Asking again") as tell:
        found, judged = fitted_to_people(chosen, progress=lambda done, total: tell(done, total, ""))
    found.write(out)
    right = sum(one.right for one in judged.answers)
    say(f"{counted(len(judged.answers), 'answer')} that people judged, {right} right")
    if judged.passed_over:
        say(f"{counted(judged.passed_over, 'question')} passed over, whose answer nobody judged")
    say(f"P(right) is off by {found.ece:.3f}; verified: {promised(found.promises)}")
