import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from veridic.settings import Settings
from veridic_lab.evaluation.world import Served, World

WARSAW = """Warsaw is the capital and the largest city of Poland, on the river Vistula.

== History ==
The first fortified settlements on the site were Bródno and Jazdów in the ninth century.

=== Commerce ===
The Warsaw chamber of commerce was founded in 1857 and closed in 1950 by the government.

== References ==
Chamber of commerce, Warsaw, founded, 1857: a list of works cited that is no prose."""

ROWS = [
    {"id": "p1", "title": "Warsaw", "text": WARSAW},
    {
        "id": "p2",
        "title": "Mercury",
        "text": "Mercury may refer to:",
        "may_refer_to": ["Mercury (planet)", "Mercury (element)"],
    },
    {"id": "p3", "title": "Mercury (planet)", "text": "The smallest planet, which goes round the Sun in 88 days."},
    {"id": "p4", "title": "Mercury (element)", "text": "A chemical element, the liquid metal once called quicksilver."},
    {"id": "p5", "title": "Varsovia", "text": "", "redirect_to": "Warsaw"},
    {
        "id": "1706.03762",
        "title": "Attention Is All You Need",
        "text": "The Transformer is based solely on attention mechanisms,\ndispensing with recurrence.",
        "authors": ["Ashish Vaswani", "Noam Shazeer"],
        "published": "2017-06-12T17:57:34Z",
    },
    {
        "id": "p6",
        "title": "Glacier",
        "text": " ".join(f"Glaciers move over rock in year {n}." for n in range(1000, 1200)),
    },
]

SOON = 10.0


@pytest.fixture
def deadline() -> float:
    return time.time() + SOON


@pytest.fixture
def served() -> Iterator[Served]:
    with World(ROWS).serve() as world:
        yield world


@pytest.fixture
def settings(served: Served, tmp_path: Path) -> Settings:
    return settings_for(served, cache=tmp_path)


def settings_for(served: Served, **changed: object) -> Settings:
    given = {
        "wikipedia_url": f"{served.url}/w/api.php",
        "arxiv_url": f"{served.url}/arxiv/api/query",
        "tavily_url": served.url,
        "tavily_api_key": "tvly-secret",
        "allow_hosts": (served.host_port,),
    }
    return Settings.load(**{**given, **changed})
