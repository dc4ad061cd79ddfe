"""How a model of the hub is asked and what its answer means, as data: `hub_forms.json`, or a file in a model's folder.

The texts and labels of the entries are those of the models' own code on GitHub:

- FactCG: derenlei/FactCG, `factcg/utils.py` (template) and `factcg/inference.py` (label 1 supports, chunks).
- MiniCheck: Liyan06/MiniCheck, `minicheck/inference.py` (document and claim joined by the end token, label 1 supports).
- LettuceDetect and TinyLettuce: KRLabsOrg/LettuceDetect, `lettucedetect/models/inference.py` (prompt without question)
  and `lettucedetect/datasets/hallucination_dataset.py` (label 1 is what the text does not support).
- Granite Guardian: ibm-granite/granite-guardian, `evaluation/models/` and `evaluation/benchmarks/` ("yes" means
  ungrounded).

A revision is a commit of the model's repository. Where it is null the newest is taken, and a calibration belongs to it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from veridic.errors import UnknownModel

FILE = "veridic_form.json"
"""A form of one's own, in the model's folder."""
NLI = ("entailment", "neutral", "contradiction")
TWO_WAY = ("entailment", "not_entailment")
MEND = f"Use an NLI model or a reranker, or give its form: {FILE} in its folder (docs/judges.md)."


@dataclass(frozen=True)
class Form:
    """How texts are joined, and which label means what. Raises `ValueError` of a form that means nothing."""

    head: Literal["sequence", "tokens", "yes_no"]
    """What has labels: the whole input, each token of the statement, or the next word of a chat model."""
    labels: tuple[int | str, ...]
    """What says yes, what says no, and in three labels what contradicts: entailment, neutral, contradiction.

    Numbers or names of the model's labels; of a chat model the words themselves. One label is a score.
    """
    judges: Literal["statements", "passages"] = "statements"
    """Statements by a premise, as a critic does, or passages by a question, as an evaluator does."""
    template: str = ""
    """One text with `{premise}` and `{statement}`; with `{premise}` alone it is the first of a pair; empty: a pair.

    An evaluator's premise is the passage, and its statement the question.
    """
    chat: Mapping[str, Any] = field(default_factory=dict)
    """What the tokenizer's `apply_chat_template` is given, the messages as `conversation`; filled like a template."""
    reply: str = ""
    """How the chat model's reply begins, before its yes or no."""
    words: int = 200
    """Of the premise in one pass; a longer one is cut at sentence ends and the best piece counts."""
    tokens: int = 512
    """Of one pass in all."""
    revision: str | None = None

    def __post_init__(self) -> None:
        """Look at what cannot be meant."""
        two = self.head != "sequence" or self.judges == "passages"
        if not 1 <= len(self.labels) <= (2 if two else 3) or (self.head != "sequence" and len(self.labels) == 1):
            raise ValueError(f"{len(self.labels)} labels")
        self.template.format(premise="", statement="")
        if (self.template and "{premise}" not in self.template) or min(self.words, self.tokens) < 1:
            raise ValueError("a template without {premise}, or no room")
        if self.head == "yes_no" and not self.chat and "{statement}" not in self.template:
            raise ValueError("a question without {statement}")


def form_named(name: str) -> Form:
    """The form of a model by its hub name or folder: its own, a known one, or what its labels say.

    Raises `UnknownModel` of one that none of these tells of, and what transformers raises.
    """
    from transformers import AutoConfig

    known = _own(Path(name) / FILE) or known_forms().get(name)
    revision = known.revision if known else None
    config = AutoConfig.from_pretrained(name, revision=revision, trust_remote_code=False)
    labels = {str(label).lower(): int(number) for number, label in config.id2label.items()}
    return replace(form_of(name, labels, config.architectures or [], known), revision=revision or _commit(name))


def form_of(name: str, numbers: Mapping[str, int], architectures: list[str], known: Form | None) -> Form:
    """The known form, or what the labels say, given by their names in small letters: with the labels as numbers.

    Raises `UnknownModel` of labels that say nothing, or are not the form's.
    """
    form = known or _recognised(name, numbers, architectures)
    labels = form.labels
    if form.head != "yes_no":
        labels = tuple(numbers.get(one.lower(), -1) if isinstance(one, str) else one for one in labels)
        if not set(labels) <= set(numbers.values()):
            raise UnknownModel(f"{name} has no labels {form.labels}; it has {sorted(numbers)}.", MEND)
    return replace(form, labels=labels)


@cache
def known_forms() -> Mapping[str, Form]:
    """The forms that ship, by the models' names."""
    rows = json.loads(Path(__file__).with_name("hub_forms.json").read_text(encoding="utf-8"))
    return {name: _form({**row, "revision": revision}) for row in rows for name, revision in row.pop("models").items()}


def _own(path: Path) -> Form | None:
    """The form in a model's folder; None where there is none."""
    if not path.is_file():
        return None
    try:
        return _form(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, LookupError) as error:
        raise UnknownModel(f"{path} is no form: {error}.", "docs/judges.md tells what it holds.") from error


def _commit(name: str) -> str | None:
    """The commit of the hub that was just read; None of a folder."""
    from huggingface_hub import try_to_load_from_cache

    found = None if Path(name).is_dir() else try_to_load_from_cache(name, "config.json")
    return Path(found).parent.name if isinstance(found, str) else None


def _form(values: Mapping[str, Any]) -> Form:
    return Form(**{**values, "labels": tuple(values["labels"])})


def _recognised(name: str, numbers: Mapping[str, int], architectures: list[str]) -> Form:
    if any(one.endswith("ForSequenceClassification") for one in architectures):
        for labels in (NLI, TWO_WAY):
            if set(labels) <= numbers.keys():
                return Form("sequence", labels)
        if len(numbers) == 1:
            return Form("sequence", (0,), judges="passages")
    raise UnknownModel(f"{name} is neither an NLI model nor a reranker; it has the labels {sorted(numbers)}.", MEND)
