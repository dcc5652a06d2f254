"""The samples that ship with flowgen: recordings, a host's config file and a description, as small files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError

from flowgen.errors import UsageError

from ._mcp_draw import drawn, noting
from ._mcp_reach import SCHEME

ADDRESS = f"{SCHEME}samples/"
_PACKAGE = Path(__file__).parent.parent
_PLACES = (_PACKAGE / "samples", _PACKAGE.parent / "samples")  # installed, or beside the package in a checkout
_PICTURES = ("svg", "mermaid", "txt")


class Sample(NamedTuple):
    """A file below `samples/`, its media type, and what it shows."""

    file: str
    media: str
    about: str


SAMPLES = {
    "seed":         Sample("seed.json", "application/json", "A short session over stdio: opening, tools, a call."),
    "create-issue": Sample("create-issue/trace.json", "application/json", "A call that asks the user back."),
    "http":         Sample("http-2026-07-28/trace.json", "application/json", "Streamable HTTP without a handshake."),
    "oauth":        Sample("oauth/trace.json", "application/json", "A server that answers 401, and the whole sign-in."),
    "handshake":    Sample("eras/trace.handshake.json", "application/json", "A server in the handshake era."),
    "stateless":    Sample("eras/trace.stateless.json", "application/json", "The same server in the stateless era."),
    "config":       Sample("architecture/mcp.json", "application/json", "A host's config file, with what to look at."),
    "description":  Sample("architecture/system.yaml", "application/yaml", "A description of a system, in short form."),
}  # fmt: skip


def sample(name: str) -> bytes:
    """The bytes of a sample. Raises UsageError for one that there is not."""
    if name not in SAMPLES:
        raise UsageError(f"no sample {name!r}", f"known: {', '.join(SAMPLES)}")
    for place in _PLACES:
        if (place / SAMPLES[name].file).is_file():
            return (place / SAMPLES[name].file).read_bytes()
    raise UsageError(f"samples/{SAMPLES[name].file}: not found", "the installation is incomplete")


def add_samples(made: MCPServer[Any]) -> None:
    """The resources: each sample as it is, and drawn."""
    for name, row in SAMPLES.items():
        made.resource(f"{ADDRESS}{name}", name=name, description=row.about, mime_type=row.media)(_giving(name))

    @made.resource(f"{ADDRESS}{{name}}/{{format}}", name="picture of a sample", mime_type="text/plain")
    def picture(name: str, format: str) -> str:
        """A sample drawn as mermaid, txt or svg."""
        if name not in SAMPLES or format not in _PICTURES:
            raise ResourceNotFoundError(f"known: {', '.join(SAMPLES)}, each as {', '.join(_PICTURES)}")
        with noting():
            return drawn((name, sample(name)), format, "auto", None, 1.0, {"notes": "brief"})[0].decode()


def _giving(name: str) -> Callable[[], str]:
    """What gives the bytes of a sample as a text."""

    def give() -> str:
        return sample(name).decode()

    return give
