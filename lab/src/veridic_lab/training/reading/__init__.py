"""The reader: labelled rows, which are held out, how well it reads, and its confidence."""
