"""The reader in torch: token places, losses, the best span, and what is exported."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")
pytest.importorskip("transformers")

from tokenizers import Tokenizer  # noqa: E402
from transformers import BertConfig, BertModel  # noqa: E402

from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, Tokens, fingerprint_of  # noqa: E402
from veridic.models.reader import OUTPUTS, OnnxReader  # noqa: E402
from veridic.models.reader_calibration import ReaderCalibration  # noqa: E402
from veridic_lab.training.export import reader_graph  # noqa: E402
from veridic_lab.training.loop import Plan  # noqa: E402
from veridic_lab.training.network import JudgeNetwork, freeze, weights_of  # noqa: E402
from veridic_lab.training.onnx_graph import EncoderShape  # noqa: E402
from veridic_lab.training.pairs import NLI_LABELS  # noqa: E402
from veridic_lab.training.ranges import column_ranges  # noqa: E402
from veridic_lab.training.reading.batches import NOTHING, ReadingBatch, ReadingBatcher  # noqa: E402
from veridic_lab.training.reading.network import (  # noqa: E402
    FAR,
    ReaderLogits,
    ReaderNetwork,
    from_judge,
    log_places,
    reading_loss,
)
from veridic_lab.training.reading.rows import DECISIONS, Kind, Reading, shown  # noqa: E402
from veridic_lab.training.reading.ship import parity  # noqa: E402
from veridic_lab.training.reading.trainer import LONGEST_SPAN, ReaderTrainer, best_span, read_with  # noqa: E402
from veridic_lab.training.restore import restore  # noqa: E402
from veridic_lab.training.session import put_weights  # noqa: E402

TOKENIZER = SHIPPED / "embedder" / "tokenizer.json"
SHAPE = EncoderShape(layers=2, heads=4, epsilon=1e-12)
OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It was not 1932 metres long."
FILLER = " ".join(f"Nothing of note happened in week {number}." for number in range(80))


def row(kind: Kind = "span", answer: str = "1932", text: str = OPENED, title: str = "Alder Bridge") -> Reading:
    at = [place for place in range(len(text)) if text.startswith(answer, place)] if kind == "span" else []
    places = tuple((start, start + len(answer)) for start in at)
    return Reading("When was it opened?", title, text, places, kind, "s", "k")


ROWS = [
    row(),
    row(answer="Clara Voss", title=""),
    row("none", text="It is long.\nIt is old.", title=""),
    row("yes"),
    row("no", title=""),
    row("undecided"),
    row(answer="old", text="It is long.\nIt is old.", title=""),
]


def tiny() -> ReaderNetwork:
    torch.manual_seed(3)
    config = BertConfig(
        hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, hidden_dropout_prob=0.0
    )
    return ReaderNetwork(BertModel(config, add_pooling_layer=False))


@pytest.fixture(scope="module")
def batcher() -> ReadingBatcher:
    return ReadingBatcher(Tokenizer.from_file(str(TOKENIZER)), budget=512)


def only(batcher: ReadingBatcher, *rows: Reading) -> ReadingBatch:
    [batch] = ReadingBatcher(batcher._windows._tokenizer, budget=10_000).batches(rows)
    return batch


def told(batch: ReadingBatch, number: int, first: int, last: int) -> str:
    window = batch.windows[number]
    start, end = window.offsets[first - window.first][0], window.offsets[last - window.first][1]
    return shown(batch.readings[number])[start:end]


def test_every_row_is_in_one_batch(batcher: ReadingBatcher) -> None:
    rows = [replace(one, key=f"{number}") for number in range(9) for one in ROWS]
    for seed in (None, 1):
        found = [index for batch in batcher.batches(rows, seed=seed) for index in batch.indices]
        assert sorted(found) == list(range(len(rows)))
    orders = [[batch.indices for batch in batcher.batches(rows, seed=seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_token_places_say_the_answer_and_none_is_in_the_title(batcher: ReadingBatcher) -> None:
    batch = only(batcher, *ROWS)
    for number, one in enumerate(batch.readings):
        places = list(zip(batch.starts[number].tolist(), batch.ends[number].tolist(), strict=True))
        found = [told(batch, number, *pair) for pair in places if NOTHING not in pair]
        assert found == [one.text[start:end] for start, end in one.places]
        readable = [at for at, may in enumerate(batch.readable[number].tolist()) if may]
        assert told(batch, number, readable[0], readable[-1]) == one.text.strip()
        assert all(batch.readable[number, start] and batch.readable[number, end] for start, end in places if start >= 0)
    decided = [DECISIONS[at] if at != NOTHING else "" for at in batch.decision.tolist()]
    assert decided == [one.kind if one.kind in DECISIONS else "" for one in batch.readings]


def test_an_answer_beyond_the_window_is_not_there(batcher: ReadingBatcher) -> None:
    batch = only(batcher, row(text=f"{FILLER} {OPENED}"))
    assert (batch.starts == NOTHING).all()
    assert batch.readable.any()


def perfect(batch: ReadingBatch, *, sure: float = 12.0) -> ReaderLogits:
    """Logits that say what is to be found, and where nothing is, that nothing is there."""
    logits = {name: torch.zeros(batch.readable.shape) for name in ("start", "end")}
    null, decision = torch.zeros(len(batch.readings)), torch.zeros(len(batch.readings), len(DECISIONS))
    for number, one in enumerate(batch.readings):
        if one.kind in DECISIONS:
            decision[number, DECISIONS.index(one.kind)] = sure
        elif batch.starts[number, 0] == NOTHING:
            null[number] = sure
        else:
            logits["start"][number, batch.starts[number, 0]] = sure
            logits["end"][number, batch.ends[number, 0]] = sure
    return {**logits, "null": null, "decision": decision}


@pytest.mark.parametrize("one", ROWS, ids=lambda one: f"{one.kind} {one.title}")
def test_what_is_right_costs_little_and_what_is_wrong_much(batcher: ReadingBatcher, one: Reading) -> None:
    batch = only(batcher, one)
    right = perfect(batch)
    blank = {name: torch.zeros_like(value) for name, value in right.items()}
    wrong = {name: -value for name, value in right.items()}
    losses = [float(reading_loss(logits, batch)) for logits in (right, blank, wrong)]
    assert losses[0] < 0.01 < losses[1] < losses[2]


def test_each_of_several_places_is_right(batcher: ReadingBatcher) -> None:
    batch = only(batcher, row())
    first = perfect(batch)
    second = {**first, "start": torch.zeros_like(first["start"]), "end": torch.zeros_like(first["end"])}
    second["start"][0, batch.starts[0, 1]] = second["end"][0, batch.ends[0, 1]] = 12.0
    assert float(reading_loss(second, batch)) == pytest.approx(float(reading_loss(first, batch)), abs=1e-3)


def test_a_row_without_an_answer_pushes_the_null_and_a_span_row_against_it(batcher: ReadingBatcher) -> None:
    for one, sign in ((row("none"), -1.0), (row(), 1.0)):
        batch = only(batcher, one)
        logits = {name: value.requires_grad_() for name, value in perfect(batch, sure=0.0).items()}
        reading_loss(logits, batch).backward()
        assert torch.sign(logits["null"].grad)[0] == sign
        assert not logits["decision"].grad.any()


def test_a_decision_teaches_no_place(batcher: ReadingBatcher) -> None:
    batch = only(batcher, row("yes"))
    logits = {name: value.requires_grad_() for name, value in perfect(batch, sure=0.0).items()}
    reading_loss(logits, batch).backward()
    assert logits["decision"].grad[0].tolist() == pytest.approx([-2 / 3, 1 / 3, 1 / 3])
    assert not any(logits[name].grad.any() for name in ("start", "end", "null"))


def test_places_where_no_answer_may_stand_have_no_probability(batcher: ReadingBatcher) -> None:
    batch = only(batcher, row())
    found = log_places(torch.full(batch.readable.shape, 9.0), torch.zeros(1), batch.readable)
    assert found.exp().sum() == pytest.approx(1)
    assert (found[:, :-1][~batch.readable] < FAR / 2).all()


LOGS = st.lists(st.tuples(st.floats(-9, 0, width=32), st.floats(-9, 0, width=32)), min_size=1, max_size=40)


@given(LOGS)
def test_the_best_span_is_the_likeliest_that_is_short_enough(logs: list[tuple[float, float]]) -> None:
    start, end = (np.array([one[side] for one in logs], dtype=np.float32) for side in (0, 1))
    first, last, score = best_span(start, end)
    assert 0 <= last - first < LONGEST_SPAN
    sums = [start[a] + end[b] for a in range(len(logs)) for b in range(a, min(len(logs), a + LONGEST_SPAN))]
    assert score == max(sums) == start[first] + end[last]


def test_a_reader_begins_with_what_its_judge_knows() -> None:
    torch.manual_seed(5)
    judge = JudgeNetwork(tiny().encoder).eval()
    reader = from_judge(judge).eval()
    ids = torch.tensor([[101, 2054, 102, 2009, 2003, 102]])
    inputs = {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "token_type_ids": torch.tensor([[0, 0, 0, 1, 1, 1]]),
    }
    with torch.inference_mode():
        judged, read = judge(**inputs), reader(**inputs)
    assert read["null"] == pytest.approx(-judged["relevance"], abs=1e-5)
    order = [NLI_LABELS.index(name) for name in ("entailment", "contradiction", "neutral")]
    assert torch.allclose(read["decision"], judged["nli"][:, order], atol=1e-5)


def test_a_judge_can_begin_with_what_a_reader_knows(batcher: ReadingBatcher, tmp_path: Path) -> None:
    torch.manual_seed(5)
    judge = JudgeNetwork(tiny().encoder).eval()
    folder = exported(from_judge(judge).eval(), batcher, tmp_path, "fp32")
    card = json.loads((folder / "card.json").read_text())
    (folder / "card.json").write_text(json.dumps({**card, "kind": "reader"}))
    torch.manual_seed(99)
    other = JudgeNetwork(BertModel(judge.encoder.config, add_pooling_layer=False)).eval()
    put_weights(other, folder)
    inputs = only(batcher, *ROWS).inputs
    with torch.inference_mode():
        before, after = judge(**inputs), other(**inputs)
    for task in ("relevance", "nli"):
        assert torch.allclose(before[task], after[task], atol=1e-4)
    assert torch.allclose(after["usefulness"], after["relevance"])


def exported(network: ReaderNetwork, batcher: ReadingBatcher, folder: Path, precision: str) -> Path:
    import onnx

    batches = [batch.inputs for batch in batcher.batches(ROWS)]
    ranges = {name.removeprefix("encoder."): peak for name, peak in column_ranges(network, batches).items()}
    graph = reader_graph(weights_of(network), ranges, "fp32" if precision == "fp32" else "int8", shape=SHAPE)
    onnx.save(graph, str(folder / "model.onnx"))
    (folder / "tokenizer.json").write_bytes(TOKENIZER.read_bytes())
    (folder / "card.json").write_text(json.dumps({"fingerprint": fingerprint_of(folder)}))
    return folder


@pytest.mark.parametrize(("precision", "tolerance"), [("fp32", 1e-4), ("int8", 0.1)])
def test_the_exported_graph_says_what_the_network_says(
    batcher: ReadingBatcher, tmp_path: Path, precision: str, tolerance: float
) -> None:
    network = tiny().eval()
    encoder = OnnxEncoder(exported(network, batcher, tmp_path, precision), threads=1)
    batch = only(batcher, *ROWS)
    texts = [Tokens(window.tokens.ids, window.tokens.kinds) for window in batch.windows]
    found = dict(zip(OUTPUTS, encoder.columns(texts, OUTPUTS, deadline=float("inf")), strict=True))
    with torch.inference_mode():
        expected = network(**batch.inputs)
    for number, window in enumerate(batch.windows):
        length = len(window.tokens.ids)
        for name in OUTPUTS:
            values, right = found[name][number], expected[name][number].numpy()
            told_by_token = name in ("start", "end")
            assert np.allclose(values, right[:length] if told_by_token else right, atol=tolerance)


def test_the_reader_of_an_export_reads_what_torch_reads(batcher: ReadingBatcher, tmp_path: Path) -> None:
    network = tiny().eval()
    folder = exported(network, batcher, tmp_path, "fp32")
    identity = ReaderCalibration.identity(fingerprint_of(folder))
    reader = OnnxReader(folder, threads=1, calibration=identity, self_testing=False)
    assert parity(network, batcher, reader, ROWS) == {"same_span": 1.0, "same_none": 1.0}
    with torch.inference_mode():
        exact = read_with(network, batcher, ROWS)
    ours = reader.read([(one.question, shown(one)) for one in ROWS], deadline=float("inf"))
    for one, (text, margin, decided), found in zip(ROWS, exact, ours, strict=True):
        best = found.spans[0]
        assert shown(one)[best.start : best.end] == text
        assert best.margin == pytest.approx(margin, abs=1e-3)
        assert decided == int(np.argmax([found.yes, found.no, found.undecided]))


@pytest.mark.parametrize(("precision", "tolerance"), [("fp32", 1e-5), ("int8", 0.1)])
def test_an_exported_reader_can_be_read_back(
    batcher: ReadingBatcher, tmp_path: Path, precision: str, tolerance: float
) -> None:
    network = tiny().eval()
    folder = exported(network, batcher, tmp_path, precision)
    torch.manual_seed(99)
    other = ReaderNetwork(BertModel(network.encoder.config, add_pooling_layer=False)).eval()
    restore(other, folder)
    batch = only(batcher, *ROWS)
    with torch.inference_mode():
        exact, read = network(**batch.inputs), other(**batch.inputs)
    for name in OUTPUTS:
        assert torch.allclose(exact[name], read[name], atol=tolerance)


@pytest.mark.parametrize("bfloat16", [False, True])
def test_training_learns_resumes_and_is_scored(batcher: ReadingBatcher, tmp_path: Path, bfloat16: bool) -> None:
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    spans = [replace(row(), key=f"{number}") for number in range(6)]
    sets = {"spans": spans, "none": [row("none")] * 6, "polar": [row("yes"), row("no"), row("undecided")] * 2}
    plan = Plan(steps=6, learning_rate=3e-3, token_budget=512, check_every=3, bfloat16=bfloat16)

    def trainer() -> ReaderTrainer:
        network = tiny()
        freeze(network)
        return ReaderTrainer(network, tokenizer, plan, tmp_path)

    first = trainer()
    state = first.run(sets, {}, sets)
    assert state.step == 6
    assert set(first.scores(sets)) == {"spans F1", "polar decided", "none"}
    assert first.scores({"polar": sets["polar"]})["none"] == 0.0
    assert (tmp_path / "best.pt").is_file()
    again = trainer()
    assert again.resume()
    assert again.state.step == 6


def test_a_loss_falls_when_it_is_learned(batcher: ReadingBatcher) -> None:
    network = tiny()
    batch = only(batcher, *ROWS)
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    losses = []
    for _ in range(6):
        loss = reading_loss(network(**batch.inputs), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0]
