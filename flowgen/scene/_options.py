"""How a picture was asked for: what a user may choose, in one place. Nothing here is worked out from a trace."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ._words import Lang

if TYPE_CHECKING:
    from ._breaches import Breach

Times = Literal["none", "latency", "clock"]
Form = Literal["auto", "duo", "ledger"]
Headers = Literal["none", "mcp", "all"]
Schema = Literal["full", "summary"]
Notes = Literal["none", "brief", "full"]


@dataclass(frozen=True, slots=True)
class Options:
    """The choices of one picture, with their defaults.

    `title` takes the place of the trace's own, `subtitle` that of the facts under it; `date` (the day it begins
    with) is told behind them. `logo` is an image, `footer` a line of text. `full` folds and cuts nothing. `headers`
    tells which HTTP heads are shown, `form` whether two lanes have the JSON between them (`duo`) or beside them
    (`ledger`), `schema` whether a tool's schema stands there as it came or in a few words, `images` whether
    thumbnails stand below, `notes` how much an architecture says of the protocol. `gap` is the least pause in seconds
    that is shown where times are. On `slides` lanes and boxes are narrow and boxes low, so that letters are large.
    `breaches` are marked and listed; None where the recording was not judged.
    """

    lang: Lang = "en"
    times: Times = "none"
    title: str | None = None
    subtitle: str | None = None
    date: str | None = None
    logo: bytes | None = None
    footer: str | None = None
    full: bool = False
    headers: Headers = "mcp"
    form: Form = "auto"
    schema: Schema = "full"
    images: bool = False
    gap: float = 2.0
    notes: Notes = "brief"
    slides: bool = False
    breaches: "tuple[Breach, ...] | None" = None
