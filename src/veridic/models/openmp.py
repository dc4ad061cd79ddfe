"""How the threads of OpenMP wait: those of llama.cpp, and those of the dense index."""

import os


def let_threads_sleep() -> None:
    """Have OpenMP's threads sleep where they wait for one another, unless the environment says how they wait.

    Spinning, one that waits keeps the processor from the one it waits for: where something else keeps a core busy,
    a sentence takes ten times as long. A library reads this when it is loaded, so it is said before.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
