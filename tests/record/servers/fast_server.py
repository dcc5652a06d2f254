"""A server written with fastmcp, the other Python framework that people use."""

import sys

from fastmcp import FastMCP

server = FastMCP("fast server", version="0.9")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.resource("note://one")
def note() -> str:
    """A note."""
    return "one"


if sys.argv[1:]:
    server.run("http", host="127.0.0.1", port=int(sys.argv[1]), show_banner=False)
else:
    server.run(show_banner=False)
