"""Tavily's `/search` over the same pages."""

import json
from collections.abc import Mapping
from typing import Any

from veridic.text.questions import keywords
from veridic_lab.evaluation.world.corpus import Corpus, WorldPage

_SNIPPET = 600


def answer(corpus: Corpus, body: bytes, headers: Mapping[str, str], base: str) -> tuple[int, dict[str, Any]]:
    """Status and JSON: 401 without a bearer token or the keyless mode, 400 without a query, otherwise results."""
    if not _admitted(headers):
        return 401, {"detail": {"error": "Unauthorized: missing or invalid API key."}}
    try:
        asked = json.loads(body)
        query = str(asked["query"])
    except (ValueError, LookupError, TypeError):
        return 400, {"detail": {"error": "Query is missing."}}
    most = min(20, int(asked.get("max_results") or 5))
    found = corpus.search(" OR ".join(keywords(query)), limit=most)
    full = bool(asked.get("include_raw_content"))
    results = [_result(page, rank, full, base) for rank, page in enumerate(found)]
    return 200, {"query": query, "answer": None, "images": [], "results": results, "response_time": 0.0}


def _admitted(headers: Mapping[str, str]) -> bool:
    authorization = headers.get("Authorization") or ""
    if headers.get("X-Tavily-Access-Mode") == "keyless":
        return not authorization
    return authorization.startswith("Bearer ") and authorization != "Bearer revoked"


def _result(page: WorldPage, rank: int, full: bool, base: str) -> dict[str, Any]:
    return {
        "title": page.title,
        "url": page.url or f"{base}/page/{page.page_id}",
        "content": page.text[:_SNIPPET],
        "score": 1 / (rank + 1),
        "raw_content": page.text if full else None,
    }
