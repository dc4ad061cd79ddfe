"""What trains, measures and simulates Veridic; a distribution of its own, which `veridic` never imports."""
