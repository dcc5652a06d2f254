"""flowgen records what goes over the wire between an MCP client and server, and draws it.

    bytes → Message → Trace → Flow → Scene → file

`trace` holds what was seen, `flow` what it means, `scene` where it stands on the picture, `backends` the file;
`record`, `protocol` and `wire` make the trace. Recording and drawing meet only at the Trace.
"""

__version__ = "1.0.0.dev0"
