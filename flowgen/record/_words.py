"""Text of servers for the terminal: nothing in it can move the cursor, hide, or change direction."""


class Cancelled(Exception):
    """The person at the terminal went away."""


def printable(text: str, width: int = 200) -> str:
    """One line without control, format or bidirectional signs; those are shown as code points. Cut at `width`."""
    shown = "".join(sign if sign.isprintable() else _code_point(sign) for sign in text[: width * 4])
    return shown if len(shown) <= width else f"{shown[: width - 1]}…"


def _code_point(sign: str) -> str:
    return " " if sign in "\t\n\r" else f"<U+{ord(sign):04X}>"
