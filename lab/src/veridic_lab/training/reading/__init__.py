"""The reader's training: rows, what is made of them, the network, export and calibration."""
