"""A judge of a few numbers, of MPNet's kind or BERT's, and what it is asked."""

from __future__ import annotations

from typing import Literal

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from veridic_lab.drafts.batches import Batcher
from veridic_lab.drafts.examples import Example
from veridic_lab.drafts.network import BaseJudge, with_pooled_dropout

WORDS = "the bus leaves at nine ten from old station every day but not on sunday who when where".split()
PREMISE = "the bus leaves at nine from the old station every day but not on sunday"
STATEMENTS = ("the bus leaves at nine", "the bus leaves at ten every day", "not on sunday")
MARKS = {"mpnet": ["<s>", "<pad>", "</s>", "[UNK]"], "bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]}
Kind = Literal["mpnet", "bert"]


def tokenizer(kind: Kind = "mpnet") -> Tokenizer:
    names = [*MARKS[kind], *dict.fromkeys(WORDS)]
    found = Tokenizer(models.WordLevel({name: number for number, name in enumerate(names)}, unk_token="[UNK]"))
    found.pre_tokenizer = pre_tokenizers.Whitespace()
    return found


def batcher(kind: Kind = "bert") -> Batcher:
    return Batcher(tokenizer(kind))


def tiny(kind: Kind) -> BaseJudge:
    torch.manual_seed(3)
    sizes = {"hidden_size": 48, "num_hidden_layers": 2, "num_attention_heads": 12, "intermediate_size": 96}
    encoder = (
        BertModel(BertConfig(vocab_size=64, **sizes), add_pooling_layer=False)
        if kind == "bert"
        else MPNetModel(MPNetConfig(vocab_size=64, **sizes), add_pooling_layer=False)
    )
    return BaseJudge(with_pooled_dropout(encoder)).eval()


def statement(text: str, label: int = 0, wrong: tuple[int, int] | None = None) -> Example:
    return Example(text, premise=PREMISE, label=label, wrong=wrong, marked=True, group="one question")


def examples() -> list[Example]:
    passage = Example(PREMISE, question="when", reads=True, answers=((18, 22),), answered=1, decision=0, relevant=1)
    return [statement(STATEMENTS[0]), statement(STATEMENTS[1], 3, (18, 21)), passage]
