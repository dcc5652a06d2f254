"""What stands above the architecture picture: its title, and under it how much of what was read and found."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ._arch_changes import changes_told
from ._arch_columns import MARGIN
from ._arch_inputs import input_of, paths_of, this
from ._arch_model import Chain, Host
from ._arch_words import note_of, zone_name
from ._clean import clean_line
from ._images import Thumbnail, thumbnail
from ._options import Options
from ._shapes import Shape, Text
from ._text import shorten
from ._words import Words

if TYPE_CHECKING:
    from flowgen.topology import Topology

_TITLE, _FACTS = 44, 68  # baselines
_LOGO_WIDE, _LOGO_HIGH, _LOGO_TOP = 200, 48, 24
_FOOTER = 12  # from the lower edge up to the footer's baseline
_BETWEEN = "   ·   "
_LONG = 300
_ROOM = 0.96  # of a line is filled: some fonts are wider
_NAMED = 3  # files that a title names


def heading_of(topology: "Topology", options: Options, how: Words) -> str:
    """The title: what was asked for, the document's own, the names of the files, or what such a picture is called."""
    files = list(dict.fromkeys(source.path for source in topology.sources))
    named = " + ".join([*files[:_NAMED], *(["…"] if len(files) > _NAMED else [])])
    return clean_line(options.title or topology.title or named or how("arch.picture"), _LONG)


def heading(
    topology: "Topology", told: Sequence[str], wide: float, options: Options, how: Words
) -> Iterator[Shape]:
    """Title and facts from the left edge on, a logo at the right one."""
    logo = _logo(options)
    room = wide - 2 * MARGIN - (logo.width + 24 if logo else 0)
    yield _line(heading_of(topology, options, how), _TITLE, "arch.heading", 22, room, 700)
    yield _line(_BETWEEN.join(told), _FACTS, "arch.facts", 12.5, room)
    if logo:
        yield logo.at(wide - MARGIN - logo.width, _LOGO_TOP, "")


def footing(options: Options, wide: float, height: float) -> Iterator[Shape]:
    """The line of text below everything, where one is asked for."""
    if options.footer:
        text = clean_line(options.footer, _LONG)
        shown = shorten(text, 12, wide - 2 * MARGIN)
        yield Text(wide - MARGIN, height - _FOOTER, shown, "footer", None if shown == text else text)


def _logo(options: Options) -> Thumbnail | None:
    return thumbnail(options.logo, _LOGO_WIDE, _LOGO_HIGH) if options.logo else None


def _line(text: str, y: float, style: str, size: float, room: float, weight: int = 400) -> Text:
    shown = shorten(text, size, room * _ROOM, weight)
    return Text(MARGIN, y, shown, style, None if shown == text else text)


def facts(topology: "Topology", read: Chain, frames: int, how: Words, options: Options) -> list[str]:
    """The parts of the line under the title."""
    if options.subtitle is not None:
        told = [clean_line(options.subtitle, _LONG)]
    elif topology.changes is not None:
        told = changes_told(topology, how)
    elif topology.revision and input_of(topology) != "file":
        told = [*_hosts(read), _servers(topology, read, how), *_revision(topology.revision, how)]
    else:
        files = len(paths_of(topology))
        counted = "arch.recordings" if input_of(topology) == "recording" else "arch.files"
        over = sum(source.kind is not None for source in topology.sources)
        told = [how(counted, n=files) if files else "", how("arch.recordings", n=over) if over else ""]
        told += [_servers(topology, read, how)]
        told += [how("arch.zones", n=frames) if frames else "", _findings(topology, how)]
        told += _revision(topology.revision, how) if topology.revision else []
    return [part for part in (*told, (options.date or "")[:10]) if part]


def _hosts(read: Chain) -> list[str]:
    names = [clean_line(zone_name(host.zone), 48) for host in read.hosts if host.zone]
    return names if len(names) <= _NAMED else []


def _servers(topology: "Topology", read: Chain, how: Words) -> str:
    """`3 servers`, `7 entries, 6 servers`, `4 servers and a gateway`; disabled ones in brackets."""
    nodes = topology.nodes
    behind = {node.name for node in nodes if node.kind == "server"}
    servers = sum(
        node.kind == "server" or (node.kind == "bridge" and node.name not in behind) for node in nodes
    )
    gateways = sum(node.kind == "gateway" for node in nodes)
    off = len(
        {
            node.name or node.id
            for node in nodes
            if node.disabled and node.kind in ("server", "bridge", "gateway")
        }
    )
    entries = sum(entries_of(host) for host in read.hosts)
    several = how("arch.entries", n=entries) + how("arch.list") if entries > servers + gateways else ""
    told = several + how("arch.servers", n=servers)
    told += how("arch.gateway.one" if gateways == 1 else "arch.gateways", n=gateways) if gateways else ""
    return told + (how("arch.disabled", n=off) if off else "")


def entries_of(host: Host) -> int:
    """How many servers of the file a host has."""
    return sum(len(row.stands_for) or 1 for row in host.rows if any(row.servers))


def _revision(revision: str, how: Words) -> list[str]:
    told = [how("arch.revision", revision=clean_line(revision, 24))]
    return [*told, how("arch.stateless")] if revision >= "2026" else told


def _findings(topology: "Topology", how: Words) -> str:
    if not topology.findings:
        judged = any(node.kind == "server" for node in topology.nodes)
        return how("arch.nothing", what=this(topology, how)) if judged else ""
    high = sum(finding.severity == "high" for finding in topology.findings)
    return how("arch.found", n=len(topology.findings), high=high)


def host_notes(topology: "Topology", read: Chain, how: Words) -> list[str]:
    """The line under each host's title: its own, or its file where there are several or it holds no servers."""
    several = sum(host.zone is not None for host in read.hosts) > 1
    return [_host_note(topology, host, at, several, how) for at, host in enumerate(read.hosts)]


def _host_note(topology: "Topology", host: Host, at: int, several: bool, how: Words) -> str:
    if host.zone is None:
        return ""
    path = _file(topology, host, at)
    if host.zone.note and host.zone.note != path:
        return note_of(host.zone.note, how)
    if not host.rows:
        return note_of(path, how)
    if not several or not path:
        return ""
    return f"{note_of(path, how)}{_BETWEEN}{how('arch.servers', n=entries_of(host))}"


def _file(topology: "Topology", host: Host, at: int) -> str:
    """The files of a host: those that name it, else the one at its place."""
    assert host.zone is not None
    paths = [source.path for source in topology.sources if source.zone == host.zone.id]
    if not paths:
        paths = [source.path for source in topology.sources if source.host == zone_name(host.zone)]
    if not paths and at < len(topology.sources):
        paths = [topology.sources[at].path]
    return paths[0] + (f" +{len(paths) - 1}" if len(paths) > 1 else "") if paths else ""
