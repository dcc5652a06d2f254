"""A server written with fastmcp, the other Python framework that people use."""

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


server.run(show_banner=False)
