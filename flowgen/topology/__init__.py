"""From a host's config file, a trace or a description to a Topology."""

from ._address import Address
from ._build import Drawn, File, Reading
from ._credentials import Credential
from ._emit import emitted
from ._facts import Facts
from ._from_trace import from_traces
from ._hosts import Host, hosts
from ._maps import Ignored
from ._model import Change, ChangeKind, DataFlow, Evidence, Finding, Node, Severity, Source, Topology, Zone, schema
from ._overlay import overlaid
from ._places import Place, System, places
from ._read import is_config, is_document, read
from ._shown import shown_path
from ._traits import Trait, TraitKind

__all__ = [
    "Address", "Change", "ChangeKind", "Credential", "DataFlow", "Drawn", "Evidence", "Facts", "File", "Finding",
    "Host", "Ignored", "Node", "Place", "Reading", "Severity", "Source", "System", "Topology", "Trait", "TraitKind",
    "Zone",
    "emitted", "from_traces", "hosts", "is_config", "is_document", "overlaid", "places", "read", "schema", "shown_path",
]  # fmt: skip
