"""Tables that compare: where a row holds values of one kind and a column does not, a column is a thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.knowledge.test_readers import blocks, read
from tests.knowledge.test_tables import FORMATS, told
from veridic.knowledge.readers.orientation import describes_columns, turned

SCANNERS = (
    ("Property", "PX-300", "PX-300 Pro"),
    ("Weight", "310 g", "365 g"),
    ("Memory", "8 GB", "32 GB"),
    ("Colour", "grey", "black"),
)
TOLD = [
    "PX-300: Weight is 310 g. PX-300: Memory is 8 GB. PX-300: Colour is grey.",
    "PX-300 Pro: Weight is 365 g. PX-300 Pro: Memory is 32 GB. PX-300 Pro: Colour is black.",
]


@pytest.mark.parametrize("name", FORMATS)
def test_a_comparison_is_told_by_what_it_compares(name: str) -> None:
    assert told(name, FORMATS[name](SCANNERS, header=True)) == TOLD


@pytest.mark.parametrize(("name", "place"), [("a.md", "lines 3-7"), ("a.csv", "rows 1-4")])
def test_what_is_told_of_a_column_stands_in_all_its_rows(name: str, place: str) -> None:
    table = FORMATS["a.md"](SCANNERS, header=True).decode()
    page = f"# T\n\n{table}" if name == "a.md" else "\n".join(map(",".join, SCANNERS))
    assert [(where, text) for _, where, text in blocks(read(name, page))] == [(place, text) for text in TOLD]


@pytest.mark.parametrize(
    "table",
    [
        "|Basic|Team;Storage|5 GB|1 TB;Price|€3|€29;Upload|100 MB|2 GB",
        "Drill|D-20|D-40|D-60;Weight|1.2 kg|1.8 kg|2.4 kg;Top speed|900 rpm|1,200 rpm|;Case|no|yes|yes",
        "Lake|Upper|Lower;Surface (ha)|41|118;Depth (m)|63|29",
        "|2019|2020;Revenue|3.2 million|3.4 million;Exports|42 %|45 %",
        "|grew from|to;Ridge|2 m|5 m;Wood|1 ha, 3 ha|4 ha, 6 ha",
    ],
)
def test_its_things_are_in_columns_where_rows_are_of_a_kind(table: str) -> None:
    columns, *rows = cells(table)
    assert describes_columns(columns, rows)
    assert not describes_columns(*turned(columns, rows)), "the other way round"


@pytest.mark.parametrize(
    "table",
    [
        "Plan|Price|Storage;Harbour|12 euros|20 GB;Lagoon|75 euros|2 TB",
        "City|2019|2020;Oslo|681,000|693,000;Bergen|283,000|285,000",
        "Course|Begins|Ends;Pottery|3 May|28 May;Weaving|1 June|30 June",
        "Plan|2023|2024;Harbour|30|40;Lagoon|free|free",
        "Plan|2023|2024;Harbour|30|40",
        "Project|Used|Quota;Falcon|3 GB|10 GB;Heron|1 TB|2 TB;Osprey|200 MB|500 MB",
        "Part|Length (cm)|Weight (kg);Axle|120|14;Wheel|48|3",
        "Room|Window|Door;Birch|north|east;Oak|south|west",
        "Field|Default|Bounds;Port|8080|;Retries|2|",
        "System|Right|Silent;Closed|0.01, 0.20|0.90, 0.54;Open|0.22, 0.23, 0.24|0.40, 0.40, 0.31",
        "Sign|Meaning;Weight|310 g;Memory|8 GB",
        "Property||;Weight|310 g|365 g;Memory|8 GB|32 GB",
        "Property|PX|PX;Weight|310 g|365 g;Memory|8 GB|32 GB",
    ],
)
def test_every_other_table_has_a_thing_in_each_row(table: str) -> None:
    columns, *rows = cells(table)
    assert not describes_columns(columns, rows)


def cells(table: str) -> list[list[str]]:
    return [row.split("|") for row in table.split(";")]


@given(st.lists(st.lists(st.text("ab1", max_size=3), min_size=1, max_size=4), min_size=1, max_size=5))
def test_what_is_turned_twice_is_as_it_was(rows: list[list[str]]) -> None:
    width = max(map(len, rows))
    full = [row + [""] * (width - len(row)) for row in rows]
    columns, things = turned(rows[0], rows[1:])
    assert turned(columns, things) == (full[0], full[1:])
