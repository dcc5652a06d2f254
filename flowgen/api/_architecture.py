"""From hosts' config files to the topology behind them, judged."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from flowgen.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from flowgen.topology import Topology

_RECORDING = b'"flowgen.trace/'
_HEAD = 400  # bytes in which a recording names its format


@dataclass(frozen=True)
class Architecture:
    """Who runs where and what crosses which trust boundary, with what a reviewer should look at."""

    topology: "Topology"

    def json(self) -> str:
        """The topology as a document (`flowgen.topology/1`)."""
        told = self.topology.model_dump(mode="json", exclude_none=True)
        for zone in told["zones"]:
            zone.setdefault("parent", None)
        return json.dumps(told, indent=1, ensure_ascii=False) + "\n"

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of a format. Raises UsageError for one that there is not of this picture."""
        if form == "json":
            return [self.json().encode()]
        raise UsageError(f"the architecture picture is not written as {form}", "known: json; choose it with -f")


def architecture(
    sources: "Sequence[str | Path | tuple[str, bytes]]",
    *,
    host: str | None = None,
    show_paths: bool = False,
    title: str | None = None,
) -> Architecture:
    """Read config files, by their paths or as (name, bytes), into one topology and judge it.

    `host` names the host of files whose path does not tell it; user names in paths become `~` unless `show_paths`.
    Nothing that a file names is started, resolved or contacted. Raises ConfigError.
    """
    from flowgen.check import judged
    from flowgen.topology import read

    files = [source if isinstance(source, tuple) else (str(source), _bytes(source)) for source in sources]
    found = judged(read(files, host=host, show_paths=show_paths))
    return Architecture(found if title is None else found.model_copy(update={"title": title}))


def is_config(source: str | Path) -> bool:
    """Whether a file is a host's config rather than a recording; False for one that cannot be opened."""
    try:
        with Path(source).open("rb") as file:
            data = file.read(_HEAD)
            if _RECORDING in data or str(source).endswith(".jsonl"):
                return False
            data += file.read()
    except OSError:
        return False
    from flowgen.topology import is_config as told

    return told(data, str(source))


def _bytes(source: str | Path) -> bytes:
    try:
        return Path(source).read_bytes()
    except OSError as problem:
        raise ConfigError(f"{source}: {problem.strerror or problem}", "give the path of a config file") from None
