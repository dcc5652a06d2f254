"""Data flows of the short form: `client files -> server files: http, POST /mcp, Bearer`, or a table of the same.

An end is called by what it is titled or named, with its kind before it where several are called so, or by its id.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from ._masked import masked
from ._short_words import FLOWS, OF_FLOWS, End, Page, cut, evidenced, usual_kind, usual_label, usual_tls

ARROW = " -> "

_ENDS = ("from", "to")
_SUCH_AS = "such as - client files -> server files: stdio"


class Ends:
    """What data flows may lead to, and what it may be called."""

    def __init__(self, zones: Sequence[Mapping[str, Any]], nodes: Sequence[Mapping[str, Any]], page: Page) -> None:
        self.page = page
        self.parts: dict[str, Mapping[str, Any]] = {part["id"]: part for part in (*zones, *nodes)}
        self.zones = {zone["id"]: zone for zone in zones}
        self.called: dict[str, list[str]] = defaultdict(list)
        for part in (*zones, *nodes):
            for word in dict.fromkeys(_callings(part)):
                self.called[word].append(part["id"])

    def id_of(self, word: str, line: int) -> str:
        """The id of what is called so. Raises ConfigError where nothing is, or several are."""
        if word in self.parts:
            return word
        word = masked(word)
        if word in self.parts:
            return word
        found = self.called.get(word, [])
        if len(found) == 1:
            return found[0]
        if found:
            ways = " or ".join(cut(each) for each in found[:4])
            raise self.page.fault(line, f"{cut(word)!r} may be several things", f"say which: {ways}")
        near = get_close_matches(word, [*self.called, *self.parts], 1)
        hint = f"did you mean {cut(near[0])}?" if near else "a data flow goes between what stands in the file"
        raise self.page.fault(line, f"there is no {cut(word)!r}", hint)

    def word_for(self, id_: str) -> str:
        """The shortest that it can be called without doubt."""
        words = [word for word in _callings(self.parts[id_]) if self.called[word] == [id_] and word not in self.parts]
        return next((word for word in words if _is_plain(word)), id_)

    def end(self, id_: str) -> End:
        """An end with what the data flow's words depend on."""
        part = self.parts[id_]
        lines = part.get("lines") or [""]
        return End(part["kind"], part["title"], part.get("name"), part.get("transport"), lines[0],
                   tuple(self._around(part)))  # fmt: skip

    def _around(self, part: Mapping[str, Any]) -> Iterator[str]:
        place = part["id"] if part["id"] in self.zones else part.get("zone")  # a zone may be an end, too
        for _ in range(len(self.zones)):
            if place not in self.zones:
                return
            yield self.zones[place]["kind"]
            place = self.zones[place].get("parent")


def _callings(part: Mapping[str, Any]) -> Iterator[str]:
    words = [word for word in (part["title"], part.get("name")) if word]
    if part["kind"] == "client":
        words.reverse()  # a number says less than the server's name
    yield from words
    yield from (f"{part['kind']} {word}" for word in words)
    yield part["kind"]


def _is_plain(word: str) -> bool:
    return word == word.strip() and ARROW.strip() not in word and ": " not in word and not word.endswith(":")


def flow_of(row: Any, line: int, ends: Ends, page: Page) -> dict[str, Any]:
    """One data flow of the list. Raises ConfigError."""
    source, target, value = _parts(row, line, page)
    if isinstance(value, dict):
        told = page.values(value, line, OF_FLOWS, lambda key: key in _ENDS)
    else:
        told = _of_text(value, line, page)
    ids = ends.id_of(source, line), ends.id_of(target, line)
    return {"source": ids[0], "target": ids[1], **whole(told, ends.end(ids[0]), ends.end(ids[1]), page.name, line)}


def whole(told: dict[str, Any], source: End, target: End, name: str, line: int) -> dict[str, Any]:
    """What is told of a data flow, and what is usual for the rest."""
    kind = told.get("kind") or usual_kind(source, target)
    inferred = bool(told.get("inferred")) or str(told.get("evidence", "")).startswith("inferred")
    usual: dict[str, Any] = {"tls": usual_tls(kind, target, inferred)}
    tls = told.get("tls", usual["tls"])
    usual["label"] = usual_label(kind, target, tls)
    more = told.pop("more", None) or {}
    return {**more, **usual, **evidenced(told, name, line), "kind": kind}


def _parts(row: Any, line: int, page: Page) -> tuple[str, str, Any]:
    """Source, target, and what is said of it: of a text, of a table with one member, or of one with `from` and `to`."""
    if isinstance(row, dict) and "from" in row and "to" in row:
        return page.raw("from", row["from"], line), page.raw("to", row["to"], line), row
    if isinstance(row, dict) and len(row) == 1:
        ((way, value),) = row.items()
    elif isinstance(row, str):
        way, _, value = row.partition(": ")
    else:
        raise page.fault(line, "flows: expected SOURCE -> TARGET", _SUCH_AS)
    source, arrow, target = (part.strip() for part in way.removesuffix(":").partition(ARROW))
    if not arrow or not source or not target:
        raise page.fault(line, f"flows: expected SOURCE -> TARGET, found {cut(way)!r}", _SUCH_AS)
    return source, target, value or None


def _of_text(value: Any, line: int, page: Page) -> dict[str, Any]:
    """`http, POST /mcp, Bearer`: the kind, and the words that stand on it."""
    if value is None:
        return {}
    kind, *label = page.text("flow", value, line).split(", ")
    if kind not in FLOWS:
        raise page.unknown(line, kind, FLOWS, "kind of data flow")
    return {"kind": kind, "label": label} if label else {"kind": kind}
