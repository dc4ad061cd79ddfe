"""What is loaded: chat models, embedder, judges and their calibration, weights."""
