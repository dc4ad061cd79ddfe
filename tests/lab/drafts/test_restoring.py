"""A judge that comes back from its exported file: it says what the file says."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("onnx")

import onnx  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

from tests.lab.drafts.small import STATEMENTS, Kind, batcher, examples, statement, tiny  # noqa: E402
from veridic.errors import UsageError  # noqa: E402
from veridic.models.by_settings import base_folder  # noqa: E402
from veridic_lab.drafts.batches import Batcher  # noqa: E402
from veridic_lab.drafts.entailing import entailed, probabilities  # noqa: E402
from veridic_lab.drafts.examples import Example  # noqa: E402
from veridic_lab.drafts.exporting import shape_of, weights_of  # noqa: E402
from veridic_lab.drafts.graph import base_graph, named_like_bert  # noqa: E402
from veridic_lab.drafts.network import BaseJudge  # noqa: E402
from veridic_lab.drafts.restoring import restored  # noqa: E402
from veridic_lab.training.onnx_graph import Precision  # noqa: E402
from veridic_lab.training.ranges import column_ranges  # noqa: E402


def exported(judge: BaseJudge, kind: Kind, folder: Path, precision: Precision = "int8") -> Path:
    ranges = column_ranges(judge, [batch.inputs for batch in batcher(kind).batches(examples())])
    weights, own = named_like_bert(weights_of(judge)), named_like_bert(ranges)
    onnx.save(base_graph(weights, own, shape_of(judge), precision=precision), str(folder / "model.onnx"))
    return folder


def test_every_weight_comes_back(tmp_path: Path) -> None:
    judge = tiny("mpnet")
    back = restored(exported(judge, "mpnet", tmp_path, "fp32")).state_dict()
    assert back.keys() == judge.state_dict().keys()
    for name, weight in judge.state_dict().items():
        told = weight[: len(back[name])]
        kept = torch.where(back[name] == 0, told, back[name])  # places and distances that no row of the file has
        assert torch.allclose(kept, told, atol=1e-4), name
        assert (back[name] == 0).float().mean() < 0.1 or not told.any(), name


def test_it_judges_as_before_and_longer_rows_have_the_encoders_places(tmp_path: Path) -> None:
    judge = tiny("mpnet")
    judge.encoder.save_pretrained(tmp_path / "encoder")
    stated = [statement(text) for text in STATEMENTS]
    folder = exported(judge, "mpnet", tmp_path)
    before = entailed(judge, batcher("mpnet"), stated)
    for encoder, places in ((None, 258), (tmp_path / "encoder", 512)):
        back = restored(folder, encoder)
        assert back.encoder.config.max_position_embeddings == places
        assert np.allclose(entailed(back, batcher("mpnet"), stated), before, atol=0.02)
    last = "encoder.embeddings.position_embeddings.weight"
    assert torch.equal(back.state_dict()[last][-1], judge.state_dict()[last][-1])
    judge.load_state_dict(back.state_dict())  # as training begins


def test_a_judge_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="MPNet"):
        restored(exported(tiny("bert"), "bert", tmp_path))


def test_the_base_judge_that_ships_says_in_torch_what_its_file_says() -> None:
    folder = base_folder()
    if folder is None:
        pytest.skip("the base judge is not installed")
    rows = json.loads((folder / "selftest.json").read_text(encoding="utf-8"))["nli"]
    stated = [Example(row["second"], premise=row["first"]) for row in rows]
    said = probabilities(restored(folder), Batcher(Tokenizer.from_file(str(folder / "tokenizer.json"))), stated)
    gap = np.abs(said - np.array([row["expected"] for row in rows]))
    assert gap.mean() < 0.03
    assert gap.max() < 0.15
