"""`veridic trial`: how well judges tell true from nearly true."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridic.cli.options import JSON, with_options
from veridic.cli.saying import say, say_json, say_rows
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.models.trial import Figure, Found

HEAD = ("JUDGE", "PASSAGES, AUC", "STATEMENTS, AUC", "ACCURACY", "CALLS", "SECONDS")


@with_options("model", "base_url", "judge")
def trial(
    chosen: Settings,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="small, base, an exported judge's folder, hf:NAME (a checker or reranker of the hub), tei:http://… "
            "(one that text-embeddings-inference serves), or a chat model as --model takes it; by default small, base "
            "where it is installed, and the chat model if it follows instructions.",
            show_default=False,
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Hold the trial anew where its result is kept.")] = False,
    as_json: JSON = False,
) -> None:
    """Try judges on labelled pairs that ship: how well each tells true from nearly true.

    AUC is how often a true pair is ranked above a false one, with its interval of 95 %; accuracy is that of statements,
    balanced, at the judge's own threshold. What is found is kept. A chat model that tells statements better than the
    trained judges do is asked beside them from then on, in two calls a question at most: about passages that they leave
    open, and about what was written. Its word counts as much as it was right here; what it wrote can be verified then.
    """
    held = list(_held(chosen, name, again=again, silent=as_json))
    if as_json:
        say_json([_json(*one) for one in held])
        return
    say_rows([HEAD, *(_row(found) for found, _ in held)])
    for found, rival in held:
        if rival:
            say(_compared(found, rival))


def _held(chosen: Settings, name: str | None, *, again: bool, silent: bool) -> "Iterator[tuple[Found, Found | None]]":
    """What was found of each judge and, beside a chat model, of the trained one it has to beat.

    Raises what opening or judging raises.
    """
    from veridic.cli.opening import progress_bar
    from veridic.models.judges_by_name import judge_named, judges_of, rival_of, trial_of

    held, judges = trial_of(chosen), [judge_named(name, chosen)] if name else list(judges_of(chosen))
    with progress_bar("Trying", silent=silent) as tell:
        for at, judge in enumerate(judges):
            tell(at, len(judges), judge.name)
            found = held.hold(judge) if again else held.found(judge)
            rival = rival_of(chosen) if judge.place is not None else None
            yield found, held.found(rival) if rival else None


def _row(found: "Found") -> tuple[str, ...]:
    accuracy = f"{found.statements.accuracy:.2f}" if found.statements else "–"
    return (
        found.judge,
        _figure(found.passages),
        _figure(found.statements),
        accuracy,
        str(found.calls),
        f"{found.seconds:.1f}",
    )


def _figure(one: "Figure | None") -> str:
    return f"{one.auc:.2f} [{one.low:.2f}, {one.high:.2f}]" if one else "–"


def _compared(found: "Found", rival: "Found") -> str:
    from veridic.models.trial import ahead

    more, least = ahead(found, rival)
    told = f"{found.judge} is right of {more:+.2f} of the statements against {rival.judge}, at least {least:+.2f}"
    if least > 0:
        return f"{told}: it is asked beside {rival.judge}."
    return f"{told}: that it is better is not shown, and it is not asked."


def _json(found: "Found", rival: "Found | None") -> dict[str, Any]:
    from veridic.models.trial import ahead

    told = asdict(found)
    for kind in ("passages", "statements"):
        if told[kind]:
            told[kind]["pairs"] = len(told[kind].pop("right"))
    more, least = ahead(found, rival) if rival else (None, None)
    return {**told, "against": rival and {"judge": rival.judge, "more": more, "at_least": least}}
