"""Teaches what tells lines of code from prose: lines of forums and our own, harmless text beside them, and the fit."""
