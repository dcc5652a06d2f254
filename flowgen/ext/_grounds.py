"""Which files a Markdown file may name: those in the tree that it belongs to. A document of a stranger reads and writes
nothing else, whatever links lead out of it.
"""

from pathlib import Path

from flowgen.errors import ConfigError


class Grounds:
    """The tree of a document: of the repository that it lies in, else of its folder, else what is given."""

    def __init__(self, document: Path, root: Path | None = None) -> None:
        self.folder = document.absolute().parent
        self.root = (root or _repository(self.folder) or self.folder).resolve()

    def __call__(self, name: str) -> Path:
        """The file that the document means: from its folder on, with a `/` at the beginning from the root on.

        Raises ConfigError for one outside.
        """
        return self.within(self.root / name.lstrip("/") if name.startswith("/") else self.folder / name, name)

    def within(self, path: Path, name: str) -> Path:
        """The file, if it is one of the tree wherever links lead. Raises ConfigError."""
        try:
            inside = path.resolve().is_relative_to(self.root)
            path.exists()
        except (OSError, RuntimeError, ValueError) as problem:  # too long, links in a ring, NUL
            raise ConfigError(f"{name[:100]}: no name of a file", f"{problem}") from None
        if not inside:
            raise ConfigError(f"{name}: outside of {self.root}", "--root DIR allows a larger tree")
        return path

    def address(self, path: Path, base_url: str | None) -> str:
        """How the document refers to a file: from its folder on, or below an address at which the root is found."""
        place = path.resolve()
        if base_url is not None:
            return f"{base_url.rstrip('/')}/{place.relative_to(self.root).as_posix()}"
        return _way(self.folder.resolve(), place)


def _way(folder: Path, place: Path) -> str:
    """From a folder to a file in the same tree."""
    up = 0
    while not place.is_relative_to(folder):
        folder, up = folder.parent, up + 1
    return "../" * up + place.relative_to(folder).as_posix()


def _repository(folder: Path) -> Path | None:
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
