"""A host's config file with as many servers as asked for, no two alike: programs, containers, bridges, remote ones."""

import json
from collections.abc import Callable
from typing import Any

_KINDS: tuple[Callable[[int], dict[str, Any]], ...] = (
    lambda n: {"command": "npx", "args": ["-y", f"@example/files-{n}@1.{n}.0", f"/srv/data/{n}"]},
    lambda n: {"type": "http", "url": f"https://mcp.vendor{n % 40}.example/mcp",
               "headers": {"Authorization": f"Bearer ${{TOKEN_{n}}}"}},
    lambda n: {"command": "uvx", "args": [f"tool-{n}"], "env": {"API_KEY": "${API_KEY}"}},
    lambda n: {"command": "docker", "args": ["run", "-i", "--rm", f"registry.example/box-{n}:1.{n}"]},
    lambda n: {"command": "npx", "args": ["-y", "mcp-remote@0.1.30", f"https://sse{n}.vendor{n % 7}.example/sse"]},
)  # fmt: skip


def config(servers: int) -> bytes:
    """The file, of a host that keeps its servers under `mcpServers`."""
    entries = {f"server-{n}": _KINDS[n % len(_KINDS)](n) for n in range(servers)}
    return json.dumps({"mcpServers": entries}, indent=1).encode()
