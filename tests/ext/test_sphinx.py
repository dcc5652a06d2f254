"""Sphinx itself, on a small project: every builder shows the pictures, and none vanishes."""

import io
import re
import shutil
import warnings
import zipfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from pypdf import PdfReader
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

SITE = Path(__file__).parent / "site"
PICTURES = 4
BROKEN = """Broken
======

.. flowgen:: nothing.json
   :caption: Not there

.. flowgen::

   {"mcpServers": 3

.. flowgen:: ../../mkdocs/docs/mcp.json
   :view: side
"""


class Built:
    """What a builder made: its folder, the warnings, the pages that were read."""

    def __init__(self, source: Path, builder: str, doctrees: str = "doctrees", **settings: object) -> None:
        self.folder, said = source.parent / builder, io.StringIO()
        with warnings.catch_warnings(), redirect_stdout(said), redirect_stderr(said), docutils_namespace():
            warnings.simplefilter("ignore")  # Sphinx and its theme are not ours
            with patch_docutils(source):
                app = Sphinx(source, source, self.folder, source.parent / doctrees, builder,
                             confoverrides=settings, status=io.StringIO(), warning=said)  # fmt: skip
                self.read: list[str] = []
                app.connect("source-read", lambda app, page, text: self.read.append(page))
                app.build()
        self.told = said.getvalue()


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sphinx") / "site"
    shutil.copytree(SITE, folder)
    return folder / "sphinx"


@pytest.fixture(scope="module")
def html(source: Path) -> Built:
    return Built(source, "html")


def test_html_shows_every_picture_and_warns_of_nothing(html: Built) -> None:
    page = (html.folder / "index.html").read_text()
    assert html.told == ""
    assert len([*(html.folder / "_images").glob("*.svg")]) == PICTURES - 1  # one stands in the page
    assert re.search(r'<figure class="align-center" id="session">\s*(<a [^>]*>)?<img alt="4 steps, 10 messages', page)
    assert "What is <em>said</em>" in page and "width: 80%" in page
    assert 'class="flowgen wide' in page and re.search(r'href="#session"', page)


def test_words_themes_and_defaults_reach_the_pictures(html: Built) -> None:
    pictures = [path.read_text() for path in (html.folder / "_images").glob("*.svg")]
    (inline,) = re.findall(r'<div class="flowgen.*?</div>', (html.folder / "index.html").read_text(), re.DOTALL)
    assert "工具执行" in inline and "#6d28d9" in inline  # the colour of own.toml
    assert not [text for text in pictures if "Version negotiation" in text]  # flowgen_defaults: no notes
    assert [text for text in pictures if "files-mcp@1.2.0" in text]


def test_a_picture_in_the_page_itself_follows_the_theme_and_has_anchors(html: Built) -> None:
    page = (html.folder / "index.html").read_text()
    opening = '<div class="flowgen align-right" id="a-call" role="group" aria-label="one call"><svg style="width:600px;'
    assert opening in page and 'id="a-call-m-6"' in page and ':root[data-theme="dark"] .fg-bg' in page
    assert 'href="#a-call"' in page
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len({*ids})


def test_other_builders_show_what_they_can(html: Built, source: Path) -> None:
    latex = Built(source, "latex")
    tex = (latex.folder / "asitewithpictures.tex").read_text()
    assert latex.told == "" and tex.count("sphinxincludegraphics") == PICTURES == len([*latex.folder.glob("*.pdf")])
    text = Built(source, "text")
    assert text.told == "" and "[image: 4 steps, 10 messages" in (text.folder / "index.txt").read_text()
    epub = Built(source, "epub", copyright="nobody")
    with zipfile.ZipFile(next(epub.folder.glob("*.epub"))) as book:
        assert epub.told == "" and len([name for name in book.namelist() if name.endswith(".svg")]) == PICTURES


def test_translators_get_the_caption(source: Path) -> None:
    gettext = Built(source, "gettext", "translated", gettext_additional_targets=["image"])
    told = " ".join(path.read_text() for path in gettext.folder.glob("*.pot"))
    assert gettext.told == "" and 'msgid "What is *said*"' in told and re.search(r"index.rst:4\n", told)


def test_a_page_is_read_again_when_what_it_draws_has_changed(html: Built, source: Path) -> None:
    assert Built(source, "html").read == []
    config = source.parent / "mkdocs" / "docs" / "mcp.json"
    config.write_text(config.read_text().replace("tracker.example", "changed.example"))
    again = Built(source, "html")
    assert again.read == ["more/second"]
    assert any("changed.example" in path.read_text() for path in (again.folder / "_images").glob("*.svg"))
    theme = source / "own.toml"
    theme.write_text(theme.read_text().replace("#6d28d9", "#5b21b6"))
    assert Built(source, "html").read == ["index"]


def test_a_build_in_another_language_takes_the_recording_of_that_language(tmp_path: Path) -> None:
    shutil.copytree(SITE, tmp_path / "site")
    config = tmp_path / "site" / "mkdocs" / "docs" / "mcp.json"
    config.with_name("mcp.zh_CN.json").write_text(config.read_text().replace("tracker.example", "chinese.example"))
    source = tmp_path / "site" / "sphinx"
    for builder, suffix in (("html", "svg"), ("latex", "pdf")):
        built = Built(source, builder, language="zh_CN")
        assert built.told == ""
        pictures = (source.parent / "doctrees" / "flowgen").glob(f"*.{suffix}")
        assert [path for path in pictures if "chinese.example" in told_in(path)]


def told_in(picture: Path) -> str:
    """The words of an SVG or a PDF."""
    if picture.suffix == ".svg":
        return picture.read_text()
    return "".join(page.extract_text() for page in PdfReader(picture).pages)


def test_what_cannot_be_drawn_is_a_warning_and_shown_in_its_place(tmp_path: Path) -> None:
    shutil.copytree(SITE, tmp_path / "site")
    source = tmp_path / "site" / "sphinx"
    (source / "more" / "second.rst").write_text(BROKEN)
    built = Built(source, "html")
    told = [line for line in built.told.splitlines() if "WARNING" in line]
    assert [int(re.findall(r"second.rst:(\d+)", line)[0]) for line in told] == [4, 7, 11]
    assert "nothing.json: No such file or directory" in told[0] and "there is no 'side'" in told[2]
    assert all("[flowgen.picture]" in line for line in told), told
    page = (built.folder / "more" / "second.html").read_text()
    assert page.count("flowgen-problem") == 3 and "nothing.json" in page and "mcpServers" in page
    silenced = Built(source, "html", "silenced", suppress_warnings=["flowgen"])
    assert silenced.told == ""


def test_a_page_names_files_or_holds_what_is_drawn(tmp_path: Path) -> None:
    shutil.copytree(SITE, tmp_path / "site")
    source = tmp_path / "site" / "sphinx"
    (source / "more" / "second.rst").write_text("Broken\n======\n\n.. flowgen::\n\n.. flowgen:: ../own.toml\n\n   {}\n")
    assert Built(source, "html").told.count("one of the two") == 2


def test_defaults_that_cannot_be_are_warnings_at_the_pictures(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    shutil.copy(SITE / "mkdocs" / "docs" / "mcp.json", tmp_path / "site")
    (tmp_path / "site" / "conf.py").write_text('extensions = ["flowgen.ext.sphinx"]\n')
    (tmp_path / "site" / "index.rst").write_text("A\n=\n\n.. flowgen:: mcp.json\n")
    listed = Built(tmp_path / "site", "html", "one", flowgen_defaults=["lang"])
    assert "index.rst:4: WARNING: flowgen: flowgen_defaults: expected a dict" in listed.told
    inline = Built(tmp_path / "site", "html", "other", flowgen_defaults={"inline": True})
    assert "WARNING: flowgen: inline is a word of one picture; say it there" in inline.told
