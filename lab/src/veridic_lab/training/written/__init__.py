"""Documents as people have them and questions as people ask them, written for training."""
