"""The page that is explored in a browser: one file that needs no network and works from a disk.

Everything of strangers rides as data and becomes text in the browser; the only script is ours, and the page's policy
lets no other one run. With scripts off there is the picture, and every message to be opened.
"""

import hashlib
import json
import re
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from flowgen.flow import Flow
from flowgen.scene import Options, Theme, telling

from ._html_flow import flow_page
from ._html_plain import blocks

_SCRIPTS = ("dom", "look", "json", "rows", "panel", "list", "search", "play", "tools", "flow", "main")
_ACTING = re.compile("[<\u2028\u2029\ud800-\udfff]")
_FOLDER = files("flowgen.backends")


def flow_html(flow: Flow, options: Options, theme: Theme, picture: str, watch: str | None = None) -> str:
    """The page of a recording; `picture` is its SVG. With `watch`, the state that it shows, it asks for a newer one."""
    told = telling(flow, options)
    return filled(
        "viewer.html.j2", theme, flow_data(flow, options, watch), _SCRIPTS, watch is not None,
        heading=told.heading, subtitle=told.subtitle, description=told.description, outcome=told.outcome,
        verdict=told.verdict, told=told, blocks=blocks(told), picture=Markup(picture),
    )  # fmt: skip


def flow_data(flow: Flow, options: Options, watch: str | None = None) -> str:
    """The data of the page, as JSON that can stand in a script element; `watch` is the state of what it was made of."""
    return embedded_json(flow_page(flow, options) | {"watch": watch})


def embedded_json(data: Any) -> str:
    """JSON without a sign that could end the element around it, or that UTF-8 cannot hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _ACTING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def filled(name: str, theme: Theme, data: str, scripts: tuple[str, ...], watched: bool, **values: Any) -> str:
    """A page made of its template, its data and the parts of its script."""
    read = FunctionLoader(lambda asked: (_FOLDER / asked).read_text("utf-8"))
    made = Environment(loader=read, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    page = made.get_template(name).render(
        policy=_policy(script(scripts), watched), script=Markup(script(scripts)), style=Markup(_style(theme)),
        data=Markup(data), mode=theme.mode, **values,
    )  # fmt: skip
    return page.lstrip() + "\n"


@cache
def script(parts: tuple[str, ...] = _SCRIPTS) -> str:
    """The page's script: its parts in one function, so that they share names with nothing else."""
    texts = [(_FOLDER / f"viewer_{part}.js").read_text("utf-8") for part in parts]
    return "\n(() => {\n'use strict';\n" + "\n".join(texts) + "})();\n"


def _policy(code: str, watched: bool) -> str:
    """What the browser lets the page do: show itself. One that is watched may ask its own server, too."""
    digest = b64encode(hashlib.sha256(code.encode()).digest()).decode()
    asks = "connect-src 'self'; " if watched else ""
    return (f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; {asks}"
            f"script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'")  # fmt: skip


def _style(theme: Theme) -> str:
    """The colours of the theme as variables, then the sheet."""
    light, dark = (_variables(colours) for colours in (theme.light, theme.dark))
    return "\n".join([
        f":root{{color-scheme:light;{light}}}",
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}",
        f"@media print{{:root:root:root{{color-scheme:light;{light}}}}}",
        (_FOLDER / "viewer.css").read_text("utf-8"),
        *(_lane(role.split(".")[1]) for role in theme.light if role.startswith("lane.") and role.endswith(".header")),
    ])  # fmt: skip


def _lane(role: str) -> str:
    """The rules of a lane's colours."""
    return (f".lane.role-{role}{{background:var(--lane-{role}-header)}}"
            f".stripe.role-{role}{{background:var(--lane-{role}-tint);border-color:var(--lane-{role}-border)}}"
            f".stripe.role-{role}::after{{border-color:var(--lane-{role}-life)}}"
            f".wait.role-{role}{{background:var(--lane-{role}-wait)}}")  # fmt: skip


def _variables(colours: Any) -> str:
    return "".join(f"--{role.replace('.', '-')}:{colour};" for role, colour in colours.items())
