"""Outside places to search, and the guarded way there."""
