"""The site that a page of Python-Markdown belongs to: where its documents lie, and which files they may name."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flowgen.errors import UsageError


@dataclass(frozen=True, slots=True)
class Site:
    """`docs` is the folder of the documents, `project` the one that all of the site lies in; `strict` tells that what
    is missing ends the build.
    """

    docs: Path
    project: Path
    strict: bool = False

    def __call__(self, name: str) -> Path:
        """The file that a page means, from the folder of the documents on. Raises UsageError for one outside."""
        path = self.docs / name.lstrip("/")
        try:
            inside = path.resolve().is_relative_to(self.project.resolve())
            path.exists()
        except (OSError, RuntimeError, ValueError) as problem:  # too long, links in a ring, NUL
            raise UsageError(f"{name[:100]}: no name of a file", f"{problem}") from None
        if not inside:
            raise UsageError(f"{name}: outside of the project", f"files are looked for from {self.docs}")
        return path


def site_of(md: Any, docs: str | Path | None) -> Site:
    """The site of a page by its converter: with the folder that is given, else of MkDocs or Zensical, else here."""
    if docs is not None:
        inside = Path(docs).resolve().is_relative_to(Path.cwd().resolve())
        return Site(Path(docs), Path.cwd() if inside else Path(docs))
    return _of_mkdocs(md) or _of_zensical() or Site(Path.cwd(), Path.cwd())


def _of_mkdocs(md: Any) -> Site | None:
    """MkDocs leaves its settings with the converter of a page."""
    config = getattr(md.treeprocessors["relpath"], "config", None) if "relpath" in md.treeprocessors else None
    folder = getattr(config, "docs_dir", None)
    if not folder:
        return None
    file = getattr(config, "config_file_path", None)
    return Site(Path(folder), Path(file).parent if file else Path(folder), bool(getattr(config, "strict", False)))


def _of_zensical() -> Site | None:
    """Zensical holds its settings in a module, which is there where it is running."""
    module = sys.modules.get("zensical.config")
    config = module.get_config() if module else None
    if not config:
        return None
    root = Path(config.get("root_dir", ""))
    return Site(root / config["docs_dir"], root, bool(config.get("strict")))
