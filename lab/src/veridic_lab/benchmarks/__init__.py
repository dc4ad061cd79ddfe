"""What is measured by hand: not part of the package, nor of its tests."""
