"""The bundled MCP server: plays a scenario file, in both eras."""
