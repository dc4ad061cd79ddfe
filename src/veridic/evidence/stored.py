"""A stored result as claims with the quotes they rest on. It is input from outside: its shape is looked at first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from veridic.errors import InvalidResult
from veridic.ports.file_limits import LONGEST_TEXT
from veridic.ports.shapes import SCHEMA_VERSION, Citation, Passage, Result, Sentence, Strip, Verdict
from veridic.ports.shapes.checking import CHECK_VERSION, CheckResult, CheckVerdict
from veridic.text.assertions import NoStatement

LARGEST = 100_000_000
"""Bytes of a stored result, at most."""
VERDICTS: Mapping[Verdict, CheckVerdict] = {
    "supported": "supported",
    "partly": "not_found",
    "contradicted": "contradicted",
    "unsupported": "not_found",
    "unverified": "unverified",
}


@dataclass(frozen=True)
class StoredClaim:
    """A claim, what it was judged to be, and its quotes; `question` where it answers one."""

    text: str
    verdict: CheckVerdict
    citations: list[Citation]
    headings: Mapping[tuple[str, int], str]
    """Of the passages a result keeps, by document and offset of a quote."""
    question: str = ""


@dataclass(frozen=True)
class Stored:
    """A stored result."""

    kind: Literal["answer", "check"]
    run_id: str
    claims: list[StoredClaim]


class _Head(TypedDict, total=False):
    """What tells the kinds of results apart."""

    schema_version: int
    answer: Any
    text: Any


_HEAD, _ANSWER, _CHECK = TypeAdapter(_Head), TypeAdapter(Result), TypeAdapter(CheckResult)


def stored_result(content: bytes) -> Stored:
    """The claims of a result of `veridic ask --json` or `veridic check --json`. Raises `InvalidResult`."""
    if len(content) > LARGEST:
        raise InvalidResult(f"The result has more than {LARGEST:,} bytes.", "Give one that Veridic printed.")
    head = _read(_HEAD, content)
    is_check = "text" in head and "answer" not in head
    known, what = (CHECK_VERSION, "check") if is_check else (SCHEMA_VERSION, "ask")
    if head.get("schema_version") != known:
        raise InvalidResult(
            f"The result has schema version {head.get('schema_version')!r}, and version {known} is read.",
            f"Make it again with `veridic {what} --json`.",
        )
    found = _checked(_read(_CHECK, content)) if is_check else _answered(_read(_ANSWER, content))
    if any(len(text) > LONGEST_TEXT for one in found.claims for text in (one.text, *_quotes(one))):
        raise InvalidResult(
            f"The result has a sentence or quote of more than {LONGEST_TEXT:,} characters.",
            "Give one that Veridic printed.",
        )
    return found


def _read(adapter: TypeAdapter[Any], content: bytes) -> Any:  # noqa: ANN401 - of the adapter's own type
    try:
        return adapter.validate_json(content)
    except (ValidationError, ValueError) as error:
        raise InvalidResult(
            f"It is no result of ours: {_first(error)}.", "Give what `--json` printed, or an export that ends in .json."
        ) from error


def _first(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return type(error).__name__
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"])) or "the document"
    return f"{where[:100]}: {first['msg'][:200].rstrip('.')}"


def _quotes(claim: StoredClaim) -> Iterator[str]:
    return (citation["quote"] for citation in claim.citations)


def _checked(result: CheckResult) -> Stored:
    """What states nothing is left out, as it is where a text is judged."""
    claims = [
        StoredClaim(one["text"], one["verdict"], one["citations"], {})
        for one in result["claims"]
        if one["reason"] not in get_args(NoStatement)
    ]
    return Stored("check", result["run_id"], claims)


def _answered(result: Result) -> Stored:
    headings = {
        (passage["document_id"], at): passage["heading"]
        for passage in result["documents"]
        for one in result["sentences"]
        for at in (citation["start"] for citation in _cited(one, result))
        if passage["start"] <= at < passage["end"]
    }
    claims = [claim for one in result["sentences"] for claim in _of_sentence(one, result, headings)]
    return Stored("answer", result["run_id"], claims)


def _of_sentence(sentence: Sentence, result: Result, headings: Mapping[tuple[str, int], str]) -> Iterator[StoredClaim]:
    question = result["standalone"]
    if sentence["verdict"] != "partly":
        verdict, cited = VERDICTS[sentence["verdict"]], _cited(sentence, result)
        yield StoredClaim(sentence["text"], verdict, cited, headings, question)
        return
    for claim in sentence["claims"]:
        verdict = "supported" if claim["supported"] else "not_found"
        yield StoredClaim(claim["text"], verdict, claim["citations"], headings, question)


def _cited(sentence: Sentence, result: Result) -> list[Citation]:
    """What a sentence rests on; in place of a span that was read the sentences it was read in."""
    cited = [*sentence["citations"], *(one for claim in sentence["claims"] for one in claim["citations"])]
    return list({(one["document_id"], one["start"]): one for span in cited for one in _around(span, result)}.values())


def _around(cited: Citation, result: Result) -> list[Citation]:
    read = next((one for one in result["readings"] if one["span"] == cited and one["sentence"]), None)
    return [read["sentence"], *read["also"]] if read and read["sentence"] else [cited]


def strips_of(claim: StoredClaim) -> list[Strip]:
    """The quotes of a claim as evidence."""
    return [_strip(one, claim.headings.get((one["document_id"], one["start"]), "")) for one in claim.citations]


def _strip(citation: Citation, heading: str) -> Strip:
    start, quote = citation["start"], citation["quote"]
    passage = Passage(
        id=f"{citation['document_id']}:{start}",
        document_id=citation["document_id"],
        kind=citation["kind"],
        source="stored",
        title=citation["title"],
        heading=heading,
        url=citation["url"],
        location=citation["location"],
        text=quote,
        start=start,
        end=start + len(quote),
        retrieved_at=citation["retrieved_at"],
        found_by="",
        score=None,
    )
    return Strip(passage=passage, text=quote, start=start, end=start + len(quote), score=None, kept=True)
