"""Teaches the detector of orders: texts of our own making, harmless ones beside them, and the fit."""
