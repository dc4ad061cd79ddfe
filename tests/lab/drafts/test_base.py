"""A judge in torch and as its exported graph, on a network of a few numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

import onnx  # noqa: E402

from tests.lab.drafts.small import PREMISE, STATEMENTS, Kind, batcher, examples, statement, tiny, tokenizer  # noqa: E402
from veridic.models.calibration import Calibration  # noqa: E402
from veridic.models.cross_encoder import OnnxJudge  # noqa: E402
from veridic_lab.drafts.batches import length_batches  # noqa: E402
from veridic_lab.drafts.entailing import entailed  # noqa: E402
from veridic_lab.drafts.examples import Example  # noqa: E402
from veridic_lab.drafts.exporting import shape_of, weights_of  # noqa: E402
from veridic_lab.drafts.graph import base_graph, named_like_bert  # noqa: E402
from veridic_lab.drafts.learning import Learning  # noqa: E402
from veridic_lab.drafts.losses import loss_of  # noqa: E402
from veridic_lab.drafts.network import BaseJudge, encoder_of  # noqa: E402
from veridic_lab.training.onnx_graph import Precision  # noqa: E402
from veridic_lab.training.ranges import column_ranges  # noqa: E402
from veridic_lab.training.ship import write_card  # noqa: E402


@pytest.fixture(scope="module", params=["mpnet", "bert"])
def kind(request: pytest.FixtureRequest) -> Kind:
    found: Kind = request.param
    return found


@pytest.fixture(scope="module")
def judge(kind: Kind) -> BaseJudge:
    return tiny(kind)


def test_what_is_said_of_a_statement_does_not_depend_on_those_beside_it(judge: BaseJudge, kind: Kind) -> None:
    together = entailed(judge, batcher(kind), [statement(text) for text in STATEMENTS])
    alone = [entailed(judge, batcher(kind), [statement(text)])[0] for text in STATEMENTS]
    assert together == pytest.approx(alone, abs=1e-6)
    assert len({round(float(one), 6) for one in alone}) == len(STATEMENTS)


def test_the_statements_of_a_question_lie_in_one_row_and_wrong_words_are_marked(kind: Kind) -> None:
    wrong = statement(STATEMENTS[1], label=3, wrong=(18, 21))
    [batch] = batcher(kind).batches([statement(STATEMENTS[0]), wrong])
    assert batch.input_ids.shape[0] == 1
    marked = [int(one) for one in batch.input_ids[0][batch.marks[1] == 1]]
    assert [tokenizer(kind).id_to_token(one) for one in marked] == ["ten"]


def test_batches_hold_every_index_once_and_stay_in_budget() -> None:
    lengths = [5, 300, 20, 7, 7, 64, 64, 1000]
    batches = list(length_batches(lengths, 256))
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    assert all(len(b) == 1 or max(lengths[i] for i in b) * len(b) <= 256 for b in batches)


def test_every_head_has_a_loss_that_falls_when_it_is_followed(kind: Kind) -> None:
    network = tiny(kind).train()
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-2)
    losses = []
    for _ in range(12):
        found = [loss_of(network(**batch.inputs), batch) for batch in batcher(kind).batches(examples())]
        loss = torch.stack(found).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.5 * losses[0]


def test_learning_goes_on_where_it_stopped_and_keeps_the_best(kind: Kind, tmp_path: Path) -> None:
    seen = examples()
    first = Learning(tiny(kind), batcher(kind), tmp_path, rate=1e-3, steps=4)
    first.learn(first.batcher.batches(seen), minutes=1.0, check=lambda: {"auc": 0.7})
    again = Learning(tiny(kind), batcher(kind), tmp_path, rate=1e-3, steps=4)
    again.resume()
    assert (again.step, again.pairs, again.best) == (first.step, len(seen), 0.7)
    best = torch.load(tmp_path / "best.pt", weights_only=True)
    again.learn(again.batcher.batches(seen), minutes=1.0, check=lambda: {"auc": 0.6})
    assert again.step == 2 * first.step
    kept = torch.load(tmp_path / "best.pt", weights_only=True)
    assert all(torch.equal(kept[name], value) for name, value in best.items())
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 2


def test_of_an_encoder_in_a_folder_the_lowest_layers_are_kept(kind: Kind, tmp_path: Path) -> None:
    tiny(kind).encoder.save_pretrained(tmp_path)
    assert len(encoder_of(tmp_path, 1).encoder.layer) == 1
    assert len(encoder_of(tmp_path, 0).encoder.layer) == 2


@pytest.mark.parametrize(("precision", "near"), [("fp32", 1e-4), ("int8", 0.05)])  # half precision of distances
def test_the_exported_graph_says_what_torch_says(
    judge: BaseJudge, kind: Kind, tmp_path: Path, precision: Precision, near: float
) -> None:
    tokenizer(kind).save(str(tmp_path / "tokenizer.json"))
    ranges = column_ranges(judge, [batch.inputs for batch in batcher(kind).batches(examples())])
    weights, ranges = named_like_bert(weights_of(judge)), named_like_bert(ranges)
    graph = base_graph(weights, ranges, shape_of(judge), precision=precision, read=0.5)
    onnx.save(graph, str(tmp_path / "model.onnx"))
    card = write_card(tmp_path, name="tiny", kind="base judge", heads=["relevance", "nli", "words"])
    Calibration.identity(card["fingerprint"]).write(tmp_path / "calibration.json")
    exported = OnnxJudge(tmp_path, self_testing=False)
    stated = [statement(text) for text in STATEMENTS]
    rows = [{"first": one.premise, "second": one.own} for one in stated]
    ours = exported.raw_probabilities("nli", rows)[:, 0]
    assert np.allclose(ours, entailed(judge, batcher(kind), stated), atol=near)
    passage = Example(PREMISE, question="when", reads=True)
    [batch] = batcher(kind).batches([passage])
    with torch.inference_mode():
        said = judge(**batch.inputs)
    margin = said["start"].max() + said["end"].max() - 2 * said["null"]
    [scored] = exported.logits([("when", PREMISE)], "relevance", deadline=float("inf"))
    assert np.allclose(scored.rows, float(said["relevance"] + 0.5 * margin), atol=10 * near), (
        "relevance hears the reader"
    )
    if precision == "fp32":
        [scored] = exported.logits([(PREMISE, STATEMENTS[0])], "nli", deadline=float("inf"))
        [batch] = batcher(kind).batches(stated[:1])
        with torch.inference_mode():
            words = judge(**batch.inputs)["words"][0][batch.own[0] == 1][:-1]
        assert bool(scored.doubtful[0]) is bool((words > 0).any())
