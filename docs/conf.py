"""How Sphinx makes a site of the documents: `make site`."""

import sys
from pathlib import Path

from veridic import __version__

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "Veridic"
author = "The Veridic authors"
copyright = "The Veridic authors, Apache-2.0"  # noqa: A001 - Sphinx's name
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "drawn"]
exclude_patterns = ["examples", "_extensions"]
default_role = "code"
"""Docstrings here write code between single backticks."""

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_display_short_literal_types = True

html_theme = "furo"
html_title = f"Veridic {release}"
html_static_path = ["_static"]
html_css_files = ["veridic.css"]
html_copy_source = False
html_show_sphinx = False
html_last_updated_fmt = None
