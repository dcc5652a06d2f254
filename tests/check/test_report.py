"""Reports of findings: every form holds the same findings, and nothing hostile or secret comes through."""

import json
from xml.etree import ElementTree

import pytest

from flowgen.check import Breach, as_json, as_junit, as_markdown, as_sarif, as_text, report
from flowgen.topology import Finding

SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
HOSTILE = f"a|b\n<b>\x1b[31m\u202e\ud800 {SECRET}"


def finding(**fields):
    told = {"code": "plain-http", "severity": "high", "message": "plain http", "server": "tracker"}
    return Finding(**{**told, "where": "mcp.json:7", "advice": "Use https.", "source": "RFC 9700", **fields})


def written(*findings, paths=("mcp.json",)):
    told = report(paths, 1, findings)
    return {"text": as_text(told), "json": as_json(told), "md": as_markdown(told), "sarif": as_sarif(told),
            "junit": as_junit(told, "medium")}  # fmt: skip


@pytest.mark.parametrize("form", ["text", "json", "md", "sarif", "junit"])
def test_every_form_says_what_where_how_to_mend_it_and_why(form):
    text = written(finding())[form]
    where = ("mcp.json", "7") if form == "sarif" else ("mcp.json:7",)
    for part in ("plain-http", "high", "plain http", "tracker", "Use https.", "RFC 9700", *where):
        assert part in text


@pytest.mark.parametrize("form", ["text", "json", "md", "sarif", "junit"])
def test_hostile_words_are_shown_as_code_points_and_secrets_masked(form):
    text = written(finding(message=HOSTILE, server=HOSTILE, where=f"{HOSTILE}:3"), paths=(HOSTILE,))[form]
    assert SECRET not in text and not {"\x1b", "\u202e", "\ud800"} & set(text)
    assert "U+202E" in text and text.encode()


def test_the_gravest_come_first_and_a_level_takes_those_above():
    told = report(("a",), 2, tuple(finding(severity=each) for each in ("info", "high", "low", "medium")))
    assert [each.severity for each in told.findings] == ["high", "medium", "low", "info"]
    assert [each.severity for each in told.at_least("medium")] == ["high", "medium"]


def test_text_ends_with_how_many_there_are():
    assert written(finding(), finding(severity="low"))["text"].endswith(
        "2 findings (1 high, 1 low) in 1 server of mcp.json\n"
    )
    assert written()["text"] == "no findings in 1 server of mcp.json\n"


def test_a_table_keeps_its_cells_whatever_stands_in_them():
    row = next(line for line in written(finding(message=HOSTILE))["md"].splitlines() if "<U+" in line or "U+" in line)
    assert row.replace("\\|", "").count("|") == 7 and "<b>" not in row


def test_sarif_has_the_shape_of_2_1_0():
    other = finding(code="secret-in-url", where=None, server=None)
    log = json.loads(written(finding(), finding(severity="low"), other)["sarif"])
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["plain-http", "secret-in-url"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note", "none") and result["message"]["text"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "mcp.json"}, "region": {"startLine": 7}}
    assert "locations" not in run["results"][1]


@pytest.mark.parametrize(
    ("path", "uri"),
    [("my folder/a#b.json", "my%20folder/a%23b.json"), ("/etc/x.json", "file:///etc/x.json"),
     ("C:\\Users\\x.json", "file:///C:/Users/x.json"), ("~/.cursor/mcp.json", "~/.cursor/mcp.json")],
)  # fmt: skip
def test_a_path_becomes_the_address_of_a_file(path, uri):
    run = json.loads(written(finding(where=f"{path}:2"), paths=(path,))["sarif"])["runs"][0]
    assert run["artifacts"][0]["location"]["uri"] == uri
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_the_mark_of_a_result_outlives_lines_above_it():
    marks = [json.loads(written(finding(where=f"mcp.json:{line}"))["sarif"])["runs"][0]["results"][0]
             ["partialFingerprints"] for line in (3, 30)]  # fmt: skip
    assert marks[0] == marks[1]


def test_junit_counts_only_what_reaches_the_level_as_failures():
    suites = ElementTree.fromstring(
        written(finding(), finding(severity="low"), paths=("mcp.json", "b.json"))["junit"].encode()
    )
    assert (suites.get("tests"), suites.get("failures")) == ("3", "1")
    first, second = suites
    assert (first.get("name"), first.get("failures"), second.get("name")) == ("mcp.json", "1", "b.json")
    assert [case.find("failure") is not None for case in first] == [True, False]
    assert [case.get("name") for case in second] == ["no findings"]


def breach(**fields):
    told = {"code": "response-unmatched", "severity": "error", "message": "no request with id 9", "server": "server"}
    return Breach(**{**told, "where": "seed.json#m-7", "advice": "An answer …", "source": "2026-07-28/x.mdx", "seq": 9,
                     "number": 7, **fields})  # fmt: skip


def test_findings_of_recordings_have_levels_and_places_of_their_own():
    told = report(("seed.json", "mcp.json"), 1, (finding(severity="info"), breach()), recordings=1)
    assert as_text(told).startswith("seed.json#m-7: error response-unmatched [server]: no request with id 9\n  rule: ")
    assert as_text(told).endswith("2 findings (1 error, 1 info) in 1 server of 2 files\n")
    document = json.loads(as_json(told))
    assert document["counts"] == {"error": 1, "high": 0, "warning": 0, "medium": 0, "low": 0, "info": 1}
    assert (document["findings"][0]["number"], document["findings"][0]["seq"]) == (7, 9)


def test_a_message_is_a_place_within_its_file_for_forges():
    run = json.loads(as_sarif(report(("seed.json",), 0, (breach(), breach(where="seed.json#m-8")), 1)))["runs"][0]
    rule, (place,) = run["tool"]["driver"]["rules"][0], run["results"][0]["locations"]
    assert rule["shortDescription"]["text"].startswith("An answer names the id") and "→" in rule["help"]["text"]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "seed.json"}}
    assert place["logicalLocations"] == [{"name": "m-7", "kind": "element"}]
    assert len({each["partialFingerprints"]["finding/v1"] for each in run["results"]}) == 2


def test_hostile_words_of_a_recording_are_shown_as_code_points():
    hostile = breach(message=HOSTILE, server=HOSTILE, where=f"{HOSTILE}#m-3")
    told = report((HOSTILE,), 0, (hostile,), 1)
    for text in (as_text(told), as_json(told), as_markdown(told), as_sarif(told), as_junit(told, "warning")):
        assert SECRET not in text and not {"\x1b", "\u202e", "\ud800"} & set(text)
