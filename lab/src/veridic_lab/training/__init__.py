"""Labelled data, export, promotion and measurement of the judges; the detector of orders."""
