"""Any checker, NLI model or reranker of the hub as a judge (`pip install 'veridic[hf]'`), each in its form.

It judges by labels of the input, of its tokens, or by yes and no. No code that comes with a model is run. What a text
says in the model's own special tokens is blanked: a passage cannot end itself and add a statement, or a message, of its
own.
"""

import hashlib
import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from veridic.errors import UnknownModel, VeridicError, judging
from veridic.models.calibrating import self_calibrated
from veridic.models.calibration import Calibration
from veridic.models.hf import HubModel, brief
from veridic.models.hub_forms import MEND, Form, form_named
from veridic.models.onnx_encoder import check_time
from veridic.models.scorers import LONG_SIDE, Pairs, Place, Scored
from veridic.models.windows import LONG_LIMIT, SHORT_CHARACTERS
from veridic.ports.file_limits import CHARACTERS_PER_TOKEN
from veridic.ports.judgements import Rank
from veridic.runtime.kept import Kept
from veridic.text.sentences import windows

_log = logging.getLogger(__name__)

Texts = Sequence[tuple[str, str]]
"""The long text of each pair, of which a window is read, and the short one."""
SLACK = 8
"""Tokens that a text may become longer by when it is joined."""
LEAST_ROOM = 16
"""Tokens of the long text that are read at least."""
UNSAID = -20.0
"""The log-odds of a statement without a token."""


@dataclass(frozen=True)
class Told:
    """What a model says of one pass."""

    row: Sequence[float]
    """A logit for each label of the form."""
    doubtful: tuple[Place, ...] = ()
    """The characters of the short text that are rather not supported."""


class SequenceAdapter:
    """One that labels its whole input; the others differ in what they label."""

    loader = "AutoModelForSequenceClassification"
    batch = 8
    """Passes between two looks at the clock."""

    def __init__(self, name: str, form: Form) -> None:
        """Load tokenizer and weights; raises what transformers raises."""
        import transformers

        pinned: dict[str, Any] = {"revision": form.revision, "trust_remote_code": False}
        self.form = form
        self.lock: AbstractContextManager[Any] = threading.Lock()
        """Held by who uses the tokenizer, which keeps how it pads."""
        self._tokenizer = transformers.AutoTokenizer.from_pretrained(name, use_fast=True, **pinned)
        self._model = self._readied(getattr(transformers, self.loader).from_pretrained(name, **pinned))
        self._limit = min(form.tokens, self._tokenizer.model_max_length)
        self._marks = [one.content for one in self._tokenizer.added_tokens_decoder.values() if one.special]

    def prepared(self, long: str, short: str) -> tuple[str, str]:
        """Both texts without the model's special tokens, every character at its place; the short one begins alone."""
        long, short = long[:LONG_LIMIT], short[:SHORT_CHARACTERS]
        for mark in self._marks:
            long, short = (text.replace(mark, " " * len(mark)) for text in (long, short))
        return long, brief(self._tokenizer, short, self._limit // 2)

    def windows(self, long: str, short: str) -> list[Place]:
        """Where the long text is cut so that every piece fits one pass beside the short one; at least one piece."""
        words = self.form.words
        pieces = [(0, len(long))]
        if len(long.split()) > words:
            pieces = [(one.start, one.end) for one in windows(long, most=max(50, words // 4), words=words)]
        room = max(LEAST_ROOM, self._limit - SLACK - len(self._inputs([("", short)])["input_ids"][0]))
        return [place for piece in pieces for place in self._fitting(long, piece, room)]

    def _fitting(self, text: str, place: Place, room: int) -> list[Place]:
        """A piece that has more tokens than there is room for, such as a table, in several."""
        start, end = place
        read = self._tokenizer(text[start:end], add_special_tokens=False, return_offsets_mapping=True)
        offsets = read["offset_mapping"]
        if len(offsets) <= room:
            return [place]
        runs = (offsets[at : at + room] for at in range(0, len(offsets), room))
        return [(start + run[0][0], start + run[-1][1]) for run in runs]

    def told(self, texts: Texts) -> list[Told]:
        """What the model says of each pair, in order; at most `batch`, each short enough for one pass."""
        rows = self._said(self._inputs(texts))[:, list(self.form.labels)]
        return [Told(row) for row in rows.tolist()]

    def _readied(self, model: Any) -> Any:  # noqa: ANN401 - transformers' models
        return model.float().eval()

    def _said(self, inputs: Any, **more: Any) -> Any:  # noqa: ANN401
        """The logits of a forward pass."""
        import torch

        with torch.inference_mode():
            return self._model(**inputs, **more).logits

    def _inputs(self, texts: Texts, **more: Any) -> Any:  # noqa: ANN401
        joined = zip(*(self._joined(long, short) for long, short in texts), strict=True)
        return self._tokenizer(*map(list, joined), padding=len(texts) > 1, return_tensors="pt", **more)

    def _joined(self, long: str, short: str) -> tuple[str, ...]:
        """One text or two, as the form has it."""
        template = self.form.template
        first = template.format(premise=long, statement=short) if template else long
        if "{statement}" in template:
            return (first,)
        return (first, short) if self.form.judges == "statements" else (short, first)


class TokenAdapter(SequenceAdapter):
    """One that labels tokens: a text says no more than its least supported token, and the others are marked."""

    loader = "AutoModelForTokenClassification"

    def told(self, texts: Texts) -> list[Told]:
        """See `SequenceAdapter`."""
        inputs = self._inputs(texts, return_offsets_mapping=True)
        offsets = inputs.pop("offset_mapping").tolist()
        yes, no = self.form.labels
        logits = self._said(inputs)
        margins = (logits[:, :, yes] - logits[:, :, no]).tolist()
        side = 1 if self.form.judges == "statements" else 0
        found = []
        for number, (places, own) in enumerate(zip(offsets, margins, strict=True)):
            short = [at for at, kind in enumerate(inputs.sequence_ids(number)) if kind == side]
            worst = sorted((at for at in short if own[at] < 0), key=lambda at: own[at])
            doubtful = tuple((places[at][0], places[at][1]) for at in worst)
            found.append(Told((min((own[at] for at in short), default=UNSAID), 0.0), doubtful))
        return found


class YesNoAdapter(SequenceAdapter):
    """A chat model that answers yes or no: the logits of the next token, over all spellings of either word."""

    loader = "AutoModelForCausalLM"
    batch = 1

    def __init__(self, name: str, form: Form) -> None:
        """Raises `UnknownModel` besides, where no token is one of the words."""
        super().__init__(name, form)
        vocabulary = self._tokenizer.get_vocab().items()
        self._words = [
            [number for token, number in vocabulary if token.strip("Ġ▁ ").lower() == str(word).lower()]
            for word in form.labels
        ]
        if not all(self._words):
            raise UnknownModel(f"{name} has no token for {' or '.join(map(str, form.labels))}.", MEND)

    def told(self, texts: Texts) -> list[Told]:
        """See `SequenceAdapter`."""
        logits = [self._said(self._inputs([pair]), logits_to_keep=1)[0, -1].float() for pair in texts]
        return [Told([float(one[words].logsumexp(0)) for words in self._words]) for one in logits]

    def _readied(self, model: Any) -> Any:  # noqa: ANN401
        return model.eval()

    def _inputs(self, texts: Texts, **more: Any) -> Any:  # noqa: ANN401
        """A conversation has its special tokens already."""
        return super()._inputs(texts, add_special_tokens=not self.form.chat, **more)

    def _joined(self, long: str, short: str) -> tuple[str, ...]:
        if not self.form.chat:
            return (self.form.template.format(premise=long, statement=short) + self.form.reply,)
        asked = _filled(self.form.chat, premise=long, statement=short)
        told = self._tokenizer.apply_chat_template(tokenize=False, add_generation_prompt=True, **asked)
        return (told + self.form.reply,)


ADAPTERS: Mapping[str, type[SequenceAdapter]] = {
    "sequence": SequenceAdapter,
    "tokens": TokenAdapter,
    "yes_no": YesNoAdapter,
}


def load_adapter(name: str) -> SequenceAdapter:
    """The adapter of a model, by its form; raises `UnknownModel` and what transformers raises."""
    form = form_named(name)
    return ADAPTERS[form.head](name, form)


def _filled(value: Any, **texts: str) -> Any:  # noqa: ANN401 - any JSON
    """The value with the texts in their places."""
    if isinstance(value, str):
        return value.format(**texts)
    if isinstance(value, Mapping):
        return {name: _filled(one, **texts) for name, one in value.items()}
    return [_filled(one, **texts) for one in value] if isinstance(value, list) else value


class HubScorer:
    """A model in its form. One that knows two labels says "supported" or not; it contradicts nothing."""

    rank: Rank = "hub"
    heads: Sequence[str] = ()

    def __init__(self, name: str, *, calibrations: Sequence[Path] = (), kept: Kept | None = None) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet.

        One of the calibrations, if there are any, must be for this model. Without them it calibrates itself when
        it is opened to decide, and what it finds is kept; without a place for that it does not gate.
        """
        self._hub = HubModel(name, load_adapter)
        self._paths = calibrations
        self._kept = kept

    @property
    def form(self) -> Form:
        """How it is asked. Raises `UnknownModel`, `MissingExtra`."""
        form: Form = self._hub.opened(form_named)
        return form

    @property
    def entails(self) -> bool:
        """Whether it judges statements, as a critic does; an evaluator judges passages."""
        return self.form.judges == "statements"

    @property
    def fingerprint(self) -> str:
        """Names weights and form; thresholds belong to one fingerprint."""
        if self._hub.is_local:
            return self._hub.fingerprint
        return hashlib.sha256(f"{self._hub.name}{self.form}".encode()).hexdigest()[:16]

    @cached_property
    def calibration(self) -> Calibration:
        """The user's own (raises `CalibrationMismatch`), else what it found of itself.

        Where that fails it is the identity, which does not gate.
        """
        if self._paths:
            return Calibration.among(self._paths, self.fingerprint) or Calibration.read(
                self._paths[0], self.fingerprint
            )
        if self._kept is None:
            return Calibration.identity(self.fingerprint)
        try:
            return self_calibrated(self, "critic" if self.entails else "evaluator", self._kept)
        except (VeridicError, ValueError) as error:
            _log.warning("%s cannot calibrate itself, and decides nothing: %s", self._hub.name, error)
            return Calibration.identity("")

    def calibrate(self) -> None:
        """Calibrate itself now, unless the user's calibrations are named; it takes as long as the pairs that ship."""
        if not self._paths:
            _log.debug("%s is calibrated as %s.", self._hub.name, self.calibration.fingerprint)

    def tokens(self, pairs: Pairs, head: str) -> list[int]:  # noqa: ARG002 - every scorer is asked so
        """About so many: its own tokenizer would have to be loaded to know."""
        return [(len(first) + len(second)) // CHARACTERS_PER_TOKEN for first, second in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        """What it says of each pair, in order.

        Raises `JudgeFailed` or `DeadlineExceeded`, and `UnknownModel` of a head that it is not for.
        """
        if not pairs:
            return []
        check_time(deadline)
        if self.entails != (head == "nli"):
            told = (
                "statements: a critic needs an NLI model or a checker" if head == "nli" else "passages: name a reranker"
            )
            raise UnknownModel(f"{self._hub.name} does not judge {told}.", "Give it to the other judge.")
        turned = pairs if LONG_SIDE[head] == "first" else [(second, first) for first, second in pairs]
        with judging(self._hub.name):
            return self._scored(turned, deadline)

    @property
    def adapter(self) -> SequenceAdapter:
        """The model, open. Raises `UnknownModel`, `MissingExtra`."""
        opened: SequenceAdapter = self._hub.model
        return opened

    def _scored(self, pairs: Pairs, deadline: float) -> list[Scored]:
        adapter = self.adapter
        with adapter.lock:
            texts = [adapter.prepared(long, short) for long, short in pairs]
            cut = [adapter.windows(long, short) for long, short in texts]
        flat = [(long[slice(*at)], short) for (long, short), places in zip(texts, cut, strict=True) for at in places]
        told: list[Told] = []
        for at in range(0, len(flat), adapter.batch):
            told += self._told(flat[at : at + adapter.batch], deadline)
        left = iter(told)
        return [_one(places, list(islice(left, len(places))), adapter.form) for places in cut]

    def _told(self, texts: Texts, deadline: float) -> list[Told]:
        """What it says of one batch."""
        adapter = self.adapter
        with adapter.lock:
            check_time(deadline)
            return adapter.told(texts)


def _one(places: Sequence[Place], told: Sequence[Told], form: Form) -> Scored:
    """What was said of one pair, in the columns that the heads have."""
    rows = np.array([one.row for one in told], dtype=np.float32)
    if rows.shape[1] < 3:
        margin = rows[:, 0] - rows[:, 1] if rows.shape[1] == 2 else rows[:, 0]
        never = np.full_like(margin, -np.inf)
        rows = np.column_stack([margin, np.zeros_like(margin), never]) if form.judges == "statements" else margin
    return Scored(places, rows, [one.doubtful for one in told] if form.head == "tokens" else ())
