"""From files to stored text and the blocks it is made of, one module a format."""
