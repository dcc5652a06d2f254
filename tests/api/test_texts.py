"""Drawings as text, from Python: formats by suffix, options, files beside a snippet."""

import pytest

import flowgen
from flowgen import api
from flowgen.errors import TemplateError, UsageError
from tests.traces import SAMPLES


@pytest.fixture(scope="module")
def trace():
    return flowgen.load(SAMPLES / "seed.json")


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("x.txt", "   "), ("x.mmd", "---\nconfig"), ("x.mermaid", "---\nconfig"), ("x.puml", "@startuml"),
        ("x.plantuml", "@startuml"), ("x.md", "<!-- Made by flowgen"), ("x.markdown", "<!-- Made by flowgen"),
    ],
)  # fmt: skip
def test_the_suffix_tells_the_format(trace, tmp_path, name, begins):
    flowgen.render(trace, tmp_path / name)
    assert (tmp_path / name).read_text("utf-8").startswith(begins)


@pytest.mark.parametrize("form", ["mmd", "puml", "markdown", "MERMAID"])
def test_a_format_may_be_called_by_its_suffix(form):
    assert api.format_of(None, form) in api.FORMATS


def test_a_drawing_has_every_text(trace):
    drawing = flowgen.drawing(trace, columns=72, ascii=True, lang="zh", notes="none")
    assert drawing.txt().isascii() and max(map(len, drawing.txt().splitlines())) == 72
    assert "initialize 请求" in drawing.mermaid() and "initialize 请求" in drawing.plantuml()
    assert 'src="flow.svg"' in drawing.markdown() and 'src="a.svg"' in drawing.markdown("x/a.md")


def test_text_needs_no_layout(trace):
    drawing = flowgen.drawing(trace)
    for form in ("txt", "mermaid", "plantuml", "json"):
        drawing.files(form)
    assert "scene" not in vars(drawing)


def test_a_snippet_is_written_with_its_pictures(trace, tmp_path):
    flowgen.render(trace, tmp_path / "a.md", theme="contrast")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-dark.svg", "a.md", "a.svg"]
    assert (tmp_path / "a.svg").read_text("utf-8") == flowgen.drawing(trace, theme="contrast:light").svg
    assert (tmp_path / "a-dark.svg").read_text("utf-8") == flowgen.drawing(trace, theme="contrast:dark").svg


def test_a_template_is_a_file_or_its_text(trace, tmp_path):
    (tmp_path / "t.j2").write_text("{{ facts.messages }}", "utf-8")
    flowgen.render(trace, tmp_path / "x.svg", template=tmp_path / "t.j2")
    assert (tmp_path / "x.svg").read_text("utf-8") == "10"
    assert flowgen.drawing(trace, template=("own", "{{ format }}")).template() == "flowgen.flow/1"
    (tmp_path / "latin.j2").write_bytes("ä".encode("latin-1"))
    with pytest.raises(TemplateError, match="not UTF-8"):
        flowgen.drawing(trace, template=tmp_path / "latin.j2").template()
    with pytest.raises(TemplateError, match="No such file"):
        flowgen.drawing(trace, template="nowhere.j2").template()
    with pytest.raises(UsageError, match="needs a template"):
        flowgen.drawing(trace).template()


@pytest.mark.parametrize("columns", [59, 1001])
def test_columns_have_bounds(trace, columns):
    with pytest.raises(UsageError, match=f"--columns {columns}: expected columns from 60 to 1,000"):
        flowgen.drawing(trace, columns=columns)


def test_a_template_without_end_is_refused(trace, tmp_path):
    (tmp_path / "own.j2").write_bytes(b" " * (5 << 20))
    with pytest.raises(TemplateError, match="more than 4 MB"):
        flowgen.drawing(trace, template=tmp_path / "own.j2").template()
