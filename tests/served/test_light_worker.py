"""A worker whose judges are elsewhere: the whole of it, over a service in a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.served.hosts import EXAMPLES, Host, running
from tests.served.judging import forget_endpoints
from veridic.api.documents import ingest
from veridic.cli import main
from veridic.context import Context
from veridic.graph.builder import build_graph
from veridic.models.by_settings import load_ahead
from veridic.models.judges_by_name import rival_of, trial_of
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.models.opened import ENCODERS
from veridic.ports.shapes import Result
from veridic.resources import open_resources
from veridic.settings import Settings

KEY = "a-key-that-nobody-guesses-0123456789"
QUESTION = "When was the Halden Ridge Observatory founded, and by whom?"
TOLD = ("outcome", "answer", "short_answer", "confidence")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("worker")


@pytest.fixture(scope="module")
def host(folder: Path) -> Iterator[Host]:
    with running("judges", folder / "kb.sqlite", judges="small", judges_key=KEY, cache=str(folder / "there")) as there:
        yield there


@pytest.fixture
def worker(host: Host, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    monkeypatch.setattr("veridic.models.by_settings.base_folder", lambda: None)
    yield settings(folder, judges=host.url, judges_key=KEY)
    forget_endpoints()


def settings(folder: Path, **given: object) -> Settings:
    return Settings.load(
        kb=str(folder / "kb.sqlite"), docs="", model="extractive", write_back="off", cache=folder / "here", **given
    )


def asked(chosen: Settings) -> Result:
    loosely = Context(strictness="loose")
    result: Result = build_graph(open_resources(chosen)).invoke({"question": QUESTION}, context=loosely)["result"]
    return result


def test_it_opens_no_judge_and_answers_as_one_that_does(
    worker: Settings, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(EXAMPLES, settings=worker)
    ENCODERS.clear()
    opened, open_one = set[Path](), OnnxEncoder._opened

    def told(encoder: OnnxEncoder) -> object:
        opened.add(encoder.folder)
        return open_one(encoder)

    monkeypatch.setattr(OnnxEncoder, "_opened", told)
    load_ahead(worker)
    there = asked(worker)
    assert opened == {SHIPPED / "embedder"}
    here = asked(settings(folder, judges="small"))
    assert SHIPPED / "judge" in opened
    assert [there[name] for name in TOLD] == [here[name] for name in TOLD]  # type: ignore[literal-required]
    assert there["outcome"] in ("accepted", "corrected", "partial")


def test_the_trial_figure_of_the_service_is_told_with_a_result(worker: Settings, folder: Path) -> None:
    assert not open_resources(worker).trials
    own = Settings(judges="small", cache=folder / "there")
    found = trial_of(own).hold(rival_of(own))
    assert dict(open_resources(worker).trials) == {"small": found.figure}


def test_the_service_is_ready_and_lets_in_who_has_the_key(host: Host) -> None:
    assert httpx.get(f"{host.url}/metrics").status_code == 401
    assert "veridic_judges_waiting 0.0" in httpx.get(f"{host.url}/metrics", headers={"x-api-key": KEY}).text


def test_it_is_not_served_to_other_machines_without_a_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["veridic", "judges", "serve", "--host", "0.0.0.0"])  # noqa: S104
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "Set VERIDIC_JUDGES_KEY" in capsys.readouterr().err
