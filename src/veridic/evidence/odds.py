"""Log-odds: what signs are weighed as."""

import math


def log_odds(probability: float, least: float = 0.002) -> float:
    """The log-odds of a probability, which counts as no nearer to 0 or 1 than `least`."""
    bounded = min(max(probability, least), 1 - least)
    return math.log(bounded / (1 - bounded))
