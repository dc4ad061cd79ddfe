"""The files of the base judge; `veridic` finds them by this package."""
