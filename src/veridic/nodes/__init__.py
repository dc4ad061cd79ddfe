"""One step a file. A node is a plain function of the state and the run; it catches nothing and does no I/O itself."""
