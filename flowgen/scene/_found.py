"""Where the files of `themes/` are: in the package when installed, beside it in a checkout."""

from pathlib import Path

from flowgen.errors import ThemeError

_PACKAGE = Path(__file__).parent.parent
_PLACES = (_PACKAGE / "themes", _PACKAGE.parent / "themes")


def theme_file(name: str) -> Path:
    """The file `name` of the shipped themes, such as `default.toml` or `lang/en.toml`.

    Raises ThemeError when it is in neither place.
    """
    for place in _PLACES:
        if (place / name).is_file():
            return place / name
    raise ThemeError(f"themes/{name}: not found", "the installation is incomplete: install mcp-flowgen again")
