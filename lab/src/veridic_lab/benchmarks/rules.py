"""What each family of rules of wording is worth: the same questions and drafts with it and without.

Run from a checkout: `python -m veridic_lab.benchmarks.rules [FAMILY …]`; without a name every family singly, then all.
A family is switched off by what its functions say where there is no such rule. Counted are the questions of
`own_documents`, those of the hand that develops, and that hand's drafts: how many true and false ones the critic calls
supported, each sentence of them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from veridic.context import Context
from veridic.evidence.evidence import decompose
from veridic.evidence.verdicts import Written, verdicts_on
from veridic.ports.shapes import Strip
from veridic.runtime.run import Run
from veridic_lab.benchmarks.asking import GIVEN, Held, holding, say
from veridic_lab.benchmarks.own_documents import FILE, mark
from veridic_lab.drafts.hands import Document, documents
from veridic_lab.training.pairs import read_rows

Neutral = Callable[..., object]
"""What a function says where its rule is off."""


def _says(value: object) -> Neutral:
    return lambda *_asked, **_how: value


FAMILIES: Mapping[str, Mapping[str, Neutral]] = {
    "missing names": {"veridic.text.facts.missing_names": _says(set())},
    "missing numbers": {"veridic.prompts.splitting.missing_numbers": _says(set())},
    "leaning sentences": {"veridic.text.sentences.leans_back": _says(False)},
    "parts": {"veridic.text.parts.parts_of": lambda question: [question]},
    "rivals": {"veridic.evidence.likeliest.rivals_of": _says([])},
}


def main() -> None:
    """Print a line for each family."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("families", nargs="*", choices=[*FAMILIES, []], help="those switched off, one after another")
    chosen = options.parse_args().families or list(FAMILIES)
    for off in ([], *([one] for one in chosen), list(FAMILIES)):
        with switched_off(off):
            counted = Counter([*_own(), *_developed()])
        told = ", ".join(f"{name} {number}" for name, number in sorted(counted.items()))
        say(f"{' and '.join(off) or 'all on'}: {told}")


@contextmanager
def switched_off(families: Sequence[str]) -> Iterator[None]:
    """Put what says nothing in the place of each function of the families, wherever it was imported."""
    changed: list[tuple[ModuleType, str, object]] = []
    for place, neutral in ((place, neutral) for one in families for place, neutral in FAMILIES[one].items()):
        module, _, name = place.rpartition(".")
        rule = getattr(import_module(module), name)
        for called in [called for called in sys.modules if called.startswith("veridic.")]:
            held = sys.modules[called]
            for attribute in [known for known, value in vars(held).items() if value is rule]:
                changed.append((held, attribute, rule))
                setattr(held, attribute, neutral)
    try:
        yield
    finally:
        for held, attribute, rule in changed:
            setattr(held, attribute, rule)


def _own() -> Iterator[str]:
    """What is said to each question of `own_documents`."""
    known = list(read_rows(FILE))
    with holding(files={f"{row['id']}.md": row["text"] for row in known}) as held:
        for row in known:
            for question in row["questions"]:
                yield f"own {mark(row, question, held.asked(question['question'], Context(write_back=False)))}"


def _developed() -> Iterator[str]:
    """What is said to the questions of the hand that develops, and what the critic says of its drafts."""
    hand = documents("develop")
    with holding(files={f"{one.key}.md": f"# {one.title}\n\n{one.text}" for one in hand}) as held:
        for document in hand:
            strips = _strips(document, held)
            for asked in document.asked:
                result = held.asked(asked.question, Context(write_back=False))
                quotes = [place["quote"] for one in result["sentences"] for place in one["citations"]]
                cites = bool(asked.span) and any(asked.span in quote for quote in quotes)
                verified = result["outcome"] in GIVEN
                yield f"hand {'right' if verified and cites else 'otherwise verified' if verified else 'not verified'}"
                run = Run(Context(), held.resources, lambda _event: None)
                written = [Written(draft.text, strips) for draft in asked.drafts]
                said = verdicts_on(written, asked.question, [], run, deadline=time.time() + 600)
                for draft, found in zip(asked.drafts, said.sentences, strict=True):
                    if all(one["verdict"] == "supported" for one in found):
                        yield f"{'true' if draft.true else 'false'} draft supported"


def _strips(document: Document, held: Held) -> list[Strip]:
    """All windows of a document as kept strips."""
    found = held.corpus.search([document.title], limit=50, deadline=time.time() + 60)[0]
    own = [one for one in found if f"{document.key}.md" in one["url"]]
    return [{**strip, "kept": True} for passage in own for strip in decompose(passage)]


if __name__ == "__main__":
    main()
