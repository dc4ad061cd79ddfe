"""Fits which edit makes a follow-up whole, and whether a question leans on another.

`python -m veridic_lab.training.followups` writes what ships. It learns from `data/followups/train.jsonl`: a question,
its answer, the follow-up, and the forms of it that are right; what stands alone has itself. `measure.jsonl` measures.
Whether a question leans is learned from `leaning.jsonl` and the questions of the written documents that train, too.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from veridic.models.embedder import OnnxEmbedder
from veridic.models.rewording import ENDS, FILE, KINDS, SIGNS, Looked, Rewording, edits, looked_at, read, reworded
from veridic.text.answers import tokens
from veridic_lab.training.messages import questions
from veridic_lab.training.pairs import read_rows

FOLDER = Path(__file__).parents[3] / "data" / "followups"
WIDTH, EPOCHS, BATCH = 8, 10, 16
RATE, DECAY = 8e-3, 0.3
INVERSE_PENALTY = 20.0
"""scikit-learn's C."""
OF_FOLLOW_UPS = 4.0
"""How much a written follow-up counts beside a question of a written document."""
OTHERS = 3000
"""Questions of written documents."""
OPENINGS = ("And ", "What about ", "How about ", "and what about ", "what about ", "")
"""What follow-ups begin with, each in place of another's."""

Row = dict[str, Any]
Example = tuple[Looked, list[int]]


class Choice(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """`Rewording` in torch, without what leans."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        shapes = {
            "signs": (len(KINDS), SIGNS),
            "words": (ENDS, dimension, len(KINDS)),
            "referring": (dimension, WIDTH),
            "referred": (dimension, WIDTH),
        }
        for name, shape in shapes.items():
            setattr(self, name, torch.nn.Parameter(torch.randn(*shape) * 0.05))

    def forward(self, one: Looked) -> torch.Tensor:
        """As `Rewording.logits`."""
        signs, words, ends, kinds = map(torch.tensor, (one.signs, one.words, one.ends, one.kinds))
        told = (signs * self.signs[kinds]).sum(1)
        for end in range(ENDS):
            told = told + (words @ self.words[end])[ends[:, end], kinds]
        pairs = (words @ self.referring)[ends[:, 1]] * (words @ self.referred)[ends[:, 6]]
        return told + pairs.sum(1) * (kinds > 1)


def examples(rows: Sequence[Row], embedder: OnnxEmbedder) -> Iterator[Example]:
    """The edits of each follow-up, and which of them are right; none of what no edit makes whole.

    Those that say it to the letter are, if there are any.
    """
    for row in rows:
        found = list(edits(row["question"], row["asked"], row["answer"]))
        exact = [at for at, one in enumerate(found) if one.whole() in row["whole"]]
        right = exact or [at for at, one in enumerate(found) if is_right(one.whole(), row)]
        if right:
            yield looked_at(found, embedder.embed), right


def opened_otherwise(rows: Sequence[Row]) -> list[Row]:
    """The follow-ups, and those that begin as some do with other openings."""
    found = list(rows)
    for row in rows:
        lead = next((one for one in OPENINGS if one and row["question"].startswith(one)), "")
        if lead and row["whole"] != [row["question"]]:
            rest = row["question"][len(lead) :]
            found += ({**row, "question": one + rest} for one in random.sample(OPENINGS, 1) if one != lead)
    return found


def is_right(whole: str, row: Row) -> bool:
    """Whether a question says what one of the right forms says, case, articles and punctuation aside."""
    return plain(whole) in map(plain, row["whole"])


def plain(question: str) -> list[str]:
    """The words that tell one form from another."""
    words = tokens(question.replace("'s", " "))
    return words[1:] if words[:1] in (["and"], ["but"], ["so"]) else words


def chosen(found: Sequence[Example], dimension: int) -> Choice:
    """The choice of edits, fitted."""
    choice, order = Choice(dimension), list(found)
    optimiser = torch.optim.AdamW(choice.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(order) // BATCH)
    falling = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.01, steps)
    for _ in range(EPOCHS):
        random.shuffle(order)
        for at in range(0, len(order), BATCH):
            told = [(choice(one), right) for one, right in order[at : at + BATCH]]
            losses = [logits.logsumexp(0) - logits[right].logsumexp(0) for logits, right in told]
            optimiser.zero_grad()
            torch.stack(losses).mean().backward()
            optimiser.step()
            falling.step()
    return choice


def leaning(rows: Sequence[Row], embedder: OnnxEmbedder) -> np.ndarray[Any, Any]:
    """The regression that tells what leans, its offset last."""
    alone = random.sample(questions(), OTHERS)
    told = [
        *((row["question"], row["whole"] != [row["question"]]) for row in rows),
        *((row["question"], row["leans"]) for row in read_rows(FOLDER / "leaning.jsonl")),
        *((row["asked"], False) for row in rows),
    ]
    texts, leans = zip(*told, *((text, False) for text in alone), strict=True)
    shares = [OF_FOLLOW_UPS] * len(told) + [1.0] * len(alone)
    seen = [read(text, embedder.embed) for text in texts]
    found = LogisticRegression(C=INVERSE_PENALTY, max_iter=3000).fit(seen, leans, shares)
    return np.append(found.coef_[0], found.intercept_)


def main() -> None:
    """Fit, write, and say what becomes of the follow-ups and questions that were left out."""
    random.seed(0)
    torch.manual_seed(0)
    embedder = OnnxEmbedder()
    rows, left = (list(read_rows(FOLDER / f"{name}.jsonl")) for name in ("train", "measure"))
    more = opened_otherwise(rows)
    leans = leaning(more, embedder)
    follow = [row for row in more if row["whole"] != [row["question"]]]
    choice = chosen(list(examples(follow, embedder)), embedder.dimension)
    fitted = {name: value.detach().numpy() for name, value in choice.named_parameters()}
    found = Rewording(leaning=leans.astype(np.float32), **fitted)
    np.savez_compressed(FILE, **{name: value.astype(np.float16) for name, value in vars(found).items()})
    for row in left:
        [best, *_] = reworded(row["question"], row["asked"], row["answer"], embedder.embed, found)
        sure = found.leans(row["question"], embedder.embed)
        told = (
            f"{sure:.2f} {row['whole'] != [row['question']]:d} {best.probability:.2f} {is_right(best.text, row):d}",
            row["question"],
            best.text,
        )
        sys.stdout.write(" | ".join(told) + "\n")


if __name__ == "__main__":
    main()
