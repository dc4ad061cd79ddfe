"""What a run has beside its state: the world as it may ask it, its account, its time, what was screened out."""
