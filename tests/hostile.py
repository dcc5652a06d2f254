"""Strings that act in some grammar, and a trace that has them wherever a stranger can put one."""

from typing import Any
from urllib.parse import urlencode

from tests.traces import answers, asks, refuses, tells, text_message, trace_of

MERMAID = (
    ";", "#", "%%", "%%{init: {'theme': 'dark'}}%%", "end", "end; p1->>p2: x", "#59;", "#quot;", "&lt;", "ﬂ°°59¶ß",
    "style: #35;x;", "classDef a:#fff;", "wrap: x", "nowrap:x", "$$\\frac{1}{2}$$", "rect", "loop", "alt", "and",
    "participant x", "actor", "as x", '@{ "type": "database" }', "accTitle: x", "accDescr { x", "autonumber",
    'click A href "javascript:alert(1)"', "link p1: x @ http://x", 'links p1: {"a": "b"}', "create participant z",
    "destroy p1", "box red", "break x", "critical", "option", "Note over p1: x", "---", "title x",
)  # fmt: skip
PLANTUML = (
    "@enduml", "@startuml", "!include {planted}", "!includeurl file://{planted}", "!include_many {planted}",
    "!pragma teoz true", '%load_json("{planted}")', '%getenv("HOME")', '%file_exists("{planted}")', "%string(1)",
    "<img:{planted}>", "<img:file://{planted}>", "[[file://{planted} link]]", "<U+0041>", "&#65;", "~<b>x", "$foo",
    "!$a = 1", "/' comment '/", "' comment", "|a|b|", "{{{{\n@startuml\n}}}}", "<latex>x</latex>", "<code>x</code>",
    "<$sprite>", "<&icon>", "<:smile:>", "\\n\\t\\\\", "end note", "legend", "endlegend", "== x ==", "...", "|||",
    "newpage", "!theme x", "!define A B", "skinparam x y", "ref over p1 : x", "return x", "activate p1", "hide p1",
)  # fmt: skip
MARKUP = (
    "<script>alert(1)</script>", "<b>bold</b><br/>", "<svg onload=alert(1)>", "<a href='javascript:x'>x</a>",
    "<iframe src=file://{planted}>", "]]>", "<!--", "-->", "```\n# heading\n```", "`tick`", "**bold** __u__ //i//",
    '""mono""', "~~w~~", "* item", "# item", "[x](http://example.com)", "![x](http://example.com/x.png)", "| a | b |",
    "@maintainer", "#123", "GH-123", "https://example.com/x", "www.example.com", "me@example.com", "1. one", "- x",
)  # fmt: skip
SIGNS = (
    '"quotes" \'single\'', "line\nbreak\r\nend", "\u202eevil\0\x1b]8;;http://x\x07", "\ud800", "a" * 300, "{", "}}", "",
    "   ", "中文；，。：“”", "😀👨‍👩‍👧", "->", "a:b", "\x9b31m", "\x1b[2J",
)  # fmt: skip


def strings(planted: str = "/planted.txt") -> list[str]:
    """All of them; `planted` is a file that none of them may bring in."""
    return [each.replace("{planted}", planted) for each in (*MERMAID, *PLANTUML, *MARKUP, *SIGNS)]


def trace(planted: str = "/planted.txt", title: str | None = None) -> Any:
    """Each string as method, tool, argument, text, description, stderr, noise, step, id, error, HTTP head and form."""
    known = strings(planted)
    rows = [row for number, text in enumerate(known) for row in _rows(number, text)]
    rows += [asks("tools/list", "list"), answers("list", tools=[_tool(text) for text in known])]
    named = [{"id": id_, "role": id_, "title": title or known[3]} for id_ in ("client", "server")]
    end = {"complete": False, "reason": "server-exited", "exit_code": 1, "signal": title or known[0]}
    return trace_of(*rows, title=title or known[3], participants=named, outcome=end)


def _rows(number: int, text: str) -> list[dict[str, Any]]:
    return [
        asks("tools/call", number, name=text, arguments={text: text, "a": [text]}),
        answers(number, content=[{"type": "text", "text": text}], isError=True),
        asks(text, text, x=text),
        refuses(text, -32000, text),
        text_message("stderr", text),
        text_message("noise", text, "not-json"),
        {**tells(text), "step": {"title": text}},
        _form(number, text),
    ]


def _form(number: int, text: str) -> dict[str, Any]:
    heads = [["Content-Type", "application/x-www-form-urlencoded"], ["Location", text], [text, text]]
    http = {"method": text or "POST", "url": f"http://x/?{text}", "headers": heads}
    body = urlencode({text: text}, errors="surrogatepass")
    return {"sender": "client", "receiver": "server", "kind": "http", "transport": "http", "exchange": number,
            "http": http, "text": body}  # fmt: skip


def _tool(text: str) -> dict[str, Any]:
    schema = {"type": "object", "properties": {text: {"type": text, "enum": [text]}}}
    return {"name": text, "title": text, "description": text, "inputSchema": schema}


def topology(planted: str = "/planted.txt") -> dict[str, Any]:
    """Each string as title, name, line and badge of a node, title of a zone, label, host, path and finding."""
    known = strings(planted)
    zones = [{"id": f"z{n}", "kind": ("vendor", "machine", "unknown")[n % 3], "title": text, "note": text,
              "parent": f"z{n - 1}" if n % 4 else None} for n, text in enumerate(known)]  # fmt: skip
    nodes = [{"id": text, "kind": ("server", "person", "model", "store", "auth", "gateway")[n % 6], "title": text,
              "name": text, "zone": f"z{n}", "lines": [text], "badges": [text]}
             for n, text in enumerate(known)]  # fmt: skip
    pairs = list(zip(known, [*known[1:], "nobody's id"], strict=True))
    kinds = ("http", "oauth", "stdio", "ssh", "own-token", "approval", "tool-call")
    evidence = {"kind": "file", "where": known[0]}
    flows = [{"source": one, "target": other, "kind": kinds[n % 7], "label": [one, other], "evidence": evidence}
             for n, (one, other) in enumerate(pairs)]  # fmt: skip
    findings = [{"code": text, "severity": "high", "message": text, "server": text, "where": text} for text in known]
    return {"title": known[3], "zones": zones, "nodes": nodes, "flows": flows, "findings": findings}
