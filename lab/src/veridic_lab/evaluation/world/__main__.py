"""`python -m veridic_lab.evaluation.world --corpus FILE.jsonl --port N`."""

import argparse
import sys
import threading
from pathlib import Path

from veridic.errors import VeridicError
from veridic_lab.evaluation.world.corpus import read_rows
from veridic_lab.evaluation.world.faults import FAULT_KINDS, faults_of
from veridic_lab.evaluation.world.server import World


def main(arguments: list[str] | None = None) -> int:
    """Serve corpora until interrupted, after printing the variables that lead there; 0, or 1 with a message."""
    parser = argparse.ArgumentParser(prog="python -m veridic_lab.evaluation.world", description=__doc__)
    parser.add_argument("--corpus", type=Path, action="append", required=True, help="a .jsonl or .jsonl.gz file")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) is any free port")
    parser.add_argument("--faults", type=float, default=0.0, metavar="SHARE", help="share of the pages to replace")
    parser.add_argument("--fault-kinds", default="bot_wall,off_topic", help=f"by commas, of {', '.join(FAULT_KINDS)}")
    parser.add_argument("--seed", type=int, default=7, help="which pages are replaced, with their titles")
    given = parser.parse_args(arguments)
    try:
        faults = faults_of(given.faults, given.fault_kinds, given.seed)
        world = World((row for path in given.corpus for row in read_rows(path)), faults)
        with world.serve(given.port) as served:
            _announce(world.size, served.environment())
            threading.Event().wait()
    except KeyboardInterrupt:
        return 0
    except (VeridicError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _announce(pages: int, environment: dict[str, str]) -> None:
    lines = [f"# {pages} pages", *(f"export {name}={value}" for name, value in environment.items())]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
