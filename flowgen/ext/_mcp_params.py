"""What the tools of `flowgen mcp` take alike, how pictures look by themselves, and how an error is told to an agent."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Literal, NamedTuple

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from flowgen.errors import FlowgenError

from ._mcp_draw import MOST, View

_LONGEST = 1_000  # characters of an error: it may quote what the agent sent

Lang = Literal["en", "zh", "en+zh"]

# The SDK reads what looks like JSON as JSON unless a parameter is a text and nothing else: none is an empty one.
Path = Annotated[str, Field(description="A file below the folders of this server, or an address flowgen://….")]
Text = Annotated[str, Field(description="The content of the file instead of its path.")]
Host = Annotated[str, Field(description="The host whose config file it is, where its path does not tell.")]
Seen = Annotated[Sequence[str], Field(description="Paths of recordings that are laid over what a config declares.")]
Viewed = Annotated[View, Field(description="Of recordings, the flow, or who runs where.")]
Limit = Annotated[int, Field(description="Characters of a text, at most.", ge=500, le=MOST)]
Only = Annotated[Sequence[str], Field(description="Of a recording, only these methods, such as 'tools/*'.")]
Scale = Annotated[float, Field(description="Pixels of a PNG for each px of the picture.", ge=0.1, le=4)]


class Looks(NamedTuple):
    """How pictures look where nothing else is asked for."""

    theme: str = "auto"
    lang: Lang = "en"


@contextmanager
def advised() -> Iterator[None]:
    """An error of ours becomes one of the tool, with the way to mend it; any other is a fault and stays one."""
    try:
        yield
    except FlowgenError as problem:
        raise ToolError(advice(problem)) from None


def advice(problem: FlowgenError) -> str:
    """An error as one text for an agent: what is wrong, and how to mend it."""
    text, hint = str(problem), f" ({problem.hint})" if problem.hint else ""
    return f"{text if len(text) <= _LONGEST else f'{text[:_LONGEST]}…'}{hint[:_LONGEST]}"
