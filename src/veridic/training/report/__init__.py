"""The judges measured from the files that ship: `python -m veridic.training.report`."""
