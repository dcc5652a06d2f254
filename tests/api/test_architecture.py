"""From a host's config file to a picture: formats, options, and what goes wrong."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from flowgen import api
from flowgen.errors import UsageError
from tests.bench.config import config
from tests.costs import instructions
from tests.traces import SAMPLES

CONFIG = b'{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-example", "~"]}}}'


def picture(**options: object) -> api.Architecture:
    return api.architecture([("mcp.json", CONFIG)], **options)  # type: ignore[arg-type]


def test_a_config_file_is_drawn_in_every_format_of_the_table() -> None:
    starts = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF", "json": b"{",
              "md": b"<!--", "mermaid": b"---", "dot": b"//", "txt": b"mcp.json", "plantuml": b"@startuml",
              "drawio": b"<mxfile"}  # fmt: skip
    assert {form: picture().files(form)[0][: len(start)] for form, start in starts.items()} == starts


def test_the_same_file_gives_the_same_bytes() -> None:
    assert picture().svg == picture().svg


def test_the_picture_takes_the_options_of_a_drawing() -> None:
    svg = picture(title="Mine", lang="zh", theme="dark", footer="internal", width=400).svg
    assert ">Mine<" in svg and "开发者" in svg and "#0d1117" in svg and ">internal<" in svg and 'width="400"' in svg


def test_a_long_file_has_pages(tmp_path: Path) -> None:
    servers = ",".join(f'"s{number}": {{"command": "s{number}"}}' for number in range(50))
    many = api.architecture([("mcp.json", f'{{"mcpServers": {{{servers}}}}}'.encode())], pages=True, full=True)
    assert len(many.svg_pages()) == 2 and ">s49<" in many.svg_pages()[1]


@pytest.mark.parametrize("options", [{"lang": "fr"}, {"width": 0}, {"logo": b"no image"}])
def test_what_cannot_be_drawn_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        picture(**options)


def test_a_format_that_there_is_not_is_told() -> None:
    with pytest.raises(UsageError, match="not written as gif"):
        picture().files("gif")


def test_a_graph_is_not_drawn_of_a_recording() -> None:
    with pytest.raises(UsageError, match="a swim lane is not written as dot"):
        api.drawing(api.load(SAMPLES / "seed.json")).files("dot")


def test_a_server_more_takes_some_ten_thousand_instructions() -> None:
    def work(servers: int) -> int:
        files = [("mcp.json", config(servers))]
        return instructions(lambda: api.architecture(files).svg)

    work(5)
    assert (work(120) - work(30)) / 90 < 28_000


def test_the_picture_of_a_config_loads_nothing_of_documents_and_recordings() -> None:
    code = """
import sys
from flowgen import api
assert api.architecture([("mcp.json", b'{"mcpServers": {"a": {"url": "https://a.example/mcp"}}}')]).svg
slow = {"pydantic", "pydantic_core", "jinja2", "httpx", "importlib.metadata", "importlib.resources", "email"}
print(*slow & sys.modules.keys(), *(name for name in sys.modules if name.startswith("flowgen.flow")))
"""
    done = run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == []


def test_four_times_the_servers_take_four_times_the_work() -> None:
    def work(servers: int) -> int:
        files = [("mcp.json", config(servers))]
        return instructions(lambda: [api.architecture(files, full=True).files(form) for form in ("svg", "drawio")])

    work(5)
    assert work(120) < 4.6 * work(30)
