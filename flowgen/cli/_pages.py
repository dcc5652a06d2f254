"""Options of a picture's pages."""


import click

from ._options import adding


class _Number(click.FloatRange):
    name = "number"


_OPTIONS = (
    click.option("--pages", is_flag=True, help="Cut svg or png into pages: flow-1.svg, flow-2.svg, … (pdf always)."),
    click.option("--page-height", type=_Number(min=1), metavar="PX",
                 help="Height of a page at most, in px of the svg.  [default: 1600]"),
    click.option("--page-size", metavar="SIZE",
                 help="a4, a3, letter, 16:9 (slides: a step begins one), fit, or WxH in mm.  [default of a pdf: a4]"),
    click.option("--landscape", is_flag=True, help="Pages that lie on their long side."),
)  # fmt: skip


paged = adding(_OPTIONS)
