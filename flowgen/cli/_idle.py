"""Options that were typed and do nothing for the format that is written: told, not refused."""

import click
from click.core import ParameterSource

from ._output import say

_PAGED = "svg png pdf"
_DRAWN = "svg png pdf md"
_USED = {  # option → the formats that it is for
    "columns": "txt", "color": "txt", "ascii": "txt", "image": "md", "scale": "png", "width": "svg md",
    "embed_fonts": "svg md", "logo": _DRAWN, "footer": _DRAWN, "pages": _PAGED, "page_height": _PAGED,
    "page_size": _PAGED, "landscape": _PAGED, "images": _DRAWN,
}  # fmt: skip


def tell_idle(form: str) -> None:
    """One line on stderr for each such option; settings are for many pictures, so they are not meant."""
    context = click.get_current_context()
    for name, forms in _USED.items():
        typed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if typed and form != "template" and form not in forms.split():
            known = ", ".join(forms.split())
            say(f"--{name.replace('_', '-')} changes nothing here: it is for {known}, and this is {form}")
