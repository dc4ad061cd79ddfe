"""Training data, training, export, calibration and measurement of the judges."""
