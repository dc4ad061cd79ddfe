"""What holds while a run goes on: its budgets, its deadline, its stop, and what a node is given."""
