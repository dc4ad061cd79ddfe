"""The trial of a chat model that a program brings along: whether it may judge beside the judges that ship."""

from dataclasses import dataclass

from veridic.graph.opening import chat_of
from veridic.models.judges_by_name import chat_judge, rival_of, trial_of
from veridic.models.trial import ahead
from veridic.ports.shapes import TrialFigure
from veridic.settings import Settings


@dataclass(frozen=True)
class TriedJudge:
    """What the trial found of a chat model, and of the trained judge that it has to beat."""

    figure: TrialFigure | None
    """How well it tells statements that are true from those that nearly are."""
    rival: TrialFigure | None
    more: float
    """By how large a share of the statements it is right more often than the rival."""
    at_least: float
    """The lower bound of that, 95 %."""

    @property
    def judges(self) -> bool:
        """Whether graphs that are built with it ask it beside their judges from now on."""
        return self.at_least > 0


def try_judge(model: object, settings: Settings | None = None) -> TriedJudge:
    """Hold the trial of a LangChain chat model or a `ChatModel`: some ten calls, and what is found is kept.

    It is known by its name and its class. Raises `NotUsable` for what is no chat model, `JudgeFailed` where no grade of
    it could be read.
    """
    chosen = settings or Settings.load()
    judge, rival = chat_judge(chat_of(model, chosen), chosen, named=False), rival_of(chosen)
    trial = trial_of(chosen)
    found, other = trial.hold(judge), trial.found(rival)
    more, least = ahead(found, other)
    return TriedJudge(found.figure, other.figure, more, least)
