"""Which adapter stands behind which protocol; opened once a process."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache
from hashlib import blake2b
from math import inf
from pathlib import Path
from secrets import token_bytes
from threading import Lock

from veridic.errors import DocumentMissing, InvalidSetting, StoreMissing, StoreUnavailable
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.knowledge.base import Knowledge, is_held, open_knowledge, open_store
from veridic.knowledge.connection import KnowledgeStore
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import ingest
from veridic.models.by_settings import (
    open_cascade,
    open_decision,
    open_detector,
    open_embedder,
    open_judges,
    open_messages,
    open_promised_reader,
)
from veridic.models.calibration import Unpromised
from veridic.models.cascade import CascadeCritic, CascadeEvaluator
from veridic.models.chat.by_name import open_chat, open_grader
from veridic.models.chat.grading import ChatCritic, ChatEvaluator
from veridic.models.embedder import OnnxEmbedder
from veridic.models.judges_by_name import better_chat, figures, found_of_chat, grader_of
from veridic.models.opened import let_threads_sleep
from veridic.ports.access import Access
from veridic.ports.chat import ChatModel
from veridic.ports.embedding import Embedder
from veridic.ports.file_limits import FileLimits
from veridic.ports.judging import Critic, Reader, RetrievalEvaluator
from veridic.runtime.run import Resources
from veridic.settings import Settings, is_namespace
from veridic.sources.registry import open_sources

KEY = 32
"""Bytes of a key."""
NAMESPACES = 64
"""Whose knowledge bases are kept open beside the process's own."""

_log = logging.getLogger(__name__)
_OPENING = Lock()
_OPENING_NAMESPACE = Lock()


Opener = Callable[[], Resources]


def once(opened: Opener) -> Opener:
    """The same resources whenever they are asked for, opened for whoever asks first."""
    lock, held = Lock(), list[Resources]()

    def first() -> Resources:
        with lock:
            if not held:
                held.append(opened())
            return held[0]

    return first


class SystemClock:
    """The machine's time."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()


def open_knowledge_base(settings: Settings, embedder: Embedder | None = None) -> Knowledge:
    """The knowledge base alone, made when it is not there, over an embedder that is open; raises `KnowledgeError`."""
    let_threads_sleep()  # here, because nothing that uses OpenMP is loaded before a knowledge base is opened
    return open_knowledge(
        settings.kb,
        settings.namespace,
        embedder or open_embedder(settings),
        log_days=settings.log_days,
        lessons=settings.lessons,
        half_life=settings.lesson_days,
    )


def held_knowledge_base(settings: Settings | None = None) -> Knowledge:
    """The knowledge base that is there, for what reads or removes alone, of the process's own settings unless others.

    Raises `StoreMissing`, `KnowledgeError`.
    """
    chosen = settings or Settings.load()
    require_held(chosen)
    return open_knowledge_base(chosen)


def require_held(settings: Settings) -> None:
    """Raise `StoreMissing` where no knowledge base is there: a path that was mistyped is not to become one."""
    if not is_held(settings.kb):
        raise StoreMissing(
            f"There is no knowledge base at {settings.kb_shown}.",
            "Make one with `veridic ingest PATH`, or name another with --kb or VERIDIC_KB.",
        )


def open_resources(settings: Settings, *, reader: Reader | None = None) -> Resources:
    """Open every adapter the settings name, but for a reader that is given. Models load at first use, not here.

    Raises `KnowledgeError`, `UnknownModel`.
    """
    knowledge = open_knowledge_base(settings)
    embedder = knowledge.corpus.embedder
    sifter, trained = open_judges(settings, embedder=embedder if isinstance(embedder, OnnxEmbedder) else None)
    chat = open_chat(settings)
    grader = open_grader(settings)
    third = better_chat(chat, settings) if settings.judge is None else None
    evaluator, critic = graded_by(grader, *open_cascade(settings, sifter, trained, third), settings)
    sources, unusable = open_sources(settings, knowledge.corpus.store.kept)
    decision = open_decision(settings)
    return Resources(
        settings=settings,
        knowledge=asked_of(knowledge.corpus, settings),
        evaluator=evaluator,
        sifter=sifter,
        critic=critic,
        reader=reader or open_promised_reader(settings),
        decision=decision if grader is None and reader is None else Unpromised(decision),
        detector=open_detector(settings),
        messages=open_messages(embedder, settings),
        embedder=embedder,
        chat=chat,
        grader=grader,
        sources=sources,
        unusable=unusable,
        experience=knowledge.experience,
        decisions=knowledge.decisions,
        clock=SystemClock(),
        seal_key=seal_key(settings, knowledge),
        trials=figures(settings, grader or (chat if third else None)),
    )


def seal_key(settings: Settings, knowledge: Knowledge) -> bytes:
    """What states are sealed with: the settings' key, or the knowledge base's own.

    Beside a file that cannot be written it is this process's alone: no other one can go on with its runs.
    """
    if settings.seal_key:
        return blake2b(settings.seal_key.get_secret_value().encode(), digest_size=KEY).digest()
    with suppress(StoreUnavailable):
        return knowledge.corpus.store.secret()
    return token_bytes(KEY)


def asked_of(corpus: Corpus, settings: Settings) -> Corpus:
    """The corpus as the settings let it be asked: with `docs` what is there alone, taken in where none of it is held.

    An empty one begins with the documents of `begin_with`, which the log tells. Raises `DocumentMissing`.
    """
    if settings.docs:
        return _bounded(corpus, settings.docs, settings.file_limits)
    if not settings.begin_with or corpus.status().documents:
        return corpus
    if taken := ingest([Path(settings.begin_with)], corpus, limits=settings.file_limits).added:
        _log.warning(
            "%s held nothing: %s of %s taken in, as `begin_with` says (`veridic remove %s` takes them out).",
            for_a_line(settings.kb_shown),
            counted(len(taken), "document"),
            *[for_a_line(settings.begin_with)] * 2,
        )
    return corpus


def _bounded(corpus: Corpus, docs: str, limits: FileLimits) -> Corpus:
    """What is at or beneath a path, taken in first where nothing of it is held."""
    within = corpus.within([docs])
    _, held = within.titles(limit=0, deadline=inf)
    if not held and not Path(docs).expanduser().exists():
        raise DocumentMissing(
            f"Questions are to be asked of {docs} alone, and there is no such file or folder.",
            "Set VERIDIC_DOCS, or `docs` in veridic.toml, to one that is there, or to none.",
        )
    if not held:
        ingest([Path(docs)], corpus, limits=limits)
    return within


def graded_by(
    grader: ChatModel | None, evaluator: RetrievalEvaluator, critic: Critic, settings: Settings
) -> tuple[RetrievalEvaluator, Critic]:
    """Evaluator and critic over the chat model that grades, if one does, but for one that the settings name apart.

    It is trusted where `veridic trial` found that it ranks well enough, which it cannot of one that was handed in.
    """
    if grader is None:
        return evaluator, critic
    found = found_of_chat(grader, settings)
    grades = grader_of(grader, settings, passed=found is not None and found.passed)
    return (
        evaluator if settings.evaluator else ChatEvaluator(grades),
        critic if settings.critic else ChatCritic(grades),
    )


def judged_beside(resources: Resources, chat: ChatModel | None) -> Resources:
    """The resources whose cascade asks this chat model where a trial showed that it is better, and no other one."""
    settings = resources.settings
    third = better_chat(chat, settings) if settings.judge is None else None
    asked, heard = third or (None, None)
    evaluator, critic = resources.evaluator, resources.critic
    return replace(
        resources,
        evaluator=evaluator.asking(asked) if isinstance(evaluator, CascadeEvaluator) else evaluator,
        critic=critic.asking(heard) if isinstance(critic, CascadeCritic) else critic,
        trials=figures(settings, resources.grader or (chat if third else None)),
    )


def default_resources() -> Resources:
    """The process's own resources, from the environment and `veridic.toml`; opened once, whoever asks first."""
    with _OPENING:
        return _opened()


@cache
def own_settings() -> Settings:
    """The process's own settings, from the environment and `veridic.toml`; read once."""
    return Settings.load()


@cache
def own_store() -> KnowledgeStore:
    """The process's own knowledge base without its models, for what is none of a run; opened once.

    Raises `StoreUnavailable`, `StoreDamaged`, `MissingExtra`.
    """
    return open_store(own_settings().kb, own_settings().namespace)


def own_access() -> Access:
    """Who may ask all servers of the process's own database, and how often. Raises as `own_store`.

    Raises `InvalidSetting` where the knowledge base is a file, which keeps none of that.
    """
    if access := own_store().access:
        return access
    raise InvalidSetting(f"{own_settings().kb_shown} is no database.", "Set VERIDIC_KB to postgresql://….")


@cache
def _opened() -> Resources:
    return open_resources(own_settings())


def resources_of(namespace: str) -> Resources:
    """The process's own resources, over what a namespace holds; those of the last 64 namespaces are kept open."""
    resources = default_resources()
    if namespace == resources.settings.namespace:
        return resources
    with _OPENING_NAMESPACE:  # a lock of its own: taking a folder in may last, and the process's own runs go on
        return _in_namespace(namespace)


@lru_cache(maxsize=NAMESPACES)
def _in_namespace(namespace: str) -> Resources:
    return in_namespace(_opened(), namespace)


def in_namespace(resources: Resources, namespace: str) -> Resources:
    """The same models and sources over what another namespace holds; its runs are sealed with a key of its own.

    Raises `InvalidSetting` for what is no namespace, `KnowledgeError`.
    """
    if not is_namespace(namespace):
        raise InvalidSetting(f"{namespace!a} is no namespace.", "It has 1 to 64 letters, digits, _ . or -.")
    settings = resources.settings.model_copy(update={"namespace": namespace})
    knowledge = open_knowledge_base(settings, resources.embedder)
    own_key = blake2b(namespace.encode(), digest_size=KEY, key=resources.seal_key).digest()
    return replace(over(resources, settings, knowledge), seal_key=own_key)


def over(resources: Resources, settings: Settings, knowledge: Knowledge) -> Resources:
    """The same models and sources over another knowledge base, asked as these settings say."""
    return replace(
        resources,
        settings=settings,
        knowledge=asked_of(knowledge.corpus, settings),
        experience=knowledge.experience,
        decisions=knowledge.decisions,
    )
