"""The generated pages of the manual's reference; `veridic.cli.reference` writes them."""
