"""The files that put it on many machines: each is valid, names what there is, and holds no secret."""

import re
import shlex
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import kubernetes_validate
import pytest
import yaml
from starlette.applications import Starlette
from starlette.testclient import TestClient

from veridic.cli.app import Commands
from veridic.server.app import app
from veridic.server.batching import Batcher
from veridic.server.judge_service import judges_app
from veridic.server.metrics import Metrics
from veridic.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
FILES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
VERSIONS = ("1.31", kubernetes_validate.latest_version())
FIRST_START = (DEPLOY / "postgres/first-start.sh").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SETTINGS = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}
OTHERS = {"PGPASSWORD", "POSTGRES_PASSWORD", "DATABASE_PASSWORD"}
"""What libpq and the image of PostgreSQL read, and what makes the role."""
OBJECTS = [one for path in FILES for one in yaml.safe_load_all(path.read_text(encoding="utf-8"))]
WORKLOADS = {
    one["metadata"]["name"]: one["spec"]["template"]["spec"] for one in OBJECTS if "template" in one.get("spec", {})
}
COMMANDS = [
    *(pod["containers"][0]["command"] for pod in WORKLOADS.values() if "command" in pod["containers"][0]),
    *(one["command"] for one in COMPOSE["services"].values() if one["command"][0] == "veridic"),
]


def environment() -> Iterator[tuple[str, Any]]:
    """Each name of an environment, with its value or where it comes from."""
    for pod in WORKLOADS.values():
        for one in pod["containers"][0].get("env", []):
            yield one["name"], one.get("value", one.get("valueFrom"))
    for service in COMPOSE["services"].values():
        yield from service.get("environment", {}).items()


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_manifest_is_valid(path: Path, version: str) -> None:
    objects = list(yaml.safe_load_all(path.read_text(encoding="utf-8")))
    assert objects
    for one in objects:
        kubernetes_validate.validate(one, version, strict=True)
        assert one["kind"] == "Namespace" or one["metadata"]["namespace"] == "veridic"


@pytest.mark.parametrize("pod", WORKLOADS.values(), ids=WORKLOADS)
def test_a_pod_may_do_no_more_than_it_needs(pod: dict[str, Any]) -> None:
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False, "a Service's name in the environment may look like a setting"
    assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]
    assert {one["name"] for one in container["volumeMounts"]} <= {
        *(one["name"] for one in pod["volumes"]),
        "database",
    }


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_a_service_of_compose_may_do_no_more_than_it_needs(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["cap_drop"] == ["ALL"]
    assert service["read_only"] is True
    assert "no-new-privileges:true" in service["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert name.startswith("serve") or service["networks"] == ["inside"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_every_name_of_the_environment_is_read_by_something() -> None:
    named = {name for name, _ in environment()}
    assert named <= SETTINGS | OTHERS
    assert {"VERIDIC_KB", "VERIDIC_JUDGES", "VERIDIC_API_KEYS"} <= named


def test_no_secret_stands_in_a_file() -> None:
    secret = [value for name, value in environment() if re.search("PASSWORD|JUDGES_KEY$|API_KEY$|SECRET|TOKEN", name)]
    assert len(secret) > len(OTHERS)
    for value in secret:
        asked_for = re.fullmatch(r"\$\{[A-Z_]+:\?.+\}", value) if isinstance(value, str) else value["secretKeyRef"]
        assert asked_for
    assert not any(one["kind"] == "Secret" for one in OBJECTS)
    assert not any(re.search(r"//\w+:", str(value)) for name, value in environment() if name == "VERIDIC_KB")


@pytest.mark.parametrize("words", COMMANDS, ids=shlex.join)
def test_every_command_is_one(words: list[str]) -> None:
    program, name, *rest = words
    assert program == "veridic"
    command = Commands()[name]
    if name == "judges":
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context(name, rest)


@pytest.mark.parametrize("name", ["serve", "judges"])
def test_probes_ask_for_a_route_that_is_there(name: str) -> None:
    (container,) = WORKLOADS[name]["containers"]
    asked = {"serve": app, "judges": judges()}[name]
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert str(ports["http"]) in container["command"]
    for kind in ("startupProbe", "readinessProbe", "livenessProbe"):
        probe = container[kind]["httpGet"]
        assert probe["port"] in ports
        assert TestClient(asked).get(probe["path"]).status_code in (200, 503)


def judges() -> Starlette:
    """The judge service with nothing that judges."""
    batcher = cast("Batcher", SimpleNamespace(submit=lambda *_words, **_bounds: Future[list[Any]](), runs=True))
    return judges_app(Settings(judges="small"), batcher, Metrics())


@pytest.mark.parametrize(("name", "service"), [("serve", "serve-a"), ("worker", "worker")])
def test_what_ends_is_given_longer_than_it_gives_what_it_has_in_hand(name: str, service: str) -> None:
    pod = WORKLOADS[name]
    (container,) = pod["containers"]
    grace = int(container["command"][container["command"].index("--grace") + 1])
    sleep = int(container["lifecycle"]["preStop"]["exec"]["command"][1]) if "lifecycle" in container else 0
    assert sleep + grace < pod["terminationGracePeriodSeconds"]
    assert f"{pod['terminationGracePeriodSeconds']}s" == COMPOSE["services"][service]["stop_grace_period"]
    assert COMPOSE["services"][service]["command"] == container["command"]


def test_what_is_named_is_there() -> None:
    services = {one["metadata"]["name"]: one["spec"] for one in OBJECTS if one["kind"] == "Service"}
    labels = {
        one["metadata"]["name"]: one["spec"]["template"]["metadata"]["labels"]
        for one in OBJECTS
        if one["metadata"]["name"] in WORKLOADS and "template" in one.get("spec", {})
    }
    assert all(spec["selector"] == labels[name] for name, spec in services.items())
    values = dict(environment())
    assert values["VERIDIC_JUDGES"] in ("base", f"http://judges:{services['judges']['ports'][0]['port']}")
    assert re.fullmatch(r"postgresql://veridic@postgres/knowledge", values["VERIDIC_KB"])


def test_judges_and_database_are_reached_by_those_who_use_them_alone() -> None:
    rules = {one["metadata"]["name"]: one["spec"] for one in OBJECTS if one["kind"] == "NetworkPolicy"}
    assert rules["nothing-else"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    assert _who(rules["judges"]["ingress"]) == ["serve"]
    assert _who(rules["postgres"]["ingress"]) == ["serve", "ingest", "worker"]
    assert "egress" not in rules["judges"]
    assert "egress" not in rules["postgres"]


def _who(rules: list[dict[str, Any]]) -> list[str]:
    ((selector,),) = (rule["from"] for rule in rules)
    chosen = selector["podSelector"]
    return (
        chosen["matchExpressions"][0]["values"]
        if "matchExpressions" in chosen
        else list(chosen["matchLabels"].values())
    )


def test_the_role_is_made_by_the_same_text_everywhere() -> None:
    (made,) = (one["data"] for one in OBJECTS if one["kind"] == "ConfigMap")
    assert made["first-start.sh"] == FIRST_START
    assert (DEPLOY / "postgres/first-start.sh").stat().st_mode & 0o111, (
        "one that cannot be run is read by another shell"
    )
    images = {COMPOSE["services"]["postgres"]["image"], WORKLOADS["postgres"]["containers"][0]["image"]}
    assert len(images) == 1
    assert re.fullmatch(r"pgvector/pgvector:\d+\.\d+\.\d+-pg\d+", images.pop())
