"""Pure functions on text. Offsets count characters; nothing here knows a model or a node."""
