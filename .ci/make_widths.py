"""Makes flowgen/scene/widths.json anew from the DejaVu fonts. For developers; a picture needs neither fonts nor this.

    pip install fonttools
    python .ci/make_widths.py /usr/share/fonts/truetype/dejavu

The file holds advances in font units (2048 to the em) of DejaVu Sans, regular and bold, below U+2C00.
`near` are the signs of the ordinary picture, one number each. `far` is everything else, read only when it is
needed: runs `START:ADVANCE,ADVANCE*COUNT` with the first code point in hex, joined by `;`.
"""

import itertools
import json
import sys
from collections.abc import Iterable
from pathlib import Path

from fontTools.ttLib import TTFont

OUT = Path(__file__).parent.parent / "flowgen" / "scene" / "widths.json"
FONTS = {"regular": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}
END = 0x2C00  # above it glyphs are measured by class, not by table
NEAR = [
    *map(chr, [*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x100)]),
    *"–—‘’“”„†‡•…‰′″‹›€™←↑→↓↔⇒−∞≈≠≤≥✓✗",
]


def advances(path: Path) -> dict[int, int]:
    """Code point -> advance of a font, in font units."""
    font = TTFont(path)
    metrics = font["hmtx"]
    return {code: metrics[name][0] for code, name in sorted(font.getBestCmap().items()) if 0x20 <= code < END}


def packed(widths: dict[int, int]) -> str:
    """The advances as runs of neighbouring code points."""
    runs = itertools.groupby(enumerate(sorted(widths)), lambda pair: pair[1] - pair[0])
    return ";".join(_run([code for _, code in run], widths) for _, run in runs)


def _run(codes: list[int], widths: dict[int, int]) -> str:
    return f"{codes[0]:x}:" + ",".join(_counted(widths[code] for code in codes))


def _counted(values: Iterable[int]) -> Iterable[str]:
    for value, same in itertools.groupby(values):
        count = len(list(same))
        yield str(value) if count == 1 else f"{value}*{count}"


def main(folder: str) -> None:
    """Writes the table: one line a weight, so that a change of font is readable as a difference."""
    table: dict[str, object] = {"font": "DejaVu Sans 2.37", "near": "".join(NEAR)}
    for weight, name in FONTS.items():
        widths = advances(Path(folder) / name)
        far = {code: width for code, width in widths.items() if chr(code) not in NEAR}
        table[weight] = {"near": [widths[ord(char)] for char in NEAR], "far": packed(far)}
    lines = (f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=True)}" for key, value in table.items())
    OUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1])
