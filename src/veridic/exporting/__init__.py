"""Answers and checks made ready to be shown, whatever the medium, and written into files."""
