"""What sandboxes let in and out, by command lines."""

import shlex

import pytest

from flowgen.topology._document import Word
from flowgen.topology._fields import given
from flowgen.topology._json import read_json
from flowgen.topology._launch import launch
from flowgen.topology._maps import Entry

LINES = [
    ("deno run s.ts", "deno permissions", "nothing granted"),
    ("deno run --allow-net s.ts", "deno permissions", "network: any"),
    ("deno run -NRW=./d --allow-env=A,B,C,D s.ts", "deno permissions",
     "network: ./d; reads: ./d; writes: ./d; variables: A, B, C, +1"),
    ("deno run --allow-run s.ts", "deno permissions", "starts programs outside of it"),
    ("deno run --allow-run=git --allow-ffi s.ts", "deno permissions",
     "starts programs outside of it: git; loads native code outside of it"),
    ("deno run -P=tight s.ts", "deno permissions", "permission set: tight"),
    ("deno run -NA s.ts", "", ""),
    ("deno run --allow-all jsr:@a/b", "", ""),
    ("deno task start", "", ""),
    ("bwrap --bind /srv/a /a node x.js --ro-bind b c", "bwrap", "network: the machine's; writes: /srv/a"),
    ("bwrap --unshare-all --share-net true", "bwrap", "network: the machine's"),
    ("bwrap --unshare-all -- node x.js", "bwrap", "network: none"),
    ("firejail --private=./h --whitelist=~/a node x.js", "firejail", "network: the machine's; home: ./h; home: ~/a"),
    ("sandbox-exec -p '(version 1)(deny network*)' node x.js", "sandbox-exec", "profile: inline"),
    ("sandbox-exec -n no-internet node x.js", "sandbox-exec", "profile: no-internet"),
    ("srt --settings s.json node x.js", "sandbox-runtime", "profile: s.json"),
    ("npx -y @anthropic-ai/sandbox-runtime node x.js", "sandbox-runtime", ""),
    ("codex sandbox linux --permission-profile tight -- node x.js", "codex sandbox", ""),
    ("distrobox enter box -- node x.js", "distrobox", "shares the home; not made to isolate"),
    ("podman run --network=none -v ./a:/a:ro -v ./b:/b i:1", "container",
     "network: none; reads: ./a; reads and writes: ./b"),
    ("docker run --net host i:1", "container", "network: the machine's"),
    ("docker run i:1 deno run -N s.ts", "container", ""),
]  # fmt: skip


@pytest.mark.parametrize(("line", "title", "granted"), LINES)
def test_a_sandbox_says_what_it_lets_in_and_out(line: str, title: str, granted: str) -> None:
    found = launch([Word(part, 1) for part in shlex.split(line)])
    assert (found.place.name, "; ".join(found.grants)) == (title, granted)


@pytest.mark.parametrize(("line", "program"), [
    ("srt -c 'node x.js'", "node"), ("codex sandbox --permission-profile tight -- npx a", "a"), ("srt npx a", "a"),
    ("deno run -N npm:@a/b", "@a/b"),
])  # fmt: skip
def test_what_runs_inside_is_looked_into(line: str, program: str) -> None:
    assert launch([Word(part, 1) for part in shlex.split(line)]).program == program


def test_no_secret_and_no_user_stands_in_a_grant() -> None:
    line = "deno run --allow-read=/home/jane/x,sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56 s.ts"
    assert launch([Word(part, 1) for part in line.split()]).grants == ("reads: ~/x, ••••",)


@pytest.mark.parametrize(("rules", "granted"), [
    ('{"network": {"allowedDomains": ["a.example"]}, "filesystem": {"allowWrite": [], "denyRead": ["~/.ssh"]}}',
     ("network: a.example", "writes: none", "never: ~/.ssh")),
    ('{"network": [], "filesystem": {"allowWrite": "x"}}', ()), ('"strict"', ()),
])  # fmt: skip
def test_what_a_file_declares_of_a_sandbox_is_told(rules: str, granted: tuple[str, ...]) -> None:
    body = read_json(f'{{"command": "node", "sandboxEnabled": true, "sandbox": {rules}}}')
    assert given(Entry("a", body, 1)).grants == granted
