"""Chat models: one embedded that needs nothing, and any other by name."""
