"""The generated pages of the manual's reference; `veridic_lab.reference` writes them."""
