"""What a run does, told to OpenTelemetry's API alone: spans, and what stands in their attributes.

Without an SDK in the process, or with one that is switched off, a span is nothing and costs next to nothing. Attributes
have the names of OpenTelemetry's conventions for generative AI where there is one, else ours, `veridic.*`. No text
stands in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from opentelemetry import trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.util.types import AttributeValue

if TYPE_CHECKING:
    from veridic.ports.chat import Reply
    from veridic.ports.shapes import Passage, Result
    from veridic.ports.shapes.checking import CheckResult
    from veridic.state import StateUpdate

Attributes = Mapping[str, AttributeValue]

TRACER = trace.get_tracer("veridic")
"""Looks for the process's tracer provider at the first span, so that one set up after this import counts."""
TOLD = ("action", "attempt", "retries", "stopped_by", "outcome")
"""Channels whose value is told as it is, where it is one."""
UNCOUNTED = ("messages", "path")
USED = {
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
    "calls": "veridic.usage.calls",
    "judged_pairs": "veridic.usage.judged_pairs",
}


REQUESTED = {"max_tokens": "gen_ai.request.max_tokens", "temperature": "gen_ai.request.temperature"}
BEST: Mapping[str, Callable[[Any], float]] = {
    "score": lambda verdict: verdict.probability,
    "usefulness": float,
    "judge": lambda verdict: verdict.entailment,
    "orders": float,
}
"""By the judge's method, what it says of one pair or text: that it helps, that it answers, that it follows, that it
gives orders."""


@contextmanager
def span(
    name: str, attributes: Attributes, *, kind: SpanKind = SpanKind.INTERNAL, passing: tuple[type[Exception], ...] = ()
) -> Iterator[Span]:
    """A span around a block, current within it, and in threads that copy its context.

    What the block raises passes through and is told by its class, never by its message; `passing` are no failures.
    """
    opened = TRACER.start_span(name, kind=kind, attributes=attributes)
    if not opened.get_span_context().is_valid:  # nothing traces
        yield opened
        return
    with trace.use_span(opened, end_on_exit=True, record_exception=False, set_status_on_exception=False):
        try:
            yield opened
        except passing:
            raise
        except Exception as error:
            failed(opened, error)
            raise


def tell(opened: Span, attributes: Callable[[], Attributes]) -> None:
    """Set attributes, made only where the span is recorded; such as cannot be made are missing: no run ends of it."""
    if opened.is_recording():
        with suppress(Exception):
            opened.set_attributes(attributes())


def failed(opened: Span, error: BaseException) -> None:
    """Tell that what a span is around failed."""
    opened.set_attribute("error.type", type(error).__name__)
    opened.set_status(StatusCode.ERROR)


def asked_of_chat(name: str, how: Mapping[str, Any]) -> dict[str, Any]:
    """A chat model and how it is asked."""
    provider, _, named = name.partition(":")
    asked = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider}
    asked["gen_ai.request.model"] = named or provider
    return asked | {told: how[given] for given, told in REQUESTED.items() if given in how}


def replied(reply: Reply) -> Attributes:
    """What a reply cost and why it ended."""
    return {
        "gen_ai.usage.input_tokens": reply.prompt_tokens,
        "gen_ai.usage.output_tokens": reply.completion_tokens,
        "gen_ai.response.finish_reasons": ["stop" if reply.finished else "length"],
    }


def judged(method: str, found: Sequence[Any]) -> Attributes:
    """The largest probability that a judge gave; of a reader in how many texts an answer may stand."""
    if method == "read":
        return {"veridic.judge.answers": sum(bool(one.spans) for one in found)}
    return {"veridic.judge.best": max(map(BEST[method], found))} if found else {}


def found_in(answer: Any, passages: Sequence[Passage]) -> Attributes:  # noqa: ANN401 - the search's own
    """What a search gave; of an outside place it is told too whether it came whole, and from where."""
    told: dict[str, Any] = {"veridic.retrieval.passages": len(passages)}
    if hasattr(answer, "discarded"):
        told["veridic.retrieval.discarded"] = len(answer.discarded)
        told |= {f"veridic.retrieval.{what}": getattr(answer, what) for what in ("cached", "complete")}
    return told


def of_update(update: StateUpdate) -> Attributes:
    """How many items each list has that a step wrote, empty ones aside, what it decided, and what it consumed."""
    values: dict[str, Any] = {name: getattr(value, "value", value) for name, value in update.items()}
    told: dict[str, Any] = {
        f"veridic.count.{name}": len(value)
        for name, value in values.items()
        if value and isinstance(value, list) and name not in UNCOUNTED
    }
    told |= {f"veridic.{name}": values[name] for name in TOLD if values.get(name) is not None}
    return {**told, **_used(values.get("usage", {}))}


def of_result(update: StateUpdate) -> Attributes:
    """What a run came to, if this step wrote it."""
    if "result" in update:
        return _answered(update["result"])
    return _checked(update["report"]) if "report" in update else {}


def _answered(result: Result) -> Attributes:
    told: dict[str, Any] = {
        "veridic.run_id": result["run_id"],
        "veridic.outcome": result["outcome"],
        "veridic.retries": result["retries"],
        "veridic.count.sentences": len(result["sentences"]),
        "veridic.count.documents": len(result["documents"]),
        "veridic.count.failures": len(result["failures"]),
        "veridic.count.sent": len(result["sources"]["sent"]),
        "veridic.write_back": bool(result["write_back"] and result["write_back"]["written"]),
        **_used(result["usage"]),
    }
    for name, value in (("confidence", result["confidence"]), ("stopped_by", result["stopped_by"])):
        if value is not None:
            told[f"veridic.{name}"] = value
    return told


def _checked(report: CheckResult) -> Attributes:
    counts = {f"veridic.count.{verdict}": number for verdict, number in report["counts"].items()}
    return {
        "veridic.run_id": report["run_id"],
        "veridic.outcome": report["outcome"],
        **counts,
        **_used(report["usage"]),
    }


def _used(usage: Mapping[str, Any]) -> Attributes:
    """Tokens, calls and judged pairs, as far as any were consumed."""
    return {told: usage[name] for name, told in USED.items() if usage.get(name)}
