"""The base judge in torch and as its exported graph, on a network of a few numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

import onnx  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402
from transformers import MPNetConfig, MPNetModel  # noqa: E402

from veridic.models.calibration import Calibration  # noqa: E402
from veridic.models.cross_encoder import OnnxJudge  # noqa: E402
from veridic_lab.drafts.batches import Batcher  # noqa: E402
from veridic_lab.drafts.entailing import entailed  # noqa: E402
from veridic_lab.drafts.examples import Example  # noqa: E402
from veridic_lab.drafts.graph import base_graph, named_like_bert  # noqa: E402
from veridic_lab.drafts.losses import loss_of  # noqa: E402
from veridic_lab.drafts.network import BaseJudge  # noqa: E402
from veridic_lab.training.network import weights_of  # noqa: E402
from veridic_lab.training.ship import write_card  # noqa: E402

WORDS = "the bus leaves at nine ten from old station every day but not on sunday who when where".split()
PREMISE = "the bus leaves at nine from the old station every day but not on sunday"
STATEMENTS = ("the bus leaves at nine", "the bus leaves at ten every day", "not on sunday")


def statement(text: str, label: int = 0, wrong: tuple[int, int] | None = None) -> Example:
    return Example(text, premise=PREMISE, label=label, wrong=wrong, marked=True, group="one question")


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    names = ["<s>", "<pad>", "</s>", "[UNK]", "[CLS]", "[SEP]", *dict.fromkeys(WORDS)]
    found = Tokenizer(models.WordLevel({name: number for number, name in enumerate(names)}, unk_token="[UNK]"))
    found.pre_tokenizer = pre_tokenizers.Whitespace()
    return found


@pytest.fixture(scope="module")
def judge() -> BaseJudge:
    torch.manual_seed(3)
    config = MPNetConfig(
        vocab_size=64, hidden_size=48, num_hidden_layers=2, num_attention_heads=12, intermediate_size=96
    )
    return BaseJudge(MPNetModel(config, add_pooling_layer=False)).eval()


def test_what_is_said_of_a_statement_does_not_depend_on_those_beside_it(judge: BaseJudge, tokenizer: Tokenizer) -> None:
    batcher = Batcher(tokenizer)
    together = entailed(judge, batcher, [statement(text) for text in STATEMENTS])
    alone = [entailed(judge, batcher, [statement(text)])[0] for text in STATEMENTS]
    assert together == pytest.approx(alone, abs=1e-6)
    assert len({round(float(one), 6) for one in alone}) == len(STATEMENTS)


def test_the_statements_of_a_question_lie_in_one_row_and_wrong_words_are_marked(tokenizer: Tokenizer) -> None:
    wrong = statement(STATEMENTS[1], label=3, wrong=(18, 21))
    [batch] = Batcher(tokenizer).batches([statement(STATEMENTS[0]), wrong])
    assert batch.input_ids.shape[0] == 1
    marked = [int(one) for one in batch.input_ids[0][batch.marks[1] == 1]]
    assert [tokenizer.id_to_token(one) for one in marked] == ["ten"]


def test_every_head_has_a_loss_that_falls_when_it_is_followed(judge: BaseJudge, tokenizer: Tokenizer) -> None:
    passage = Example(PREMISE, question="when", reads=True, answers=((18, 22),), answered=1, decision=0, relevant=1)
    batcher = Batcher(tokenizer)
    examples = [statement(STATEMENTS[0]), statement(STATEMENTS[1], 3, (18, 21)), passage]
    network = BaseJudge(judge.encoder).train()
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    losses = []
    for _ in range(12):
        found = [loss_of(network(**batch.inputs), batch) for batch in batcher.batches(examples)]
        loss = torch.stack(found).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]


def test_the_exported_graph_says_what_torch_says(judge: BaseJudge, tokenizer: Tokenizer, tmp_path: Path) -> None:
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    graph = base_graph(named_like_bert(weights_of(judge)), {}, layers=2, precision="fp32", read=0.5)
    onnx.save(graph, str(tmp_path / "model.onnx"))
    card = write_card(tmp_path, name="tiny", kind="base judge", heads=["relevance", "nli", "words"])
    Calibration.identity(card["fingerprint"]).write(tmp_path / "calibration.json")
    exported = OnnxJudge(tmp_path, self_testing=False)
    examples = [statement(text) for text in STATEMENTS]
    rows = [{"first": one.premise, "second": one.own} for one in examples]
    ours = exported.raw_probabilities("nli", rows)[:, 0]
    assert np.allclose(ours, entailed(judge, Batcher(tokenizer), examples), atol=1e-4)  # half precision
    [scored] = exported.logits([(PREMISE, STATEMENTS[0])], "nli", deadline=float("inf"))
    [batch] = Batcher(tokenizer).batches(examples[:1])
    with torch.inference_mode():
        words = judge(**batch.inputs)["words"][0][batch.own[0] == 1][:-1]
    assert bool(scored.doubtful[0]) is bool((words > 0).any())
    passage = Example(PREMISE, question="when", reads=True)
    [batch] = Batcher(tokenizer).batches([passage])
    with torch.inference_mode():
        said = judge(**batch.inputs)
    margin = said["start"].max() + said["end"].max() - 2 * said["null"]
    [scored] = exported.logits([("when", PREMISE)], "relevance", deadline=float("inf"))
    assert np.allclose(scored.rows, float(said["relevance"] + 0.5 * margin), atol=1e-3), "relevance hears what is read"
