"""`flowgen check`: what is judged, and which exit code it comes to."""

import json
import shutil

import pytest

from tests.traces import SAMPLES

from .conftest import typed

SECRET = b"hG7dk29dkLs02jdk4mP"
CONFIG = b"""{"mcpServers": {
 "tracker": {"url": "http://tracker.example/mcp", "headers": {"X-Api-Key": "%b"}}
}}""" % SECRET


@pytest.fixture
def beside(tmp_path):
    (tmp_path / "mcp.json").write_bytes(CONFIG)
    (tmp_path / "fine.json").write_text('{"mcpServers": {"a": {"command": "npx", "args": ["-y", "a-mcp@1.2.3"]}}}')
    (tmp_path / "open.json").write_text('{"mcpServers": {"b": {"command": "npx", "args": ["-y", "b-mcp"]}}}')
    shutil.copy(SAMPLES / "seed.json", tmp_path / "trace.json")
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "md"])
def test_findings_end_with_3_and_show_no_secret(beside, form):
    done = typed("check", "mcp.json", "--format", form, cwd=beside)
    assert (done.returncode, done.stderr) == (3, b"")
    assert b"secret-in-file" in done.stdout and SECRET not in done.stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [(["fine.json", "--fail-on", "info"], 0), (["open.json"], 0), (["open.json", "--fail-on", "medium"], 3),
     (["open.json", "--fail-on", "high"], 0), (["open.json", "mcp.json"], 3)],
)  # fmt: skip
def test_the_level_decides_about_the_exit_code(beside, words, code):
    assert typed("check", *words, cwd=beside).returncode == code


def test_a_document_from_stdin_keeps_its_findings_and_stands_beside_configs(beside):
    document = typed("render", "mcp.json", "-f", "json", cwd=beside).stdout
    done = typed("check", "-", "open.json", "--format", "json", cwd=beside, input=document)
    told = json.loads(done.stdout)
    assert told["inputs"] == ["stdin", "open.json"] and done.returncode == 3
    assert {"secret-in-file", "plain-http", "unpinned-package"} <= {each["code"] for each in told["findings"]}


def test_a_secret_in_two_files_is_found(beside):
    (beside / "other.json").write_bytes(CONFIG.replace(b"tracker", b"store"))
    told = json.loads(typed("check", "mcp.json", "other.json", "--format", "json", cwd=beside).stdout)
    assert "shared-credential" in {each["code"] for each in told["findings"]} and told["servers"] == 2


def test_a_report_goes_into_a_file_but_never_over_an_input(beside):
    done = typed("check", "mcp.json", "-o", "found.sarif", "--format", "sarif", cwd=beside)
    assert (done.returncode, done.stdout) == (3, b"")
    assert json.loads((beside / "found.sarif").read_bytes())["version"] == "2.1.0"
    assert typed("check", "mcp.json", "-o", "mcp.json", cwd=beside).returncode == 2
    assert (beside / "mcp.json").read_bytes() == CONFIG


def broken(path):
    """A recording whose last answer has another id than its request."""
    document = json.loads((SAMPLES / "seed.json").read_bytes())
    answer = [each for each in document["messages"] if each["kind"] == "response"][-1]
    answer["body"]["id"] = 99
    path.write_text(json.dumps(document))


def test_a_recording_is_judged_by_the_rules_and_told_by_the_numbers_of_its_picture(beside):
    broken(beside / "broken.json")
    done = typed("check", "trace.json", "broken.json", cwd=beside)
    assert done.returncode == 3
    told = b"broken.json#m-10: error response-unmatched [server]: no request of the other side with id 99"
    assert told in done.stdout
    assert b"\n  rule: " in done.stdout and done.stdout.endswith(b"in 2 files\n")


def test_a_good_recording_ends_with_0(beside):
    done = typed("check", "trace.json", cwd=beside)
    assert (done.returncode, done.stdout) == (0, b"no findings in trace.json\n")


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "md"])
def test_recordings_and_configs_stand_in_one_report(beside, form):
    broken(beside / "broken.json")
    done = typed("check", "broken.json", "mcp.json", "--format", form, cwd=beside)
    assert done.returncode == 3 and b"response-unmatched" in done.stdout and b"plain-http" in done.stdout
    assert b"m-10" in done.stdout


def test_warnings_fail_where_asked_for_and_ignored_rules_are_not_looked_at(beside):
    broken(beside / "broken.json")
    ignored = ["--ignore", "response-unmatched"]
    assert typed("check", "broken.json", *ignored, cwd=beside).returncode == 0
    assert typed("check", "broken.json", *ignored, "--fail-on", "warning", cwd=beside).returncode == 3
    more = [*ignored, "--ignore", "response-missing"]
    assert typed("check", "broken.json", *more, "--fail-on", "warning", cwd=beside).returncode == 0


def test_settings_may_name_rules_to_ignore(beside):
    broken(beside / "broken.json")
    (beside / "pyproject.toml").write_text('[tool.flowgen.check]\nignore = ["response-unmatched"]\n')
    assert typed("check", "broken.json", cwd=beside).returncode == 0


def test_a_rule_is_explained(beside):
    done = typed("check", "--explain", "response-unmatched", cwd=beside)
    assert done.returncode == 0 and done.stdout.startswith(b"response-unmatched: error, recordings\n  rule ")
    assert b"example" in done.stdout and b"basic/index.mdx" in done.stdout
    assert b"advice" in typed("check", "--explain", "plain-http", cwd=beside).stdout


def test_all_rules_are_listed_a_line_each_and_an_unlike_name_leads_there(beside):
    listed = typed("check", "--explain", "all", cwd=beside).stdout.decode().splitlines()
    names = [line.split()[0] for line in listed]
    assert {"response-unmatched", "plain-http"} <= {*names} and len(names) > 200
    assert b"--explain all" in typed("check", "--explain", "qqq", cwd=beside).stderr


@pytest.mark.parametrize("words", [["--explain", "respnse-unmatched"], ["trace.json", "--ignore", "respnse-unmatched"]])
def test_a_rule_that_there_is_not_is_told_with_the_nearest(beside, words):
    done = typed("check", *words, cwd=beside)
    assert done.returncode == 2 and b"did you mean response-unmatched?" in done.stderr


def test_a_folder_stands_for_the_config_files_of_its_project_too(tmp_path):
    (tmp_path / "package.json").write_text('{"name": "x"}')  # names no server
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"a": {"command": "uvx", "args": ["files-example"]}}}')
    (tmp_path / "opencode.json").write_text('{"mcp": {"b": {"type": "remote", "url": "http://b.example/mcp"}}}')
    done = typed("check", ".", "--fail-on", "medium", cwd=tmp_path)
    assert done.returncode == 3 and b"in 2 servers of 3 files" in done.stdout
    assert b".mcp.json:1: medium unpinned-package [a" in done.stdout and b"named twice" not in done.stderr


def test_without_an_input_there_is_nothing_to_check(beside):
    assert typed("check", cwd=beside).returncode == 2


def test_what_cannot_be_read_is_one_line_and_a_hint(beside):
    (beside / "broken.json").write_bytes(b'{"mcpServers": {"a": "%b" 1}}' % SECRET)
    for name, said in (("none.json", b"No such file"), ("broken.json", b"line 1, column")):
        done = typed("check", name, cwd=beside)
        assert done.returncode == 1 and said in done.stderr and SECRET not in done.stderr
        assert len(done.stderr.splitlines()) == 2


def test_user_names_in_paths_become_a_tilde_unless_asked_for(beside):
    (beside / "home.json").write_text('{"mcpServers": {"f": {"command": "npx", "args": ["f-mcp@1.0.0", "/home/ada"]}}}')
    assert b"ada" not in typed("check", "home.json", cwd=beside).stdout
