"""The files that make the containers: what gets in, who runs it, where its state lies."""

import json
import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LET_IN = [
    line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")
]


def test_what_is_copied_is_let_in_and_there_and_nothing_else_is() -> None:
    copied = {
        name for line in re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE) for name in line.split()
    }
    assert copied <= set(LET_IN)
    assert set(LET_IN) - copied == {"langgraph.json"}, "the other image, LangGraph's own, needs this one"
    assert all((ROOT / name).exists() for name in LET_IN)
    assert not {"examples", "tests", "veridic.toml", ".env", "."} & set(LET_IN)


def test_the_base_judge_is_built_from_what_is_there() -> None:
    assert "--find-links /wheels" in DOCKERFILE
    assert re.search(r"pip wheel .*--wheel-dir /wheels \./judge-base", DOCKERFILE)


def test_nobody_is_root_and_all_state_is_in_the_volume() -> None:
    assert DOCKERFILE.index("\nUSER 10001\n") < DOCKERFILE.index("\nCMD ")
    assert "--uid 0" not in DOCKERFILE
    for name in ("KB", "API_KEYS", "CACHE"):
        assert re.search(rf"VERIDIC_{name}=/data/", DOCKERFILE)
    lines = "\n".join(json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["dockerfile_lines"])
    for name in ("KB", "API_KEYS", "CACHE"):
        assert f"VERIDIC_{name}=/data/" in lines
    assert "VOLUME /data" in lines


def test_compose_gives_the_container_no_more_than_it_needs() -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["veridic"]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert not any(re.search("KEY|SECRET|TOKEN", name) for name in service["environment"])
