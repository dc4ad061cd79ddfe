"""What evidence says: strips, what was read, verdicts on sentences, conflicts, FactScore, and the answer of it all."""
