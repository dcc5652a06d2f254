"""MkDocs with Material, Zensical and Python-Markdown alone, on a small site."""

import logging
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from markdown import Markdown
from playwright.sync_api import sync_playwright
from pymdownx.superfences import SuperFencesException

from flowgen.ext.fence import fence, validator
from tests.traces import SAMPLES

SITE = Path(__file__).parent / "site" / "mkdocs"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
CALM = {"NO_MKDOCS_2_WARNING": "1"}
COLOUR = "() => getComputedStyle(document.querySelectorAll('figure.flowgen svg')[{}].querySelector('rect')).fill"


def built(program: str, folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """A site as it is built by hand, outside of CI."""
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "FLOWGEN_STRICT")} | CALM
    command = [sys.executable, "-m", program, "build", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mkdocs") / "site"
    shutil.copytree(SITE, folder)
    return folder


@pytest.fixture(scope="module")
def material(site: Path) -> Path:
    done = built("mkdocs", site, "--strict", "-d", "material")
    assert done.returncode == 0, done.stderr
    assert "no such anchor" not in done.stderr
    return site / "material"


@pytest.fixture(scope="module")
def zensical(site: Path) -> Path:
    done = built("zensical", site, "--strict", "-f", "zensical.toml")
    assert done.returncode == 0, done.stdout + done.stderr
    return site / "site"


def pictures(page: Path) -> list[str]:
    return re.findall(r'<figure class="flowgen".*?</figure>', page.read_text(), re.DOTALL)


def test_both_builders_show_the_same_pictures(material: Path, zensical: Path) -> None:
    pages = [(folder / name) for folder in (material, zensical) for name in ("index.html", "more/second/index.html")]
    counts = [len(pictures(page)) for page in pages]
    assert counts == [3, 1, 3, 1]
    assert pictures(pages[0]) == pictures(pages[2]) and pictures(pages[1]) == pictures(pages[3])


def test_ids_are_one_only_and_lead_to_the_messages(material: Path) -> None:
    page = (material / "index.html").read_text()
    ids = re.findall(r'\sid="([^"]+)"', "".join(pictures(material / "index.html")))
    assert len(ids) == len({*ids}) and {"fg1-m-7", "calls", "calls-m-6", "calls-step-3"} <= {*ids}
    assert "<figcaption>What is said</figcaption>" in page and 'style="width:80%;max-width:100%' in page


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


def test_pictures_follow_the_switch_of_the_site_whatever_the_system_says(material: Path, browser: Any) -> None:
    for system, switches in (("light", {"slate": "rgb(13, 17, 23)"}), ("dark", {"default": "rgb(255, 255, 255)"})):
        page = browser.new_page(color_scheme=system)
        page.goto((material / "index.html").as_uri())
        for scheme, colour in switches.items():
            page.evaluate("scheme => document.body.setAttribute('data-md-color-scheme', scheme)", scheme)
            assert [page.evaluate(COLOUR.replace("{}", str(n))) for n in range(3)] == [colour] * 3
        wide = page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert wide, "a picture is wider than its column"
        page.close()


def test_a_missing_picture_ends_a_strict_build_and_is_told_in_the_page_of_others(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(SITE, folder)
    (folder / "docs" / "mcp.json").unlink()
    for program, words in (("mkdocs", ["-q"]), ("zensical", ["-f", "zensical.toml"])):
        strict = built(program, folder, *words, "--strict")
        assert strict.returncode != 0 and "mcp.json: No such file or directory" in strict.stderr + strict.stdout
    assert built("zensical", folder, "-f", "zensical.toml").returncode == 0
    page = (folder / "site" / "more" / "second" / "index.html").read_text()
    assert re.search(r'<pre class="flowgen-problem"[^>]*>flowgen: mcp.json: No such file or directory', page)
    assert str(tmp_path) not in page


Convert = Callable[..., str]


@pytest.fixture
def convert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Convert:
    """Markdown with a fence, as any program with Python-Markdown converts it in a folder with recordings."""
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("FLOWGEN_STRICT", raising=False)
    monkeypatch.chdir(tmp_path)
    shutil.copy(SAMPLES / "seed.json", tmp_path / "seed.json")
    (tmp_path.parent / "outside.json").write_text("{}")

    def converted(text: str, form: Callable[..., str] = fence) -> str:
        superfences = "pymdownx.superfences"
        row = {"name": "flowgen", "class": "flowgen", "format": form, "validator": validator}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            md = Markdown(extensions=[superfences], extension_configs={superfences: {"custom_fences": [row]}})
        return str(md.convert(text))

    return converted


def test_python_markdown_alone_looks_for_files_in_the_current_folder(convert: Convert) -> None:
    page = convert('```flowgen src="seed.json" full notes="none"\n```\n')
    assert page.count("<svg") == 1 and 'id="fg1-m-10"' in page and "<code>" not in page


def test_another_folder_can_be_told(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "seed.json").rename(tmp_path / "pages" / "a.json")
    assert "<svg" in convert('```flowgen src="a.json"\n```\n', partial(fence, docs="pages"))


@pytest.mark.parametrize(("text", "says"), [
    ('```flowgen src="seed.json" lnag="zh"\n```\n', "there is no word &#x27;lnag&#x27;"),
    ('```flowgen src="seed.json" width="a;b"\n```\n', "width: expected a width"),
    ('```flowgen src="../outside.json"\n```\n', "outside of the project"),
    (f'```flowgen src="{"a" * 300}"\n```\n', "aaa: no name of a file</pre>"),
    ("```flowgen\n```\n", "one of the two"),
    ('```flowgen src="seed.json"\n{}\n```\n', "one of the two"),
    ("```flowgen\n<script>&\n```\n", "&lt;script&gt;&amp;"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_told_in_the_page(convert: Convert, caplog: Any, text: str, says: str) -> None:
    with caplog.at_level(logging.WARNING):
        page = convert(text)
    assert 'class="flowgen-problem"' in page and says in page and "<script" not in page
    assert [each.name for each in caplog.records] == ["mkdocs.plugins.flowgen"]


@pytest.mark.parametrize("name", ["CI", "FLOWGEN_STRICT"])
def test_in_ci_it_ends_the_build(convert: Convert, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "true")
    with pytest.raises(SuperFencesException, match=r"nothing\.json: No such file"):
        convert('```flowgen src="nothing.json"\n```\n')
