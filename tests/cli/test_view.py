"""`flowgen view`: where the page goes, how it is opened, and what --watch serves to whom."""

import http.client
import json
import shutil
import signal
import subprocess
import sys
import threading
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from flowgen import api
from flowgen.cli._view_server import server_of
from tests.backends.conftest import ARGUMENTS
from tests.traces import SAMPLES

from .conftest import typed

FLOWGEN = Path(sys.executable).with_name("flowgen")
DEADLINE = 20.0


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """With a recording, a config file, and a place for temporary files."""
    shutil.copy(SAMPLES / "seed.json", tmp_path / "seed.json")
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"files": {"command": "npx", "args": ["-y", "files-mcp"]}}}')
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return tmp_path


@pytest.fixture
def opened(monkeypatch):
    """What a browser was asked to open; there is one."""
    asked = []
    monkeypatch.setattr(webbrowser, "open", lambda address: asked.append(address) or True)
    return asked


@pytest.fixture
def trace_lines(tmp_path):
    """The lines of a recording in JSON Lines."""
    document = json.loads((SAMPLES / "seed.json").read_text())
    messages, outcome = document.pop("messages"), document.pop("outcome")
    return [json.dumps(each) + "\n" for each in (document, *messages, {"outcome": outcome})]


@pytest.fixture
def server(tmp_path, trace_lines):
    """One that watches a recording that grows, in a thread of its own."""
    file = tmp_path / "live.jsonl"
    file.write_text("".join(trace_lines[:4]))
    with server_of(api.Viewed(str(file), api.Asked(), {})) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield served, file
        served.shutdown()
        thread.join(DEADLINE)


def got(server, path, host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=DEADLINE)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode(), answer.headers


def test_the_page_goes_into_a_file_of_its_own_and_is_opened(folder, opened):
    done = typed("view", "seed.json", cwd=folder)
    (page,) = (folder / "tmp").rglob("*.html")
    assert (done.returncode, opened) == (0, [f"file://{page}"])
    assert done.stdout == b"" and f"opened {page}" in done.stderr.decode()
    assert page.name == "seed.html" and page.parent.stat().st_mode & 0o077 == 0
    assert page.read_text().startswith("<!doctype html>")


def test_nothing_is_opened_where_that_is_not_wanted(folder, opened):
    told = typed("view", "mcp.json", "--no-open", cwd=folder)
    assert Path(told.stdout.decode().strip()).name == "mcp.html"
    written = typed("view", "seed.json", "-o", "page.html", "--lang", "zh", "--check", cwd=folder)
    assert (written.returncode, written.stdout, opened) == (0, b"", [])
    page = (folder / "page.html").read_text()
    assert '<html lang="zh"' in page and '"breaches":[' in page
    piped = typed("view", "-", "-o", "-", cwd=folder, input=(folder / "seed.json").read_bytes())
    assert piped.stdout.startswith(b"<!doctype html>")


def test_a_browser_that_is_missing_is_told(folder, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda address: False)
    done = typed("view", "seed.json", cwd=folder)
    assert (done.returncode, b"no browser could be opened; the page is /" in done.stderr) == (0, True)


def test_render_and_demo_write_the_page_too(folder):
    assert typed("render", "seed.json", "-o", "a.html", cwd=folder).returncode == 0
    assert typed("render", "mcp.json", "-f", "html", "-o", "b.htm", cwd=folder).returncode == 0
    for name, kind in (("a.html", "flow"), ("b.htm", "arch")):
        assert f'<body class="{kind}">' in (folder / name).read_text()


@pytest.mark.parametrize(
    "words, code, said",
    [
        (["nix.json"], 1, "nix.json: No such file or directory"),
        (["nix.json", "--watch"], 1, "nix.json: No such file or directory"),
        (["-", "--watch"], 2, "--watch: stdin cannot be read again"),
        (["seed.json", "--watch", "-o", "x.html"], 2, "--watch and -o do not go together"),
        (["seed.json", "-o", "seed.json"], 2, "the picture is made of this"),
        (["seed.json", "-o", "nix/x.html"], 2, "there is no such folder"),
        (["tmp"], 1, "tmp: Is a directory"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(folder, words, code, said):
    done = typed("view", *words, cwd=folder)
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, len(lines)) == (code, 2)
    assert said in lines[0] and lines[1].startswith("hint: ")


def test_a_session_that_is_watched_before_it_began_is_told_how_to_begin(folder):
    assert b"hint: begin the recording first: flowgen tap -o t.jsonl" in typed(
        "view", "--watch", "t.jsonl", cwd=folder).stderr  # fmt: skip


def test_only_who_knows_the_address_gets_the_page(server):
    served, _ = server
    path = urlsplit(served.address).path
    assert got(served, path)[0] == 200
    for wrong in ("/", "/data.json", path[:-2], path + "x", path + "../", f"//evil.example{path}x", "/%00/"):
        assert (wrong, got(served, wrong)[0]) == (wrong, 404)
    assert served.secret not in got(served, "/")[1]
    port = served.server_port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1.evil.example:{port}"):
        assert (host, got(served, path, host)[0]) == (host, 421)
    assert got(served, path, f"localhost:{port}")[0] == 200
    assert got(served, path, method="POST")[0] == 501


def test_what_is_served_stays_with_the_browser_that_asked(server):
    heads = got(server[0], urlsplit(server[0].address).path)[2]
    assert (heads["Cache-Control"], heads["X-Content-Type-Options"]) == ("no-store", "nosniff")
    assert (heads["Cross-Origin-Resource-Policy"], heads["Referrer-Policy"]) == ("same-origin", "no-referrer")
    assert "Access-Control-Allow-Origin" not in heads


def test_data_comes_when_the_file_has_changed(server, trace_lines):
    served, file = server
    path = urlsplit(served.address).path + "data.json?since="
    first = json.loads(got(served, path)[1])
    assert json.loads(got(served, path + first["watch"])[1]) == {}
    assert "cut off" not in json.dumps(first["outcome"])
    file.write_text("".join(trace_lines))
    served.viewed._not_before = 0.0  # it rests a while after it has read, which is not waited for here
    second = json.loads(got(served, path + first["watch"])[1])
    numbers = [[row["n"] for row in each["rows"] if "n" in row] for each in (first, second)]
    assert len(numbers[0]) < len(numbers[1]) == 10
    file.unlink()
    served.viewed._not_before = 0.0
    told = json.loads(got(served, path + second["watch"])[1])
    assert told == {"problem": f"{file}: No such file or directory"}


def test_of_a_config_file_that_changed_the_page_is_asked_for_anew(folder):
    viewed = api.Viewed(str(folder / "mcp.json"), api.Asked(), {})
    page, first = viewed.watched(), json.loads(viewed.since(""))
    assert list(first) == ["watch"] and f'"watch":"{first["watch"]}"' in page
    (folder / "mcp.json").write_text('{"mcpServers": {"other": {"command": "uvx", "args": ["other"]}}}')
    viewed._not_before = 0.0
    assert json.loads(viewed.since(first["watch"]))["watch"] != first["watch"]
    assert "About other" in viewed.watched()


def test_the_page_shows_what_is_added(server, trace_lines, chromium):
    served, file = server
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page, said = browser.new_page(), []
        page.on("console", lambda message: said.append(message.text))
        page.goto(served.address)
        page.click(".row.message >> nth=0 >> button.head")
        assert page.locator("#m-10").count() == 0
        file.write_text("".join(trace_lines))
        page.wait_for_selector("#m-10", timeout=DEADLINE * 1000)
        assert page.locator("#m-1 pre").count() == 1  # what was open is open
        assert said == []
        browser.close()


def test_an_interrupt_ends_it(folder):
    command = [str(FLOWGEN), "view", "--watch", "seed.json", "--no-open"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=DEADLINE)
    assert (process.returncode, told.strip()) == (130, b"")
