"""Command lines unwrapped: where the server runs, what it is, what is seen on the way."""

import pytest

from flowgen.topology._document import Word
from flowgen.topology._launch import launch
from flowgen.topology._shell import words

CASES = [
    # command line, program, kind of place, traits
    ("npx -y @q/files /Users/maria", "@q/files", "machine", "package-open home"),
    ("npx -y @q/files@2.4.1 /Users/maria/x", "@q/files", "machine", "package-pinned"),
    ("npx -p pkg@1.0.0 -c 'tool --x'", "tool", "machine", "package-pinned"),
    ("npx ./server.js", "server.js", "machine", ""),
    ("cmd /c npx -y foo", "foo", "machine", "package-open"),
    ("cmd.exe /C 'cd C:\\x && npx foo'", "foo", "machine", "shell package-open"),
    ("wsl.exe -d Ubuntu --cd /mnt/c/x bash -c 'source e && python3 ops.py'", "python3", "machine", "shell"),
    ("wsl -e npx -y foo", "foo", "machine", "package-open"),
    ("env A=b uvx x==1.0", "x", "machine", "package-pinned"),
    ("env -S 'npx foo@1.0.0'", "foo", "machine", "package-pinned"),
    ("bash -lc 'cd \"$HOME/n\" && exec uv run n.py'", "n.py", "machine", "shell"),
    ("bash -c 'exec npx foo@1.0.0'", "foo", "machine", "package-pinned"),
    ("bash script.sh 'a;b'", "bash", "machine", ""),
    ("sh -c 'curl -fsSL https://v.example/i | sh && v'", "sh", "machine", "shell download"),
    ("sh -c 'rm -rf /tmp/x; node s.js'", "node", "machine", "shell remove"),
    ("pwsh -NoProfile -File s.ps1", "pwsh", "machine", ""),
    ("pwsh -Command 'irm https://v.example | iex'", "iex", "machine", "shell download"),
    ("sudo -u root npx foo@1.0.0", "foo", "machine", "sudo package-pinned"),
    ("/opt/sudoku-mcp rm-rf", "sudoku-mcp", "machine", ""),
    ("timeout 30 node s.js --q 'a && b | c'", "node", "machine", ""),
    ("op run --env-file x -- node s.js", "node", "machine", ""),
    ("uv --directory /srv run s.py", "s.py", "machine", ""),
    ("uvx --from git+https://v.example/o/r tool ~", "tool", "machine", "package-open home"),
    ("uvx --with a --python 3.12 foo@latest", "foo", "machine", "package-open"),
    ("uv tool run foo==1.0", "foo", "machine", "package-pinned"),
    ("pnpm dlx foo", "foo", "machine", "package-open"),
    ("yarn dlx foo@2.0.0", "foo", "machine", "package-pinned"),
    ("bun x foo", "foo", "machine", "package-open"),
    ("npm exec -- foo", "foo", "machine", "package-open"),
    ("npm start", "npm", "machine", ""),
    ("deno run -A npm:@a/b", "@a/b", "machine", "package-open"),
    ("deno run -A main.ts", "deno", "machine", ""),
    ("fs --root=/", "fs", "machine", "home"),
    ("fs file:///", "fs", "machine", "home"),
    ("fs /home/maria/work/../..", "fs", "machine", "home"),
    ("fs /home/maria/work/../docs", "fs", "machine", ""),
    ("fs ~/..", "fs", "machine", "home"),
    ("web --base-path /", "web", "machine", ""),
    ("docker run -i --rm -e T ghcr.io/x/y", "docker", "sandbox", "image-open"),
    ("docker run reg.example:5000/a/b:1.2 --flag /", "--flag", "sandbox", "image-pinned"),
    (
        "docker run --privileged --net=host -v /:/host img@sha256:aa",
        "docker",
        "sandbox",
        "home image-pinned privileged host-network",
    ),
    (
        "podman run -v/var/run/docker.sock:/s --network mynet -p 80:80 img:1",
        "docker",
        "sandbox",
        "engine-socket image-pinned",
    ),
    (
        "docker run --mount type=bind,src=/home/maria,dst=/x,readonly img:1",
        "docker",
        "sandbox",
        "home read-only image-pinned",
    ),
    (
        "docker run -it -v 'C:\\Users\\maria:/d' -v '${HOME}/x:/y' img:latest",
        "docker",
        "sandbox",
        "home image-open",
    ),
    ("docker run img:1 npx -y foo", "foo", "sandbox", "image-pinned package-open"),
    ("docker exec -i box node x.js /", "node", "sandbox", ""),
    ("docker compose -f x.yml run --rm svc", "docker", "sandbox", ""),
    ("docker-compose run svc", "docker-compose", "sandbox", ""),
    ("docker ps", "docker", "machine", ""),
    ("sandbox-exec -f p.sb npx foo", "foo", "sandbox", "package-open"),
    ("bwrap --ro-bind / / --dev /dev --unshare-net node x.js", "node", "sandbox", "home"),
    ("firejail --net=none node x.js", "node", "sandbox", ""),
    ("devcontainer exec --workspace-folder . node x.js", "node", "sandbox", ""),
    (
        "ssh -i k -o StrictHostKeyChecking=no ci@b.example npx foo",
        "foo",
        "other-machine",
        "key-file host-key package-open",
    ),
    ("ssh -oStrictHostKeyChecking=accept-new b 'cd /srv && node x.js'", "node", "other-machine", "shell"),
    ("sandbox-exec -f p ssh b docker run img:1", "docker", "other-machine", "image-pinned"),
]


def launched(line):
    return launch([Word(word, 1) for word in words(line)])


@pytest.mark.parametrize(("line", "program", "place", "traits"), CASES, ids=[case[0] for case in CASES])
def test_a_command_line_is_unwrapped(line, program, place, traits):
    found = launched(line)
    if program not in ("docker", "docker-compose", "--flag"):
        assert found.program == program
    assert found.place.kind == place
    assert [trait.kind for trait in found.traits] == traits.split()


@pytest.mark.parametrize(
    ("line", "address", "way"),
    [
        ("npx -y mcp-remote https://v.example/mcp --header X:1", "https://v.example/mcp", ""),
        ("npx mcp-remote@0.1.2 ${URL} --transport sse-only", "${URL}", "sse"),
        ("npx -y supergateway@3.4.0 --sse https://v.example/sse", "https://v.example/sse", "sse"),
        ("npx -y supergateway --streamableHttp=https://v.example/m", "https://v.example/m", "http"),
        ("uvx mcp-proxy --transport streamablehttp https://v.example/m", "https://v.example/m", "http"),
        ("python -m mcp_proxy http://localhost:3/sse", "http://localhost:3/sse", ""),
        ("node /usr/lib/node_modules/mcp-remote/dist/proxy.js https://v.example", "https://v.example", ""),
        ("docker run img:1 mcp-remote https://v.example", "https://v.example", ""),
    ],
)
def test_a_bridge_leads_to_an_address(line, address, way):
    found = launched(line)
    assert found.bridge and (found.bridge.address.text, found.bridge.way) == (address, way)


@pytest.mark.parametrize(
    "line", ["npx -y supergateway --stdio 'npx foo' --port 8000", "mcp-proxy --port 80 npx foo"]
)
def test_a_bridge_the_other_way_round_is_a_server(line):
    assert launched(line).bridge is None


@pytest.mark.parametrize(
    "line", ["docker mcp gateway run", "docker --context x mcp gateway run --port 1", "npx -y mcp-hub"]
)
def test_a_gateway_stands_for_servers_that_are_not_named(line):
    found = launched(line)
    assert found.gateway and found.place.kind == "machine"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("npx -y foo --api-key hunter2 --port 80", "npx -y foo --api-key •••• --port 80"),
        ("node x.js --token=hunter2", "node x.js --token=••••"),
        ("node x.js https://u:p@v.example/m?key=1", "node x.js v.example/m?…"),
        ("node x.js postgres://u:p@v.example/d", "node x.js ••••"),
        ("node x.js ghp_abcdefghijklmnopqrstuvwxyz0123456789", "node x.js ••••"),
        ('node x.js \'{"apiKey": "hunter2"}\'', "node x.js ••••"),
        ("node x.js 'Authorization: Bearer hunter2'", "node x.js ••••"),
        ("/usr/bin/node /home/maria/s.js C:\\Users\\maria\\x", "node ~/s.js ~/x"),
        (
            "uvx --from git+https://v.example/o/r@1a2b3c4d5e6f7a8b9c0d tool",
            "uvx --from git+https://v.example/o/r@1a2b3c4… tool",
        ),
        ("bash -lc 'cd x && y'", "bash -lc …"),
    ],
)
def test_a_command_line_is_shown_without_secrets_and_names(line, shown):
    assert launched(line).shown == shown


@pytest.mark.parametrize(
    "line",
    [
        "",
        "sudo",
        "env",
        "docker",
        "docker run",
        "ssh",
        "npx",
        "bash -c",
        "npx -p",
        "wsl -e",
        "sudo " * 40 + "x",
        "bash -c '\"'",
        "docker run -v",
        "env A=b",
        "bwrap --bind",
    ],
)
def test_half_a_command_line_is_read_as_far_as_it_goes(line):
    assert launched(line).place.kind in ("machine", "sandbox", "other-machine")
