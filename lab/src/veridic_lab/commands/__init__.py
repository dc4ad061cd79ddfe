"""The laboratory's commands, which join `veridic` by entry points."""
