"""What evidence says: strips, what was read, verdicts on sentences, altered copies, conflicts, FactScore."""
