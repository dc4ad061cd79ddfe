"""What a run does, told to OpenTelemetry: counts, scores, costs and outcome; text only where it is asked for."""
