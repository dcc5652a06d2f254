"""Pictures that hold images: the bytes travel inside, nothing is loaded, and every renderer shows them."""

import io
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image as Pixels

from flowgen import api
from tests.backends.test_svg import forbidden
from tests.scene.test_images import FORMS, content, pixels
from tests.traces import SVG, answers, asks, trace_of

LINK = "{http://www.w3.org/1999/xlink}href"
RED = (200, 60, 40)


def picture(*forms: str) -> api.Drawing:
    return holding(*[pixels(form, 120, 80) for form in forms])


def holding(*images: bytes) -> api.Drawing:
    contents = [content(data) for data in images]
    return api.drawing(trace_of(asks("tools/call", 1), answers(1, content=contents)), theme="light", images=True)


def test_an_image_holds_its_own_bytes_and_nothing_is_loaded() -> None:
    svg = picture(*FORMS).svg
    assert forbidden(svg) == ["<image"]
    links = [node.get(LINK) or "" for node in ET.fromstring(svg).iter(f"{SVG}image")]
    assert len(links) == 4
    assert all(re.fullmatch(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*", link) for link in links)


@pytest.mark.parametrize("form", FORMS)
def test_cairo_draws_it(form: str) -> None:
    drawing = picture(form)
    (node,) = ET.fromstring(drawing.svg).iter(f"{SVG}image")
    made = Pixels.open(io.BytesIO(drawing.png(2))).convert("RGB")
    place = (int(2 * float(node.get("x") or 0)) + 120, int(2 * float(node.get("y") or 0)) + 80)
    seen = made.getpixel(place)
    assert isinstance(seen, tuple)
    assert max(abs(one - other) for one, other in zip(seen, RED, strict=True)) < 8


@pytest.mark.parametrize("form", ["png", "pdf"])
def test_a_broken_image_is_told_and_the_picture_is_drawn_without_it(form: str) -> None:
    data = bytearray(pixels("PNG", 120, 80))
    data[60:70] = b"\xaa" * 10
    drawing = holding(bytes(data))
    assert "<image" in drawing.svg
    with pytest.warns(UserWarning, match="an image is broken and left out"):
        (drawn,) = drawing.files(form)
    assert drawn.startswith((b"\x89PNG", b"%PDF"))
