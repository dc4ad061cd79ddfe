"""From a judge's name to the judge, as `veridic trial` takes it, and what a trial found of those by these settings."""

from collections.abc import Iterator
from pathlib import Path

from veridic.errors import MissingExtra, UsageError, nearest_of
from veridic.models.by_settings import BASE_NEEDED, is_exported, known_base
from veridic.models.calibration import Calibration
from veridic.models.chat.by_name import EMBEDDED, PROVIDERS, grading_settings, open_chat, settings_of
from veridic.models.chat.examples import examples_in
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import ChatCritic, ChatEvaluator
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.placed import judge_service, open_exported, open_hub
from veridic.models.remote import told_figures
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.models.trial import Found, NamedJudge, Trial, ahead
from veridic.ports.chat import ChatModel
from veridic.ports.judgements import Rank
from veridic.ports.shapes import TrialFigure
from veridic.settings import EXTRACTIVE, HUB_PREFIX, TEI_PREFIX, Settings, without_grader

SMALL: Rank = "small"
BASE: Rank = "base"


def judge_named(name: str, settings: Settings) -> NamedJudge:
    """A judge that ships, an exported one's folder, a chat model, or a checker or reranker of the hub.

    Raises `UsageError` for a name that is none of these, `MissingExtra`, `UnknownModel`, `InvalidSetting`.
    """
    shipped = shipped_judges(settings)
    if name in shipped:
        return shipped[name]
    if name == BASE:
        raise MissingExtra("The base judge is not installed.", BASE_NEEDED)
    if is_exported(name):
        return _exported(name, Path(name), settings)
    if name.partition(":")[0] in (EMBEDDED, EXTRACTIVE, *PROVIDERS):
        own = settings_of(name, settings)
        return chat_judge(open_chat(own), own)
    if name.startswith((HUB_PREFIX, TEI_PREFIX)) or "/" in name or Path(name).is_dir():
        return _of_hub(name, settings)
    choices = (
        f"Name {SMALL}, {BASE}, an exported judge's folder, hf:NAME (a checker or reranker of the hub), tei:http://… "
        "(one that text-embeddings-inference serves) or a chat model."
    )
    raise UsageError(f"There is no judge {name!r}.", nearest_of(name, (SMALL, BASE, EMBEDDED), choices))


def shipped_judges(settings: Settings) -> dict[Rank, NamedJudge]:
    """The judges that ship by their names, the best last: small, and base where it is installed."""
    folders: dict[Rank, Path | None] = {SMALL: SHIPPED / "judge", BASE: known_base(settings)}
    return {name: _exported(name, folder, settings) for name, folder in folders.items() if folder}


def grader_of(chat: ChatModel, settings: Settings, *, passed: bool = True, once: bool = False) -> Grader:
    """The grader over a chat model, with the examples that the settings name. Raises `UsageError` for such a file."""
    examples = examples_in(settings.grader_examples) if settings.grader_examples else ""
    return Grader(chat, passed=passed, once=once, examples=examples)


def chat_judge(chat: ChatModel | None, settings: Settings, *, named: bool = True) -> NamedJudge:
    """A chat model as judge, `named` by these settings, or handed in and known by its class.

    Raises `InvalidSetting` where there is none, and what `grader_of` raises.
    """
    if chat is None:
        raise without_grader()
    grader, place = grader_of(chat, settings), f"handed in: {type(chat).__name__}"
    if named:
        place = str((settings.weights if settings.model == EMBEDDED else settings.base_url) or "")
    return NamedJudge(chat.name, ChatEvaluator(grader), ChatCritic(grader), place)


def judges_of(settings: Settings) -> Iterator[NamedJudge]:
    """The judges that these settings may ask: those that ship, and a chat model that is capable."""
    yield from shipped_judges(settings).values()
    own = grading_settings(settings) or settings
    chat = open_chat(own)
    if chat and chat.follows_instructions:
        yield chat_judge(chat, own)


def trial_of(settings: Settings) -> Trial:
    """The trial, whose results stand in the cache."""
    return Trial(settings.cache / "trials")


def found_of_chat(chat: ChatModel, settings: Settings) -> Found | None:
    """What a trial found of a chat model, by these settings or handed in; None where none was held."""
    own = grading_settings(settings) or settings
    return trial_of(settings).known(chat_judge(chat, own, named=chat.name == own.model))


def rival_of(settings: Settings) -> NamedJudge:
    """The trained judge that a chat model has to beat: base, or small where that is not installed."""
    return list(shipped_judges(settings).values())[-1]


def better_chat(chat: ChatModel | None, settings: Settings) -> tuple[ChatEvaluator, ChatCritic] | None:
    """The chat model as judge beside the trained ones; None where no trial showed that it is better."""
    trial, found = trial_of(settings), found_of_chat(chat, settings) if chat else None
    rival = trial.known(rival_of(settings)) if found else None
    if chat is None or found is None or rival is None or ahead(found, rival)[1] <= 0:
        return None
    grader = grader_of(chat, settings, once=True)
    return ChatEvaluator(grader), ChatCritic(grader, trial.weights(found))


def figures(settings: Settings, chat: ChatModel | None) -> dict[Rank, TrialFigure]:
    """What trials found of the judges that ship and of a chat model that judges, as far as it is known."""
    trial, shipped = trial_of(settings), shipped_judges(settings)
    found: dict[Rank, Found | None] = {name: trial.known(one) for name, one in shipped.items()}
    found["chat"] = found_of_chat(chat, settings) if chat else None
    own = {rank: one.figure for rank, one in found.items() if one and one.figure}
    if not settings.judges_at:
        return own
    there = told_figures(judge_service(settings))
    prints = {rank: one.critic.fingerprint for rank, one in shipped.items() if one.critic}
    return {rank: there[one] for rank, one in prints.items() if one in there} | own


def _exported(name: str, folder: Path, settings: Settings) -> NamedJudge:
    judge = open_exported(folder, settings)
    return NamedJudge(name, TrainedEvaluator(judge), TrainedCritic(judge))


def _of_hub(name: str, settings: Settings) -> NamedJudge:
    """One that judges statements is a critic, any other an evaluator; with one's own thresholds if there are any."""
    own = Calibration.among(settings.calibration, open_hub(name, settings).fingerprint)
    model = open_hub(name, settings, settings.calibration if own else ())
    if model.entails:
        return NamedJudge(name, None, TrainedCritic(model))
    return NamedJudge(name, TrainedEvaluator(model), None)
