"""How the site is built: python -m sphinx -W docs site."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import pralign

project = "pralign"
author = "the authors of pralign"
version = release = pralign.__version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "api_pages",
    "command_pages",
    "docstrings",
    "help_pages",
    "linked_code",
    "mathml",
    "outside_pages",
]
exclude_patterns = ["_build", "_ext", "gallery", "**/.ipynb_checkpoints"]
nitpicky = True
# Types in signatures are not links where there is no page about them.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4
# The outputs in notebooks are those of the last run; a test runs them again.
nb_execution_mode = "off"
nb_merge_streams = True

autodoc_member_order = "bysource"
napoleon_use_ivar = True
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 100
add_module_names = False

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "pralign"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "default"
pygments_dark_style = "github-dark"
