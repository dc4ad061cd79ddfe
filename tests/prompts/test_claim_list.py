import json

import pytest

from veridic.prompts.splitting import CLAIMS_SCHEMA, listed_claims

ROWS = [{"sentence": 1, "claim": "The bridge is red."}, {"sentence": 2, "claim": " It is long. "}]


@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "```\n{}```", "\n {} \n"])
def test_a_reply_of_the_right_shape_is_read(fence: str) -> None:
    reply = fence.replace("{}", json.dumps({"claims": ROWS}))
    assert listed_claims(reply) == [(1, "The bridge is red."), (2, "It is long.")]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "The bridge is red.",
        '{"claims": [{"sentence": 1, "claim": "The brid',
        '{"claims": [{"sentence": "1", "claim": "Red."}]}',
        '{"claims": [{"sentence": true, "claim": "Red."}]}',
        '{"claims": [{"sentence": 1, "claim": 7}]}',
        '{"claims": [{"sentence": 1, "claim": " "}]}',
        '{"claims": [{"claim": "Red."}]}',
        '{"claims": "Red."}',
        '{"claims": null}',
        '["Red."]',
        "null",
        'Here: {"claims": []}',
    ],
)
def test_any_other_reply_lists_nothing(reply: str) -> None:
    assert listed_claims(reply) == []


def test_the_schema_has_the_title_that_providers_need() -> None:
    assert CLAIMS_SCHEMA["title"].isidentifier()
