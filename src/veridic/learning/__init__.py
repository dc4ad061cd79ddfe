"""What a run teaches: the gates it has to pass, lessons, and what people say of it."""
