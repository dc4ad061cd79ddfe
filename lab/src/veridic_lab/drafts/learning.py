"""The base judge's training: broad pairs first, then drafts mixed with a fifth of them; it goes on where it stopped.

`python -m veridic_lab.drafts.learning OUT --encoder FOLDER --data FOLDER --minutes 60`. What was learned stands in
`OUT/last.pt`, the best of it by the hand that develops in `OUT/best.pt`, a line for each check in `OUT/log.jsonl`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic_lab.drafts.batches import Batch, Batcher
from veridic_lab.drafts.entailing import scored, scored_by_sentence
from veridic_lab.drafts.examples import Example, broad, of_drafts, of_statement
from veridic_lab.drafts.facts import of_sheets, sheets
from veridic_lab.drafts.hands import Document, documents, may_be_learned_from
from veridic_lab.drafts.losses import loss_of
from veridic_lab.drafts.measuring import measured
from veridic_lab.drafts.minimal_pairs import minimal_pairs
from veridic_lab.drafts.network import BaseJudge, encoder_of, freeze, half_pays, with_pooled_dropout
from veridic_lab.drafts.passages import broad_passages, of_documents, of_pair
from veridic_lab.training.pairs import Pair, held_out
from veridic_lab.training.splits import focused

CHECK_MINUTES = 18.0
SAID = 50
"""Steps between lines on the terminal."""
MIXED = 0.2
"""Share of broad pairs among the drafts' statements."""


@dataclass(frozen=True)
class BasePlan:
    """How the base judge learns."""

    minutes: float = 60.0
    layers: int = 8
    """Lowest layers of the encoder that are kept; 0: all."""
    frozen: int = 2
    """Layers that do not learn."""
    documents: int = 0
    """So many documents of the training hands; 0: all."""
    broad: int = 20_000
    """Broad pairs that are seen first."""
    passes: int = 3
    """Over the drafts; 0: until the time is over."""
    read_from: int = 0
    """The pass from which passages are read as well."""
    passages: int = 8_000
    """Broad passages a pass, beside the written ones."""
    steps: int = 6_000
    """Steps until the rate has fallen to a tenth."""
    rate: float = 5e-5
    threads: int = 1
    seed: int = 7
    start: str = ""
    """First weights, a file that a run left; empty: the encoder's."""


def learn_base(out: Path, encoder: Path, data: Path | None, plan: BasePlan, own: Sequence[Pair] = ()) -> float:
    """Learn for some minutes, from where `out` was left; returns the best AUC on the hand that develops.

    `encoder` holds the weights of all-mpnet-base-v2 or its like; without data drafts alone teach, and pairs of one's
    own, but for the tenth of them that is held out.
    """
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    judge = BaseJudge(with_pooled_dropout(encoder_of(encoder, plan.layers)), half=half_pays())
    if plan.start:
        judge.load_state_dict(torch.load(plan.start, weights_only=True))
    freeze(judge, plan.frozen)
    learned = documents("train")[: plan.documents or None]
    may_be_learned_from(one.key for one in learned)
    batcher = Batcher(Tokenizer.from_file(str(encoder / "tokenizer.json")))
    run = Learning(judge, batcher, out, rate=plan.rate, steps=plan.steps)
    run.resume()
    more = [of_pair(focused(one)) if one.asks else of_statement(one) for one in own if not held_out(one.key)]
    run.learn(_stream(plan, data, learned, more, run), minutes=plan.minutes, check=lambda: _checked(run))
    return run.best


def _stream(
    plan: BasePlan, data: Path | None, documents: Sequence[Document], own: Sequence[Example], run: Learning
) -> Iterator[Batch]:
    """Broad pairs until so many were seen, then drafts with a share of them, then passages as well, pass after pass.

    One's own examples are seen in every pass over the drafts.
    """
    wide = broad(data) if data else []
    while run.broad_seen < min(plan.broad, len(wide)):
        part = wide[run.broad_seen : run.broad_seen + 1_000]
        yield from run.batcher.batches(part, seed=run.broad_seen)
        run.broad_seen += len(part)
    drafts, passages = [*of_drafts(documents), *minimal_pairs(documents)], Passages(data, documents)
    while plan.passes == 0 or run.passes < plan.passes:
        rng = np.random.default_rng(1_000 + run.passes)
        mixed = [wide[at] for at in rng.permutation(len(wide))[: int(MIXED * len(drafts))]]
        read = passages.of_pass(run.passes, plan.passages) if run.passes >= plan.read_from else []
        yield from run.batcher.batches([*drafts, *mixed, *read, *own], seed=run.passes)
        run.passes += 1


class Passages:
    """What is read beside the drafts; the broad ones are made when they are first asked for."""

    def __init__(self, data: Path | None, documents: Sequence[Document]) -> None:
        """Without data the written ones alone."""
        self.data, self.own = data, [*of_documents(documents), *of_sheets(sheets("train"))]
        self._broad: list[Example] | None = None

    def of_pass(self, number: int, broad: int) -> list[Example]:
        """The written ones, and so many others of which each pass sees the next."""
        if self._broad is None:
            self._broad = broad_passages(self.data) if self.data else []
        start = number * broad % max(1, len(self._broad))
        return [*self.own, *(self._broad * 2)[start : start + broad]]


def _checked(run: Learning) -> dict[str, float]:
    developed = documents("develop")[::2]
    found = measured(scored(run.judge, run.batcher, developed))
    by_sentence = measured(scored_by_sentence(run.judge, run.batcher, developed))
    return {**found, "auc_by_sentence": by_sentence["auc"], "paired_by_sentence": by_sentence["paired"]}


class Learning:
    """A network on its way, with what it has seen."""

    def __init__(self, judge: BaseJudge, batcher: Batcher, folder: Path, *, rate: float, steps: int) -> None:
        """`rate` at its peak, after a twentieth of `steps`; it falls to a tenth at their end."""
        folder.mkdir(parents=True, exist_ok=True)
        self.judge, self.batcher, self.folder = judge, batcher, folder
        self.rate, self.steps = rate, steps
        weights = [one for one in judge.parameters() if one.requires_grad]
        self.optimizer = torch.optim.AdamW(weights, lr=rate, weight_decay=0.01, fused=True)
        self.step = self.pairs = self.broad_seen = self.passes = 0
        self.best = 0.0

    def resume(self) -> None:
        """Go on where it stopped, if it was begun."""
        path = self.folder / "last.pt"
        if not path.is_file():
            return
        kept: dict[str, Any] = torch.load(path, weights_only=True)
        self.judge.load_state_dict(kept["judge"])
        self.optimizer.load_state_dict(kept["optimizer"])
        for name in ("step", "pairs", "broad_seen", "passes", "best"):
            setattr(self, name, kept[name])

    def learn(self, batches: Iterator[Batch], *, minutes: float, check: Any) -> None:  # noqa: ANN401 - a function
        """Learn until the time or the batches are over; a check, kept weights and a line of the log every ten."""
        end, looked, losses = time.time() + 60 * minutes, time.time(), list[float]()
        for batch in batches:
            losses.append(self._learned(batch))
            if self.step % SAID == 0:
                print(f"step {self.step}, {self.pairs} examples, loss {np.mean(losses[-SAID:]):.3f}", flush=True)  # noqa: T201
            if time.time() - looked > 60 * CHECK_MINUTES or time.time() > end:
                self.keep(check(), float(np.mean(losses)))
                looked, losses = time.time(), []
            if time.time() > end:
                return
        self.keep(check(), float(np.mean(losses)) if losses else 0.0)

    def keep(self, found: dict[str, float], loss: float) -> None:
        """Write the weights, the best of them apart, and a line of the log."""
        names = ("step", "pairs", "broad_seen", "passes")
        line = {**{name: getattr(self, name) for name in names}, "loss": round(loss, 4), **found}
        state = self.judge.state_dict()
        if found["auc"] > self.best:
            self.best = found["auc"]
            torch.save(state, self.folder / "best.pt")
        kept = {"judge": state, "optimizer": self.optimizer.state_dict(), "best": self.best}
        torch.save({**kept, **{name: getattr(self, name) for name in names}}, self.folder / "last.part")
        (self.folder / "last.part").replace(self.folder / "last.pt")
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def _learned(self, batch: Batch) -> float:
        self.judge.train()
        risen = min(1.0, (self.step + 1) / (0.05 * self.steps))
        fallen = max(0.1, 1 - self.step / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * risen * fallen
        loss = loss_of(self.judge(**batch.inputs), batch)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.judge.parameters(), 1.0)
        self.optimizer.step()
        self.step += 1
        self.pairs += len(batch.at)
        return float(loss.detach())


def main() -> None:
    """Learn with every choice at hand; `veridic train base` has the usual ones."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("out", type=Path)
    options.add_argument("--encoder", type=Path, required=True)
    options.add_argument("--data", type=Path)
    for one in fields(BasePlan):
        options.add_argument(f"--{one.name.replace('_', '-')}", type=type(one.default), default=one.default)
    told = vars(options.parse_args())
    learn_base(told.pop("out"), told.pop("encoder"), told.pop("data"), BasePlan(**told))


if __name__ == "__main__":
    main()
