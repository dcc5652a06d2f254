"""A small project with pictures."""

project = "A site with pictures"
author = "nobody"
extensions = ["flowgen.ext.sphinx"]
exclude_patterns = ["_build"]
flowgen_defaults = {"notes": "none"}
latex_engine = "xelatex"
epub_show_urls = "no"
version = release = "1"
