"""The laboratory's tests run the command line as the product's do."""

from tests.cli.conftest import veridic as veridic
