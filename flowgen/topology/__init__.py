"""From a host's config file, a trace or a description to a Topology."""

from ._model import DataFlow, Evidence, Finding, Node, Source, Topology, Zone, schema

__all__ = ["DataFlow", "Evidence", "Finding", "Node", "Source", "Topology", "Zone", "schema"]
