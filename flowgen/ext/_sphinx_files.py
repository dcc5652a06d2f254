"""Files of a Sphinx project: where those of a page lie, where pictures are kept, and how trouble with one is told."""

import hashlib
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util import logging
from sphinx.util.i18n import get_image_filename_for_language

from flowgen.errors import FlowgenError

if TYPE_CHECKING:
    from sphinx.environment import BuildEnvironment

_LOG = logging.getLogger(__name__)


class Places:
    """Where the files of a page lie; each is noted, so that the page is read again when it changes."""

    def __init__(self, env: "BuildEnvironment", page: str) -> None:
        self.env, self.page = env, page

    def __call__(self, name: str) -> Path:
        """The file, in the language of the build if there is one of it."""
        relative, place = self.env.relfn2path(get_image_filename_for_language(name, self.env), self.page)
        if not Path(place).exists():
            relative, place = self.env.relfn2path(name, self.page)
        self.env.note_dependency(relative, docname=self.page)
        return Path(place)


def kept(env: "BuildEnvironment", data: bytes, suffix: str, wanted: str) -> str:
    """A picture under a name that its content gives, as an address from the source directory.

    It lies with the doctrees, so that it goes when they go.
    """
    from flowgen import api

    name = hashlib.sha256(data).hexdigest()[:16]
    folder = Path(env.doctreedir) / "flowgen"
    try:
        address = os.path.relpath(folder, env.srcdir)
    except ValueError:  # on Windows there is no way from one drive to another
        folder = Path(env.srcdir) / "_flowgen"
        address = "_flowgen"
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / f"{name}.{suffix}").exists():
        api.put(folder / f"{name}.{suffix}", data)
    return f"/{address.replace(os.sep, '/')}/{name}.{wanted}"


def warn(problem: FlowgenError, location: Any) -> None:
    """A warning of the type `flowgen.picture`, at a place in a page."""
    hint = f"; {problem.hint}" if problem.hint else ""
    _LOG.warning("flowgen: %s%s", problem, hint, location=location, type="flowgen", subtype="picture")


@contextmanager
def remarks_told(location: Any) -> Iterator[None]:
    """What drawing remarks, such as a font that is missing, is a warning of the type `flowgen.remark`."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        yield
    for text in dict.fromkeys(str(each.message) for each in told if issubclass(each.category, UserWarning)):
        _LOG.warning("flowgen: %s", text, location=location, type="flowgen", subtype="remark")
