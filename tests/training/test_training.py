from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from transformers import BertConfig, BertModel  # noqa: E402

from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, Tokens, fingerprint_of  # noqa: E402
from veridic.training.batches import Batcher  # noqa: E402
from veridic.training.export import judge_graph  # noqa: E402
from veridic.training.network import JudgeNetwork, freeze_words, loss_of, weights_of  # noqa: E402
from veridic.training.onnx_graph import EncoderShape  # noqa: E402
from veridic.training.pairs import Pair  # noqa: E402
from veridic.training.ranges import column_ranges  # noqa: E402
from veridic.training.trainer import Plan, Trainer  # noqa: E402

TOKENIZER = SHIPPED / "embedder" / "tokenizer.json"
SHAPE = EncoderShape(layers=2, heads=4, epsilon=1e-12)


def tiny() -> JudgeNetwork:
    torch.manual_seed(3)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, hidden_dropout_prob=0.0
    )
    return JudgeNetwork(BertModel(config, add_pooling_layer=False))


def batcher(budget: int = 512) -> Batcher:
    from tokenizers import Tokenizer

    return Batcher(Tokenizer.from_file(str(TOKENIZER)), budget=budget, max_tokens=64)


PAIRS = [
    pair
    for n in range(24)
    for pair in (
        Pair(
            "nli",
            f"The box holds {n} apples.",
            f"There are {n} apples." if n % 2 else "It is empty.",
            n % 4,
            "s",
            f"{n}",
        ),
        Pair("relevance", "How many apples?", f"The box holds {n} apples.", n % 2, "r", f"r{n}"),
    )
]


def test_two_class_rows_train_the_sum_of_neutral_and_contradiction() -> None:
    pair = Pair("nli", "p", "h", 3, "s", "k")
    logits = torch.tensor([[0.0, 1.0, 2.0]])
    probabilities = logits.softmax(-1)[0]
    expected = -torch.log(probabilities[1] + probabilities[2])
    assert float(loss_of(torch.zeros(1), logits, [pair])) == pytest.approx(float(expected), abs=1e-6)


def test_batches_hold_every_pair_once() -> None:
    found = [i for batch in batcher().batches(PAIRS, seed=1) for i in batch.indices]
    assert sorted(found) == list(range(len(PAIRS)))


def test_padding_changes_nothing() -> None:
    network = tiny().eval()
    (alone,) = [b.inputs for b in batcher().batches(PAIRS[:1])]
    padded = {name: torch.nn.functional.pad(value, (0, 9)) for name, value in alone.items()}
    with torch.inference_mode():
        for a, b in zip(network(**alone), network(**padded), strict=True):
            assert torch.allclose(a, b, atol=1e-5)


def test_the_exported_graph_says_what_the_network_says(tmp_path: Path) -> None:
    import onnx

    network = tiny().eval()
    batches = [batch.inputs for batch in batcher().batches(PAIRS)]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, batches).items()}
    for precision, tolerance in (("fp32", 1e-4), ("int8", 0.05)):
        graph = judge_graph(weights_of(network), ranges, "fp32" if precision == "fp32" else "int8", shape=SHAPE)
        onnx.save(graph, str(tmp_path / "model.onnx"))
        (tmp_path / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
        (tmp_path / "card.json").write_text(json.dumps({"fingerprint": fingerprint_of(tmp_path)}))
        rows = [
            Tokens(ids[mask.bool()].tolist(), kinds[mask.bool()].tolist())
            for ids, mask, kinds in zip(
                *(batches[0][n] for n in ("input_ids", "attention_mask", "token_type_ids")), strict=True
            )
        ]
        relevance, nli = OnnxEncoder(tmp_path, threads=1).run(rows, ["relevance", "nli"], deadline=float("inf"))
        with torch.inference_mode():
            expected = network(**batches[0])
        assert np.allclose(relevance, expected[0].numpy(), atol=tolerance)
        assert np.allclose(nli, expected[1].numpy(), atol=tolerance)


def test_training_lowers_the_loss_resumes_and_keeps_the_best(tmp_path: Path) -> None:
    sets = {
        "s": [p for p in PAIRS if p.task == "nli" and p.label < 3],
        "r": [p for p in PAIRS if p.task == "relevance"],
    }
    plan = Plan(steps=12, learning_rate=3e-3, token_budget=512, max_tokens=64, check_every=6)
    network = tiny()
    freeze_words(network)
    words = network.encoder.embeddings.word_embeddings.weight.detach().clone()
    first = Trainer(network, batcher().tokenizer, Plan(**{**plan.__dict__, "steps": 6}), tmp_path)
    first.run(sets, {}, sets)
    assert torch.equal(words, network.encoder.embeddings.word_embeddings.weight)
    again = tiny()
    freeze_words(again)
    second = Trainer(again, batcher().tokenizer, plan, tmp_path)
    assert second.resume()
    assert second.state.step == 6
    state = second.run(sets, {}, sets)
    assert state.step == 12
    assert [row["step"] for row in state.history] == [6.0, 12.0]
    assert (tmp_path / "best.pt").is_file()


def test_learning_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    sets = {"r": [p for p in PAIRS if p.task == "relevance"]}
    plan = Plan(steps=500, learning_rate=0.0, token_budget=512, max_tokens=64, check_every=1, patience=2)
    assert Trainer(tiny(), batcher().tokenizer, plan, tmp_path).run(sets, {}, sets).step == 3
