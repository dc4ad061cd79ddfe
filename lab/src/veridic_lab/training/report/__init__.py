"""The judges measured from the files that ship: `python -m veridic_lab.training.report`."""
