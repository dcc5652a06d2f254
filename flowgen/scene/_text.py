"""How wide text is, and where it breaks. Measured by a table in the package, never by fonts of the machine.

Proportional text: DejaVu Sans × 0.96, the widest of the usual faces, so that a box sized by it holds in all of
them. Monospace text: columns of 0.6021 em, two for a wide sign. What belongs together (an accent and its letter,
a family of joined emoji) is one cluster: measured once, never torn. Text is expected to be cleaned.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

MONO = 0.6021  # em, the advance of one monospace column
_EM = 51200  # the table's 2048 units × 25: × 0.96 keeps all widths whole, so sums are the same everywhere
_SCALE = 24
_CJK_WIDTH = _EM
_EMOJI_WIDTH = _EM * 5 // 4
_OTHER_WIDTH = _EM * 65 // 100
_TABLE_END = "\u2c00"

_CJK_SIGNS = (
    r"\u1100-\u11ff\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7ff"
    r"\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff01-\uffef\U0001b000-\U0001b2ff\U00020000-\U0003ffff"
)
_HANGUL_SIGNS = r"\u1100-\u11ff\u3131-\u318f\ua960-\ua97f\uac00-\ud7ff"
_JAMO = re.compile(r"[\u1100-\u11ff]")
_FIRST_JAMO, _FIRST_OTHER = "\u1100", "\u2e80"  # of the Hangul below all other signs, of those others
_KANA = re.compile(r"[\u3041-\u30ff\u31f0-\u31ff]")
# One column a character, and two: signs that stand for themselves, which need no search for clusters.
_NARROW_SIGNS = r"\0-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u2199"
_WIDE_SIGNS = r"\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
# Signs of general use that a font with Chinese draws as wide as a Chinese sign: quotes, arrows, circled numbers, …
_FULL = "[§±¶·×÷\u2010-\u2027\u2035\u203b\u2103-\u2bff]"
# Scripts that are shaped by rules no table holds: every letter, vowel sign and mark is given room of its own.
_SHAPED = "[\u0900-\u109f\u1700-\u17ff\u1900-\u1cff\ua800-\ua95f\ua980-\uabff\U00011000-\U00011fff]"
_NARROW = re.compile(f"[{_NARROW_SIGNS}]*")

# Kinsoku: what must not begin a line, what must not end one.
_CLOSE = "”’）」』》〉】〕］｝，。、；：！？…—·〜ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ,.;:!?)\\]}%"
_OPEN = "“‘（「『《〈【〔［｛"
_PIECE = (
    rf"[{_OPEN}]*(?:[{_CJK_SIGNS}]|[^ \u3000{_OPEN}{_CJK_SIGNS}]+)[{_CLOSE}]*[ \u3000]*|[{_OPEN}]+[ \u3000]*|[ \u3000]+"
)
_ASCII_PIECE = re.compile("[^ ]+ *| +")  # what is left of that in ASCII and "…"
JOINTS = "/=&?._-"  # where a word longer than the line had best break: after one of these
_JOINT = re.compile(rf"[^{re.escape(JOINTS)}]*[{re.escape(JOINTS)}]+|[^{re.escape(JOINTS)}]+")

Measure = Callable[[str], float]


def width(text: str, size: float, weight: int = 400, cjk: bool | None = None) -> float:
    """The width of text in px at a font size in px; `weight` 600 and above is bold.

    `cjk` tells that it stands in a font with Chinese, if the text does not show it: it may be a part of one.
    """
    bold = weight >= 600
    try:
        units = sum(map(_near(bold).__getitem__, text))
    except KeyError:
        units = sum([_cluster_width(cluster, bold) for cluster in clusters(text)])
    return (units + sum([_widened(sign, bold) for sign in _full(text, cjk)])) * size / _EM


def columns(text: str, cjk: bool | None = None) -> int:
    """The width of text in monospace columns; `cjk` as for its width."""
    if text.isascii() or (not cjk and is_narrow(text)):
        return len(text)
    full = len(_full(text, cjk))
    if is_narrow(text):
        return len(text) + full
    if _signs("single").fullmatch(text):
        return len(text) + len(_signs("wide").findall(text)) + full
    return sum(map(_cluster_columns, clusters(text))) + full


@cache
def _signs(kind: str) -> re.Pattern[str]:
    """A pattern over many signs. It takes milliseconds to compile, and most pictures need few or none of them."""
    return re.compile({
        "cjk": f"[{_CJK_SIGNS}]",
        "full": _FULL,
        "hangul": f"[{_HANGUL_SIGNS}]",
        "wide": f"[{_WIDE_SIGNS}]",
        "shaped": _SHAPED,
        "single": f"[{_NARROW_SIGNS}{_WIDE_SIGNS}]*",
        "pieces": _PIECE,
    }[kind])  # fmt: skip


def _widened(sign: str, bold: bool) -> int:
    return max(0, _CJK_WIDTH - _cluster_width(sign, bold))


def _full(text: str, cjk: bool | None) -> Sequence[str]:
    """The signs that are wider here than elsewhere, because a font with Chinese draws them."""
    if text.isascii() or not (has_cjk(text) if cjk is None else cjk):
        return ()
    found: list[str] = _signs("full").findall(text)
    return found


def is_narrow(text: str) -> bool:
    """Whether every character surely takes one column."""
    return text.isascii() or _NARROW.fullmatch(text) is not None


def clusters(text: str) -> Iterable[str]:
    """The text in what a reader takes for single signs."""
    if is_narrow(text) or _signs("single").fullmatch(text):
        return text
    from wcwidth import iter_graphemes

    return iter_graphemes(text)


def has_cjk(text: str) -> bool:
    """Whether any sign is Chinese, Japanese or Korean, full-width punctuation included."""
    if text.isascii() or (last := max(text)) < _FIRST_JAMO:
        return False
    return (_JAMO if last < _FIRST_OTHER else _signs("cjk")).search(text) is not None


def cjk_family(text: str) -> str:
    """The one family to name on a text that has CJK in it: by its kana or Hangul, else simplified Chinese."""
    if _KANA.search(text):
        return "Noto Sans CJK JP"
    return "Noto Sans CJK KR" if _signs("hangul").search(text) else "Noto Sans CJK SC"


def wrap(text: str, size: float, limit: float, weight: int = 400) -> list[str]:
    """The lines of text no wider than `limit` px: broken at spaces, Chinese and Japanese between signs."""
    cjk = has_cjk(text)
    return _wrapped(text, limit, lambda piece: width(piece, size, weight, cjk))


def wrap_columns(text: str, limit: int) -> list[str]:
    """The lines of text no wider than `limit` monospace columns."""
    cjk = has_cjk(text)
    return _wrapped(text, limit, lambda piece: columns(piece, cjk))


def shorten(
    text: str, size: float, limit: float, weight: int = 400, where: Literal["end", "middle"] = "end"
) -> str:
    """The text, if need be cut with `…` so that it is no wider than `limit` px."""
    cjk = has_cjk(text)
    return _shortened(text, limit, lambda piece: width(piece, size, weight, cjk), where)


def shorten_columns(text: str, limit: int, where: Literal["end", "middle"] = "end") -> str:
    """The text, if need be cut with `…` so that it is no wider than `limit` monospace columns."""
    cjk = has_cjk(text)
    return _shortened(text, limit, lambda piece: columns(piece, cjk), where)


def break_pieces(text: str) -> list[str]:
    """The text in parts that a line may end after; each with the spaces behind it."""
    return (_ASCII_PIECE if text.replace("…", "").isascii() else _signs("pieces")).findall(text)


# Breaking


def _wrapped(text: str, limit: float, measure: Measure) -> list[str]:
    return [line for part in text.split("\n") for line in _lines(part, limit, measure)]


def _lines(text: str, limit: float, measure: Measure) -> Iterator[str]:
    if measure(text) <= limit:
        yield text
        return
    line, used = "", 0.0
    for piece in _small_enough(break_pieces(text), limit, measure):
        bare = piece.rstrip(" \u3000")
        if line and used + measure(bare) > limit:
            yield line.rstrip(" \u3000")
            line, used = "", 0.0
        line, used = line + piece, used + measure(piece)
    yield line.rstrip(" \u3000")


def _small_enough(parts: Iterable[str], limit: float, measure: Measure) -> Iterator[str]:
    """The parts, those wider than a line taken apart: at joints such as `/` first, else between clusters."""
    for part in parts:
        if measure(part.rstrip(" \u3000")) <= limit:
            yield part
            continue
        for joint in _JOINT.findall(part):
            yield from [joint] if measure(joint) <= limit else clusters(joint)


def _shortened(text: str, limit: float, measure: Measure, where: str) -> str:
    if measure(text) <= limit:
        return text
    room = limit - measure("…")
    if room < 0:
        return ""
    signs = list(clusters(text))
    if where == "end":
        return _head(signs, room, measure).rstrip() + "…"
    head = _head(signs, room / 2, measure)
    tail = _head(signs[::-1], room - measure(head), measure, backwards=True)
    return f"{head}…{tail}"


def _head(signs: list[str], room: float, measure: Measure, backwards: bool = False) -> str:
    used, count = 0.0, 0
    for sign in signs:
        used += measure(sign)
        if used > room:
            break
        count += 1
    return "".join(reversed(signs[:count]) if backwards else signs[:count])


# The table


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(Path(__file__).with_name("widths.json").read_bytes())
    return table


class _Near(dict[str, int]):
    """The widths of the signs of an ordinary picture; Chinese, Japanese and Korean ones are added as they come."""

    def __missing__(self, char: str) -> int:
        if not _signs("wide").match(char):
            raise KeyError(char)
        self[char] = _CJK_WIDTH
        return _CJK_WIDTH


@cache
def _near(bold: bool) -> _Near:
    table = _table()
    widths = table["bold" if bold else "regular"]["near"]
    return _Near((char, units * _SCALE) for char, units in zip(table["near"], widths, strict=True))


@cache
def _far(bold: bool) -> dict[str, int]:
    found: dict[str, int] = {}
    for run in _table()["bold" if bold else "regular"]["far"].split(";"):
        start, _, advances = run.partition(":")
        code = int(start, 16)
        for advance in advances.split(","):
            units, _, count = advance.partition("*")
            for _ in range(int(count or 1)):
                found[chr(code)] = int(units) * _SCALE
                code += 1
    return found


@lru_cache(4096)
def _cluster_width(cluster: str, bold: bool) -> int:
    first = cluster[0]
    if len(cluster) == 1 and first in _near(bold):
        return _near(bold)[first]
    if has_cjk(first):
        return _CJK_WIDTH
    wide = _cluster_columns(cluster)
    if _is_emoji(cluster, wide):
        return _EMOJI_WIDTH
    if first < _TABLE_END:
        units = _near(bold).get(first) or _far(bold).get(first)
        if units is not None:
            return units if wide else 0
    return _OTHER_WIDTH * wide


def _is_emoji(cluster: str, wide: int) -> bool:
    return wide == 2 or "\ufe0f" in cluster or "\U0001f1e6" <= cluster[0] <= "\U0001f1ff"


@lru_cache(4096)
def _cluster_columns(cluster: str) -> int:
    """0, 1 or 2; more only where several signs are one cluster, as in Indic scripts."""
    if _signs("shaped").match(cluster):
        return len(cluster)
    from wcwidth import wcswidth

    return max(0, wcswidth(cluster))
