"""Options of a picture's looks that stand around the rows: subtitle, date, logo, footer, fonts, images, schemas."""


import click

from ._options import adding
from ._words import FILE

_OPTIONS = (
    click.option("--subtitle", metavar="TEXT", help="What stands under the title instead of the facts."),
    click.option("--date", is_flag=True, help="Tell the day of the recording under the title."),
    click.option("--logo", metavar="FILE", type=FILE, help="A PNG, JPEG, GIF or WebP for the upper left corner."),
    click.option("--footer", metavar="TEXT", help="A line at the lower right."),
    click.option("--embed-fonts", is_flag=True, help="Let the letters of an SVG travel in it, for browsers."),
    click.option("--schema", default="full", show_default=True, type=click.Choice(["full", "summary"]),
                 help="Schemas of tools as they came, or a line for each property."),
    click.option("--images", is_flag=True, help="Show the images of a message as thumbnails in its box."),
)  # fmt: skip


looks = adding(_OPTIONS)
