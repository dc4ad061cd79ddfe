"""Which embedder, judges, reader and detector the settings name, with their thresholds, and a calibration of these."""

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from veridic.errors import UsageError, VeridicError
from veridic.models.base_reader import BaseReader
from veridic.models.calibrating import HEADS, LEAST, Labelled, Which, logits_of, refitted
from veridic.models.calibration import Calibration, Decision, Unpromised
from veridic.models.cascade import CascadeCritic, CascadeEvaluator
from veridic.models.chat.grading import ChatCritic, ChatEvaluator
from veridic.models.cross_encoder import ExportedJudge, judge_fingerprint
from veridic.models.detector import LAYER, OnnxDetector
from veridic.models.embedder import OnnxEmbedder
from veridic.models.hf import QuestionAnsweringReader, SentenceTransformerEmbedder
from veridic.models.messages import OnnxMessages
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.models.placed import judge_service, open_exported, open_exported_reader, open_hub
from veridic.models.reader import ExportedReader
from veridic.models.reader_calibration import ReaderCalibration, unpromised
from veridic.models.remote import told_folder
from veridic.models.scorers import Scorer, TrainedCritic, TrainedEvaluator
from veridic.ports.embedding import Embedder
from veridic.ports.judging import Critic, DraftDecision, Reader, RetrievalEvaluator
from veridic.settings import Settings

BASE = "veridic_judge_base"
"""The package that holds the base judge."""
BASE_NEEDED = "It is a package of its own: in the checkout, pip install ./judge-base."
"""How to come by it; no index has it."""
DECISION = "decision.json"
"""Where a judge's folder holds what was fitted for it."""
_log = logging.getLogger(__name__)

AnyReader = BaseReader | ExportedReader | QuestionAnsweringReader


def open_embedder(settings: Settings) -> Embedder:
    """The shipped embedder, or the sentence-transformers one that the settings name."""
    if settings.embedder:
        return SentenceTransformerEmbedder(settings.embedder)
    return OnnxEmbedder(threads=settings.threads)


def open_detector(settings: Settings) -> OnnxDetector:
    """The shipped detector of orders."""
    return OnnxDetector(threads=settings.threads)


def open_messages(embedder: Embedder, settings: Settings) -> OnnxMessages:
    """The judge of messages that ships, over the embedder that ships, which may be that of the documents."""
    return OnnxMessages(embedder if isinstance(embedder, OnnxEmbedder) else OnnxEmbedder(threads=settings.threads))


def judge_folder(settings: Settings) -> Path:
    """Where the trained judge's files are: the settings' own, else the shipped ones."""
    return Path(settings.judge) if settings.judge and settings.grading_model is None else SHIPPED / "judge"


def open_judges(
    settings: Settings, *, calibrated: bool = True, embedder: OnnxEmbedder | None = None
) -> tuple[TrainedEvaluator, TrainedCritic]:
    """Both trained judges, over one scorer unless the settings name another for one of them.

    `embedder` is the shipped one, where it is open already. A model of the hub that never calibrated itself does
    it now: a question's time is too short for that.

    Uncalibrated they can be measured and fitted, whatever thresholds lie about. Raises
    `CalibrationMismatch` when the settings' thresholds are another scorer's.
    """
    embedder = embedder or OnnxEmbedder(threads=settings.threads)

    def exported(folder: Path) -> ExportedJudge:
        """The judge of a folder with its calibration."""
        fingerprint = judge_fingerprint(OnnxEncoder(folder), embedder)
        own = _own_thresholds(settings, fingerprint) if calibrated else Calibration.identity(fingerprint)
        return open_exported(folder, settings, calibration=own, self_testing=calibrated, embedder=embedder)

    def named(name: str) -> Scorer:
        """An exported judge or a model of the hub."""
        if is_exported(name):
            return exported(Path(name))
        if not calibrated:
            return open_hub(name, settings)
        found = open_hub(name, settings, settings.calibration)
        found.calibrate()
        return found

    shared = exported(judge_folder(settings))
    return (
        TrainedEvaluator(named(settings.evaluator) if settings.evaluator else shared),
        TrainedCritic(named(settings.critic) if settings.critic else shared),
    )


def open_cascade(
    settings: Settings,
    evaluator: TrainedEvaluator,
    critic: TrainedCritic,
    chat: tuple[ChatEvaluator, ChatCritic] | None = None,
) -> tuple[RetrievalEvaluator, Critic]:
    """Evaluator and critic as they are, or beneath the base judge where the settings want it and it is installed.

    `chat` is asked about what is open after that. One that the settings name apart stands alone. Where the base judge
    is missing the log says so once, in a line.
    """
    if settings.judges == "small" or settings.judge:
        return evaluator, critic
    folder = known_base(settings)
    if folder is None:
        _tell_missing()
        if chat is None:
            return evaluator, critic
    base = open_exported(folder, settings) if folder else None
    first, second = (TrainedEvaluator(base), TrainedCritic(base)) if base else (evaluator, critic)
    asked, heard = chat or (None, None)
    tokens = settings.base_tokens
    return (
        evaluator if settings.evaluator else CascadeEvaluator(evaluator, first, tokens=tokens, chat=asked),
        critic if settings.critic else CascadeCritic(critic, second, tokens=tokens, chat=heard),
    )


def open_deciding(settings: Settings) -> tuple[RetrievalEvaluator, Critic]:
    """The evaluator and the critic that decide by these settings, a chat model aside."""
    return open_cascade(settings, *open_judges(settings))


def base_folder() -> Path | None:
    """Where the base judge's files are; None where its package is not installed."""
    found = find_spec(BASE)
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).parent
    return folder if (folder / "card.json").is_file() else None


def known_base(settings: Settings) -> Path | None:
    """Where the base judge's card and what is fitted to it are; None where there is none.

    Of a service those that are installed here count, else those that it tells. Raises `JudgeFailed` where it has never
    told any and does not answer.
    """
    if settings.judges_at is None:
        return base_folder()
    return base_folder() or told_folder(judge_service(settings), settings.cache / "judges")


@cache
def _tell_missing() -> None:
    alone = "The small one decides alone, and verifies nothing that is read or quoted."
    _log.warning(f"The base judge is not installed. {alone} {BASE_NEEDED}")


def open_reader(settings: Settings, *, calibrated: bool = True) -> AnyReader:
    """The base judge as reader where it decides, an exported folder, or a model of transformers (`veridic[hf]`).

    Without the base judge it is the small reader. Uncalibrated it can be measured and fitted. Raises
    `CalibrationMismatch` when the folder's calibration is another reader's.
    """
    name = settings.reader
    if name and not is_exported(name):
        return QuestionAnsweringReader(name, calibration=settings.reader_calibration if calibrated else None)
    base = None if name else deciding_base(settings)
    folder = base or Path(name or SHIPPED / "reader")
    own: ReaderCalibration | Path = ReaderCalibration.identity(OnnxEncoder(folder).fingerprint)
    if calibrated:
        own = settings.reader_calibration or folder / ("reader_calibration.json" if base else "calibration.json")
    reader = open_exported_reader(folder, settings, calibration=own, self_testing=calibrated)
    if base is None:
        return reader
    small = SHIPPED / "reader"
    second = open_exported_reader(small, settings, calibration=small / "calibration.json", self_testing=calibrated)
    return BaseReader(reader, open_exported(base, settings), second=second, tokens=settings.base_tokens)


def open_promised_reader(settings: Settings) -> Reader:
    """The reader; beside judges that its P was not fitted with it verifies nothing. Raises as `open_reader`.

    A calibration of one's own is fitted with the judges that are there.
    """
    reader = open_reader(settings)
    return unpromised(reader) if _beside_others(settings) and settings.reader_calibration is None else reader


def shipped_reader_calibration(settings: Settings) -> ReaderCalibration:
    """What was fitted for the reader of these settings before people judged answers. Raises as `open_reader`.

    Beside judges that it was not fitted with it promises nothing.
    """
    found = open_reader(settings.model_copy(update={"reader_calibration": None})).calibration
    return found.unpromised() if _beside_others(settings) else found


def _beside_others(settings: Settings) -> bool:
    """Whether other judges, or otherwise calibrated ones, grade what is read than those the reader was fitted with."""
    return bool(settings.evaluator or settings.calibration or settings.judge)


def open_decision(settings: Settings) -> DraftDecision:
    """What decides on drafts, as it was fitted for the judges of these settings.

    Judges for which none was fitted have that of the small judge, which then promises nothing. That one is base's, too,
    and promises nothing itself: of the hand that fits small finds too little.
    """
    named = settings.critic or settings.evaluator or settings.reader
    own = None if named else deciding_base(settings) or judge_folder(settings)
    folder = own if own and (own / DECISION).is_file() else SHIPPED / "judge"
    decision = Decision.read(folder / DECISION, OnnxEncoder(folder).fingerprint)
    return decision if folder == own else Unpromised(decision)


def deciding_base(settings: Settings) -> Path | None:
    """Where the base judge's files are, where it decides by these settings and is known. Raises as `known_base`."""
    return None if settings.judges == "small" or settings.judge else known_base(settings)


def load_ahead(settings: Settings) -> None:
    """Load the weights of what ships and decides by these settings in a thread, while the graph is imported.

    Their libraries are imported before: two threads that import meet each other's half-made modules.
    """
    import onnxruntime  # noqa: F401
    import tokenizers  # noqa: F401

    Thread(target=_load, args=(settings,)).start()


def _load(settings: Settings) -> None:
    """In the order in which a question needs them; what fails is met again, and told, by whoever needs it."""
    with suppress(VeridicError):
        OnnxEncoder(SHIPPED / "embedder").load()
        OnnxEncoder(SHIPPED / "embedder", until=LAYER).load()
        if not settings.judges_at:
            OnnxEncoder(judge_folder(settings)).load()
            if base := deciding_base(settings):
                OnnxEncoder(base).load()
            OnnxEncoder(SHIPPED / "reader").load()


def is_exported(name: str) -> bool:
    """Whether the name is a folder that `veridic export` wrote."""
    return (Path(name) / "card.json").is_file()


def _own_thresholds(settings: Settings, fingerprint: str) -> Calibration | Path | None:
    """Of the settings' files the scorer's own. Beside another scorer it may have none; alone it must."""
    alone = not (settings.evaluator or settings.critic)
    foreign = settings.calibration[0] if alone and settings.calibration else None
    return Calibration.among(settings.calibration, fingerprint) or foreign


def calibrate(pairs: Sequence[Labelled], settings: Settings, which: Which = "both") -> Calibration:
    """The present calibration of the settings' judges with scale and thresholds fitted to the pairs.

    A head with fewer than `LEAST` pairs of a class stays as it is. Decisions are maxima: over the passages of a query,
    over the premises of a hypothesis. AUC and ECE are of the pairs that were fitted, and so are hopeful. Raises
    `UsageError` where no head has enough pairs, and where both are asked for and are two models: a file is one
    scorer's.
    """
    evaluator, critic = open_judges(settings, calibrated=False)
    scorers = {head: critic if head == "nli" else evaluator for head in HEADS[which]}
    fingerprints = {one.fingerprint for one in scorers.values()}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Calibrate each into a file of its own.")
    base = present_calibration(settings, fingerprints.pop())
    # Those of the evaluator are both of relevance and of usefulness: few people label the two apart.
    by_head = {head: [pair for pair in pairs if pair.asks == (head != "nli")] for head in HEADS[which]}
    classes = {head: [pair.positive for pair in own] for head, own in by_head.items()}
    fitted = [head for head, told in classes.items() if min(told.count(True), told.count(False)) >= LEAST]
    if not fitted:
        raise UsageError(
            "There are too few labelled pairs.",
            f"At least {LEAST} positive and {LEAST} negative rows of one kind are needed.",
        )
    said = {head: (by_head[head], logits_of(scorers[head], by_head[head], head)) for head in fitted}
    return refitted(base, "labelled pairs of one's own", said)


def present_calibration(settings: Settings, fingerprint: str) -> Calibration:
    """The scorer's calibration in the settings' files or beside its weights; without any the identity."""
    folders = [judge_folder(settings), *(Path(name) for name in (settings.evaluator, settings.critic) if name)]
    stored = [folder / "calibration.json" for folder in folders]
    files = (*settings.calibration, *(path for path in stored if path.is_file()))
    return Calibration.among(files, fingerprint) or Calibration.identity(fingerprint)
