"""The command line. Importing it loads no model, no graph and no index."""

import os
import sys

from veridic.errors import VeridicError
from veridic.exporting.outgoing import for_a_line


def main() -> None:
    """Run the command; a failure is one line on standard error and an exit status.

    0 answered, 1 error, 2 usage, 3 abstained, 4 unverified; of a text that is checked 5 some not found, 6 contradicted.
    `VERIDIC_DEBUG=1` shows tracebacks.
    """
    from veridic.cli.app import app

    try:
        app(prog_name="veridic")
    except VeridicError as error:
        _fail(error, str(error), error.exit_status)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - the outermost edge: a person gets one line, never a traceback
        _fail(error, f"unexpected {type(error).__name__}: {error} (VERIDIC_DEBUG=1 shows where)", 1)


def _fail(error: Exception, line: str, status: int) -> None:
    if os.environ.get("VERIDIC_DEBUG"):
        raise error
    sys.stderr.write(f"veridic: {for_a_line(' '.join(line.split()))}\n")
    sys.exit(status)
