"""Everything that can go wrong, as one tree beneath `VeridicError`; docs/reference/api.md draws it.

Every error says what is wrong (`problem`) and what to do (`mend`); `retryable` says whether the same call may succeed
when it is made again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, ClassVar, Literal

LONGEST_TOLD = 200
"""Characters of a foreign error's message that are told."""

NEAR = 0.6
"""Likeness, 0 to 1, of a name to one that may be meant."""

_SECRETS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(\w://)[^\s/@]*@"), r"\1"),
    (re.compile(r"(\w://[^\s?#'\"]*)[?#][^\s'\")]*"), r"\1"),
    (re.compile(r"(?i)\b(bearer|basic)\s+\S+"), r"\1 ***"),
    (re.compile(r"(?i)(\w*(?:key|token|secret|passw|pwd|credential)\w*['\"]?\s*(?:[=:]|provided:?)\s*)\S+"), r"\1***"),
    (re.compile(r"(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+=-]{20,}"), "***"),
)
"""What in a message may be a credential, and what is told in its place: users and queries of addresses, what follows
a word such as `key`, long runs of letters and digits."""


class VeridicError(Exception):
    """The root: catching it catches every failure that is ours."""

    retryable: ClassVar[bool] = False
    exit_status: ClassVar[int] = 1

    def __init__(self, problem: str, mend: str = "") -> None:
        """Keep both halves; `str(error)` is one line with both."""
        self.problem = " ".join(problem.split())
        self.mend = " ".join(mend.split())
        self.account: Mapping[str, Any] = {}
        """What the step of a run had consumed and taken out when this ended it, as an update of the run's state."""
        super().__init__(self.problem, self.mend)

    def __str__(self) -> str:
        """One line: the problem, then the mend."""
        return f"{self.problem} {self.mend}".strip()


class UsageError(VeridicError, RuntimeError):
    """The call itself is wrong.

    A `RuntimeError` too: of errors that it does not know a LangGraph server tells its clients nothing.
    """

    exit_status = 2


class InvalidQuestion(UsageError):
    """The question is empty, blank, too long or binary."""


class InvalidText(UsageError):
    """A text to be checked is empty, blank, too long or binary."""


class InvalidInput(UsageError, ValueError):
    """What was sent as messages, or as the state of a thread, is not what it should be.

    A `ValueError` too: a LangGraph server answers it with the status of a bad request.
    """


class InvalidSetting(UsageError):
    """A setting is unknown, out of range or not allowed here."""


class NotUsable(UsageError):
    """An object that was handed in is of another kind than is expected, or lacks something."""


class UnknownSystem(UsageError):
    """No system has this name."""


class KnowledgeError(VeridicError):
    """The knowledge base cannot do what was asked."""


class DocumentUnreadable(KnowledgeError):
    """A file cannot be parsed: corrupt, encrypted, empty or of an unknown kind."""


class DocumentMissing(KnowledgeError):
    """No such path, or no document with this id."""


class RunMissing(KnowledgeError):
    """The decision log holds no run with this id."""


class StoreMissing(KnowledgeError):
    """No knowledge base is at this path; what only reads or removes makes none."""


class EmbedderMismatch(KnowledgeError):
    """The stored embeddings were made by another embedder."""


class StoreDamaged(KnowledgeError):
    """The SQLite file is not a knowledge base of ours, or is broken."""


class StoreUnavailable(KnowledgeError):
    """The store is locked, the disk is full, or permission is missing."""

    retryable = True


class RetrieverFailed(KnowledgeError):
    """A retriever that was handed in raised."""

    retryable = True


class NotDocuments(KnowledgeError):
    """A retriever that was handed in gave something else than documents with text."""


class ModelError(VeridicError):
    """A model cannot be used."""


class UnknownModel(ModelError):
    """No model or provider of this name."""


class MissingKey(ModelError):
    """The provider wants a key and none is set."""


class MissingExtra(ModelError):
    """An optional package is not installed."""


class ModelUnavailable(ModelError):
    """The model's endpoint does not answer."""

    retryable = True


class ModelBrokeOff(ModelUnavailable):
    """The model's endpoint took the request; its connection or its stream broke before the reply was whole."""


class PromptTooLong(ModelError):
    """The prompt does not fit the model's window."""


class EmbedderFailed(ModelError):
    """The embedder raised something that is none of these."""


class WeightsDamaged(ModelError):
    """A weight file's checksum is not the pinned one."""


class WeightsUnavailable(ModelError):
    """A weight file cannot be fetched."""


class JudgeError(VeridicError):
    """A judge cannot be trusted; what it would have judged stays unverified."""


class JudgeFailed(JudgeError):
    """The scorer raised, or its self-test is beyond tolerance."""


class JudgeBusy(JudgeFailed):
    """A judge service has so much to do that it takes no more."""


class CalibrationMismatch(JudgeError):
    """The thresholds were fitted for a scorer with another fingerprint."""


class SourceError(VeridicError):
    """An outside source gave nothing."""


class SourceUnavailable(SourceError):
    """No answer, a rate limit, or a server error."""

    retryable = True


class SourceBusy(SourceUnavailable):
    """The source wants to be left alone for a while."""

    retryable = False


class SourceNotAsked(SourceUnavailable):
    """No request was made, and nothing left: the source may be asked again later than this call has time for."""

    retryable = False


class SourceRefused(SourceError):
    """The source understood the request and refused it."""


class PageMissing(SourceError):
    """A source has no page of this name, or several that it may mean."""


class AddressForbidden(SourceError):
    """The guard does not let this address through."""


class AccessError(VeridicError):
    """A server does not serve this request."""


class NotAuthenticated(AccessError):
    """The server does not know who asks."""


class NotAllowed(AccessError):
    """Who asks may not do this."""


class RequestTooLarge(AccessError):
    """The request is larger than the server takes."""


class TooManyRequests(AccessError):
    """The caller's requests come faster than the server lets them."""

    retryable = True


class BudgetSpent(VeridicError):
    """The run may make no other chat call."""

    def __init__(self, budget: Literal["tokens", "calls"]) -> None:
        """`budget` is the one that is used up."""
        super().__init__(
            f"The budget of {budget} was used up before all was graded.",
            f"Give the run a larger `{budget.removesuffix('s')}_budget`, or fewer `passages`.",
        )
        self.budget: Literal["tokens", "calls"] = budget


class DeadlineExceeded(VeridicError):
    """The time given to a call is over."""


def nearest_of(name: str, known: Iterable[str], otherwise: str = "", *, count: int = 1) -> str:
    """What to do about an unknown name: `Did you mean` the nearest of those known, `otherwise` where none is near."""
    near = get_close_matches(name, list(known), n=count, cutoff=NEAR)
    return f"Did you mean {' or '.join(near)}?" if near else otherwise


def told_of(error: BaseException) -> str:
    """A foreign error in one line, its class and its message; what may be a credential is masked."""
    text = " ".join(str(error).split())[: 10 * LONGEST_TOLD]
    for secret, told in _SECRETS:
        text = secret.sub(told, text)
    short = text if len(text) <= LONGEST_TOLD else f"{text[:LONGEST_TOLD]}…"
    return f"{type(error).__name__}: {short}" if short else type(error).__name__


@contextmanager
def judging(judge: str) -> Iterator[None]:
    """Whatever else a judge's library raises is raised as `JudgeFailed`, which names the judge."""
    try:
        yield
    except VeridicError:
        raise
    except Exception as error:
        raise JudgeFailed(f"{judge} raised {told_of(error)}.", "Run `veridic doctor`.") from error


MENDED_BY_USER = (MissingExtra, MissingKey, UnknownModel, WeightsDamaged)
"""Failures of a chat model that no other path may paper over."""
