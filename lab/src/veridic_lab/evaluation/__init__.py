"""Measuring the systems, and the recorded world they are measured in."""
