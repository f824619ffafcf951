"""How Sphinx builds the site; `tools/build_site.py` prepares the pages and calls it."""

import tailback

project = "Tailback"
author = "The Tailback maintainers"
release = tailback.__version__
extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
root_doc = "index"

# Markdown: the anchors of headings are those that forges make, which the pages link to.
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 6
# The notebook is shown with the outputs that it is stored with.
nb_execution_mode = "off"

# The Python reference: NumPy's style of docstrings, types where they are declared.
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True, "inherited-members": "Exception"}
napoleon_google_docstring = False

html_theme = "furo"
html_title = f"Tailback {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
html_theme_options = {"navigation_with_keys": True}

# Blocks say `sh run` or `toml spec` for the tests; only the first word is a language. Some blocks show what is no valid code.
suppress_warnings = ["misc.highlighting_failure"]
