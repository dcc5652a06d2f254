"""A report as JUnit's XML, for the test views of build servers: a suite for each file, a case for each finding."""

from xml.etree import ElementTree as xml

from ._breach import Breach
from ._report import Level, Report, Told, about, place_of, reaches


def as_junit(told: Report, level: Level) -> str:
    """Findings of the level or above are failures, the others passed with what they say; no finding is one passed."""
    suites = xml.Element("testsuites", name="flowgen check")
    total = 0
    for path in _paths(told):
        found = [each for each in told.findings if _path(each, told) == path]
        total += _suite(suites, path, found, level)
    suites.set("tests", str(sum(len(suite) for suite in suites)))
    suites.set("failures", str(total))
    xml.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{xml.tostring(suites, encoding="unicode")}\n'


def _suite(suites: xml.Element, path: str, found: list[Told], level: Level) -> int:
    failures = sum(reaches(each, level) for each in found)
    counts = {"tests": str(max(len(found), 1)), "failures": str(failures), "errors": "0"}
    suite = xml.SubElement(suites, "testsuite", {"name": path, **counts})
    for each in found:
        _case(suite, path, each, level)
    if not found:
        xml.SubElement(suite, "testcase", {"classname": path, "name": "no findings"})
    return failures


def _case(suite: xml.Element, path: str, finding: Told, level: Level) -> None:
    place = place_of(finding)
    name = f"{finding.code} [{about(finding)}]" if about(finding) else finding.code
    if isinstance(finding, Breach):
        name += f" #{(finding.where or '').rpartition('#')[2]}"
    at = {"file": place.path, "line": str(place.line)} if place and place.line else {}
    case = xml.SubElement(suite, "testcase", {"classname": path, "name": name, **at})
    told = "\n".join(filter(None, (finding.where, finding.message, finding.advice, finding.source)))
    if reaches(finding, level):
        failure = xml.SubElement(case, "failure", {"message": finding.message, "type": finding.severity})
        failure.text = told
    else:
        xml.SubElement(case, "system-out").text = f"{finding.severity}: {told}"


def _paths(told: Report) -> list[str]:
    return list(dict.fromkeys([*told.paths, *(_path(each, told) for each in told.findings)]))


def _path(finding: Told, told: Report) -> str:
    place = place_of(finding)
    return place.path if place else told.paths[0]
