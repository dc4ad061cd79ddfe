"""The base judge saved as checkers of the hub are: five folders for transformers' own classes, one for each form.

`python -m veridic_lab.drafts.forms OUT [--encoder FOLDER]` restores it and fits a head of each form anew, since these
read both texts at once, while our heads read a first text that does not see the second. All heads sit on one encoder,
whose upper layers learn with them on drafts of the hands that train; whether what has no support is contradicted, the
restored judge tells. `veridic trial hf:OUT/two` then measures one. Nothing of it ships.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from tokenizers.processors import TemplateProcessing
from torch import nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import (
    MPNetConfig,
    MPNetForQuestionAnswering,
    MPNetForSequenceClassification,
    MPNetForTokenClassification,
    PreTrainedTokenizerFast,
)

from veridic.models.by_settings import base_folder
from veridic.models.hub_forms import FILE, NLI, known_forms
from veridic_lab.drafts.batches import UNKNOWN, Batch, Batcher
from veridic_lab.drafts.entailing import probabilities
from veridic_lab.drafts.examples import Example, of_draft, premise_for
from veridic_lab.drafts.hands import Document, documents, may_be_learned_from
from veridic_lab.drafts.losses import WRONG
from veridic_lab.drafts.network import FAR, FIRST_PLACE, BaseJudge, freeze, half_pays
from veridic_lab.drafts.passages import of_documents
from veridic_lab.drafts.restoring import restored
from veridic_lab.training.ship import write_json

LEARNING = 2
"""Upper layers that learn with the heads."""
RATE = 1e-4
"""Of these layers, at its peak."""
FASTER = 5
"""How much faster the heads learn."""
RISING = 50
"""Steps until the peak; from there the rate falls with the time that is left."""
TOKENS = 512
"""Of a batch: so few, for many steps in a short time."""
TOGETHER = 8
"""Documents whose examples are shuffled."""
SAID = 10
"""Steps between lines on the terminal."""
SHORT = 60
"""Words of a premise that is learned from."""
WORDS = 150
"""Of a premise that is judged in one pass: more than the drafts have."""
KNOWN = {"two": "lytang/MiniCheck-RoBERTa-Large", "tokens": "KRLabsOrg/lettucedect-base-modernbert-en-v1"}
"""Models as which those are asked whose labels say nothing."""
MADE: Mapping[str, tuple[Any, Sequence[str]]] = {
    "three": (MPNetForSequenceClassification, NLI),
    "two": (MPNetForSequenceClassification, ("LABEL_0", "LABEL_1")),
    "tokens": (MPNetForTokenClassification, ("LABEL_0", "LABEL_1")),
    "reranker": (MPNetForSequenceClassification, ("LABEL_0",)),
    "reader": (MPNetForQuestionAnswering, ("LABEL_0", "LABEL_1")),
}
"""The class of each form, and its labels."""
MARKS = {"bos": "<s>", "cls": "<s>", "eos": "</s>", "sep": "</s>", "pad": "<pad>", "unk": "[UNK]"}
"""MPNet's tokens by what transformers calls them."""


class Forms(nn.Module):  # type: ignore[misc, unused-ignore]
    """A model of each form; one encoder for all."""

    def __init__(self, judge: BaseJudge) -> None:
        """All begins as the judge has it, as far as it has it: the encoder, and the reader's two logits."""
        super().__init__()
        self.encoder = deepcopy(judge.encoder)
        self.models = nn.ModuleDict({name: _model(name, judge.encoder.config) for name in MADE})
        for model in self.models.values():
            model.mpnet = self.encoder
        self.models["reader"].qa_outputs.load_state_dict(judge.span.state_dict())

    def loss(self, batch: Batch, believed: torch.Tensor) -> torch.Tensor:
        """What the heads say amiss of statements, of which the judge believes [m, 3], or of passages."""
        seen = batch.parts >= 0
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half_pays()):
            states = self.encoder(input_ids=batch.input_ids, attention_mask=seen.long()).last_hidden_state.float()
        if bool((batch.labels >= 0).all()):
            return self._of_statements(states, batch, believed)
        return self._of_passages(states, batch, seen)

    def _of_statements(self, states: torch.Tensor, batch: Batch, believed: torch.Tensor) -> torch.Tensor:
        words = self.models["tokens"].classifier(states).transpose(1, 2)
        return (
            cross_entropy(self.models["three"].classifier(states), believed)
            + cross_entropy(self.models["two"].classifier(states), (batch.labels == 0).long())
            + cross_entropy(words, batch.marks, torch.tensor([1.0, WRONG]), ignore_index=UNKNOWN)
        )

    def _of_passages(self, states: torch.Tensor, batch: Batch, seen: torch.Tensor) -> torch.Tensor:
        helps = self.models["reranker"].classifier(states).squeeze(-1)
        start, end = self.models["reader"].qa_outputs(states).masked_fill(~seen.unsqueeze(-1), FAR).unbind(-1)
        none = batch.answered == 0
        starts, ends = (places[:, 0].masked_fill(none, 0) for places in (batch.starts, batch.ends))
        return binary_cross_entropy_with_logits(helps, batch.relevant.float()) + _mean(start, starts) + _mean(end, ends)


def _mean(logits: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """The mean cross entropy of places, over those that are known."""
    losses = cross_entropy(logits, places, ignore_index=UNKNOWN, reduction="none")
    return losses.sum() / (places >= 0).sum().clamp(min=1)


def _model(name: str, config: MPNetConfig) -> Any:  # noqa: ANN401 - a class of transformers
    made, labels = MADE[name]
    own = copy(config)
    own.id2label = dict(enumerate(labels))
    own.label2id = {label: number for number, label in enumerate(labels)}
    return made(own)


def statements(found: Sequence[Document]) -> Iterator[Example]:
    """The statements of all drafts without their questions, which no checker hears."""
    for document in found:
        for asked in document.asked:
            premise = premise_for(" ".join([asked.question, *(one.text for one in asked.drafts)]), document, SHORT)
            for draft in asked.drafts:
                yield from of_draft(document, asked, draft, "", premise)


def fit(forms: Forms, batches: Iterable[tuple[Batch, torch.Tensor]], minutes: float, rate: float = RATE) -> None:
    """Have all heads learn from batches, with what the judge believes of each, until they or the time are over."""
    heads = [one for name, one in forms.named_parameters() if not name.startswith("encoder.")]
    upper = [one for one in forms.encoder.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW([{"params": upper}, {"params": heads, "lr": FASTER * rate}], lr=rate, fused=True)
    began, seen = time.monotonic(), 0
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / RISING, _left(began, minutes))
    )
    forms.train()
    for step, (batch, believed) in enumerate(batches, 1):
        loss = forms.loss(batch, believed)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(forms.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        seen += len(batch.at)
        if step % SAID == 0:
            print(f"{step} steps, {seen} examples, loss {float(loss.detach()):.3f}", flush=True)  # noqa: T201
        if not _left(began, minutes):
            break
    forms.eval()


def _left(began: float, minutes: float) -> float:
    """The share of the time that is left."""
    return max(0.0, 1 - (time.monotonic() - began) / (60 * minutes))


def batches_of(judge: BaseJudge, batcher: Batcher, found: Sequence[Document]) -> Iterator[tuple[Batch, torch.Tensor]]:
    """Batches of statements, half of them asked in LettuceDetect's words, and of passages; some documents at a time."""
    rng = np.random.default_rng(7)
    prompts = ("{premise}", known_forms()[KNOWN["tokens"]].template)
    for part in np.array_split(rng.permutation(len(found)), -(-len(found) // TOGETHER)):
        documents = [found[at] for at in part]
        stated = list(statements(documents))
        believed = torch.tensor(probabilities(judge, batcher, stated), dtype=torch.float32)
        alone = [replace(one, group="", premise=str(rng.choice(prompts)).format(premise=one.premise)) for one in stated]
        read = [one for one in of_documents(documents) if one.answered >= 0]
        batches = [(one, believed[one.at]) for one in batcher.batches(alone)]
        batches += [(one, believed[:0]) for one in batcher.batches(read)]
        yield from (batches[at] for at in rng.permutation(len(batches)))


def save(forms: Forms, tokenizer: Tokenizer, out: Path) -> None:
    """Write a folder for each form, as a model of the hub is."""
    places = forms.encoder.config.max_position_embeddings - FIRST_PLACE
    wrapped = _wrapped(tokenizer, places)
    for name, model in forms.models.items():
        model.save_pretrained(out / name)
        wrapped.save_pretrained(out / name)
        if name in KNOWN:
            form = replace(known_forms()[KNOWN[name]], words=WORDS, tokens=places, revision=None)
            write_json(out / name / FILE, asdict(form))


def _wrapped(tokenizer: Tokenizer, places: int) -> PreTrainedTokenizerFast:
    """A tokenizer as transformers has it, that joins two texts as the batches here do."""
    ends = [(mark, tokenizer.token_to_id(mark)) for mark in ("<s>", "</s>")]
    single, pair = "<s> $A </s>", "<s> $A </s> $B:1 </s>:1"
    tokenizer.post_processor = TemplateProcessing(single=single, pair=pair, special_tokens=ends)
    told = {f"{name}_token": mark for name, mark in MARKS.items()}
    names = ["input_ids", "attention_mask"]
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=places, model_input_names=names, **told)


def main() -> None:
    """Make the folders."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("out", type=Path)
    options.add_argument("--folder", type=Path, default=base_folder(), help="else the base judge that is installed")
    options.add_argument("--encoder", type=Path, help="all-mpnet-base-v2, for rows of more tokens")
    options.add_argument("--minutes", type=float, default=30.0, help="of learning")
    told = options.parse_args()
    found = documents("train")
    may_be_learned_from(one.key for one in found)
    torch.manual_seed(7)
    judge = restored(told.folder, told.encoder)
    judge.half = half_pays()
    tokenizer = Tokenizer.from_file(str(told.folder / "tokenizer.json"))
    freeze(judge, judge.encoder.config.num_hidden_layers - LEARNING)
    forms = Forms(judge)
    fit(forms, batches_of(judge, Batcher(tokenizer, TOKENS), found), told.minutes)
    save(forms, tokenizer, told.out)


if __name__ == "__main__":
    main()
