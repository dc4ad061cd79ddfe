"""Outside places to search, and the guarded way there."""

from veridic.sources.registry import OPENERS, open_sources

__all__ = ["OPENERS", "open_sources"]
