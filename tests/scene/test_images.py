"""Thumbnails: shown when asked for, told by their bytes, never larger than their frame, never an SVG."""

import base64
import io
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Pixels

from flowgen import api
from flowgen.scene import Image, flat
from flowgen.scene._image_sizes import image_size
from flowgen.scene._images import thumbnail
from tests.traces import answers, asks, trace_of

FORMS = ["PNG", "JPEG", "GIF", "WEBP"]


def pixels(form: str, wide: int = 30, high: int = 20, **options: Any) -> bytes:
    made = io.BytesIO()
    Pixels.new("RGB", (wide, high), (200, 60, 40)).save(made, form, **options)
    return made.getvalue()


def shown(*contents: dict[str, Any], **options: Any) -> list[Image]:
    trace = trace_of(asks("tools/call", 1, name="chart"), answers(1, content=list(contents)))
    scene = api.drawing(trace, **options).scene
    return [shape for shape in flat(scene.shapes) if isinstance(shape, Image)]


def content(data: bytes, kind: str = "image/png") -> dict[str, Any]:
    return {"type": "image", "data": base64.b64encode(data).decode(), "mimeType": kind}


@pytest.mark.parametrize("form", FORMS)
def test_an_image_tells_its_kind_and_size(form: str) -> None:
    assert image_size(pixels(form, 123, 45)) == (f"image/{form.lower()}", 123, 45)


def test_every_form_of_webp_tells_its_size() -> None:
    assert image_size(pixels("WEBP", 77, 33, lossless=True)) == ("image/webp", 77, 33)
    assert image_size(pixels("WEBP", 77, 33, exif=b"Exif\0\0")) == ("image/webp", 77, 33)


def test_a_frame_larger_than_its_gif_counts() -> None:
    data = bytearray(pixels("GIF", 8, 8))
    place = data.index(b"\x2c")
    data[place + 5 : place + 9] = struct.pack("<HH", 5000, 6000)
    assert image_size(bytes(data)) == ("image/gif", 5000, 6000)


def test_images_are_shown_only_when_asked_for() -> None:
    assert not shown(content(pixels("PNG")))
    assert len(shown(content(pixels("PNG")), images=True)) == 1


@pytest.mark.parametrize(("size", "drawn"), [((30, 20), (30, 20)), ((480, 480), (160, 160)), ((2400, 10), (240, 1))])
def test_a_thumbnail_keeps_its_shape_and_is_never_enlarged(size: tuple[int, int], drawn: tuple[int, int]) -> None:
    (image,) = shown(content(pixels("PNG", *size)), images=True)
    assert (image.width, image.height) == drawn


def test_what_an_image_is_its_bytes_tell() -> None:
    (image,) = shown(content(pixels("GIF"), "image/png"), images=True)
    assert image.kind == "image/gif"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
    assert not shown(content(svg, "image/png"), content(svg, "image/svg+xml"), content(b"", "image/png"), images=True)


def test_an_image_with_an_svg_inside_is_none() -> None:
    """cairosvg takes whatever holds `<svg` for one."""
    assert thumbnail(pixels("JPEG", comment=b"<svg onload='x'>")) is None


def test_an_image_that_says_it_is_huge_is_left_out() -> None:
    data = bytearray(pixels("PNG"))
    data[16:24] = struct.pack(">II", 60_000, 60_000)
    assert thumbnail(bytes(data)) is None
    assert thumbnail(pixels("PNG") + b"\0" * 600_000) is None


def test_resources_and_icons_are_images_too() -> None:
    text = base64.b64encode(pixels("PNG")).decode()
    contents = [{"uri": "x", "blob": text, "mimeType": "image/png"}, {"src": f"data:image/png;base64,{text}"}]
    assert len(shown(*contents, images=True)) == 2


def test_many_images_stand_in_rows_inside_their_box() -> None:
    found = shown(*[content(pixels("PNG", 500, 300))] * 9, images=True)
    assert len(found) == 6
    assert {(image.x, image.y) for image in found} == {(x, found[0].y + y) for x in (336, 588) for y in (0, 156, 312)}


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(FORMS), st.integers(0, 60), st.binary(max_size=30), st.booleans())
def test_any_bytes_are_an_image_or_none(form: str, keep: int, more: bytes, whole: bool) -> None:
    found = image_size(pixels(form)[:keep] + more + (pixels(form)[keep:] if whole else b""))
    assert found is None or found[0].startswith("image/")
