"""A report as SARIF 2.1.0 (OASIS, 2020), for the code scanning of forges and for editors.

One run; a rule for every code that occurs, a result for every finding. An address of a file is relative to where the
command was typed, as the path was.
"""

import hashlib
import json
import re
from typing import Any
from urllib.parse import quote

from flowgen.version import __version__

from ._book import rows
from ._breach import Breach
from ._report import Report, Told, about, place_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://github.com/mcp-flowgen/mcp-flowgen"
_LEVELS = {"error": "error", "high": "error", "warning": "warning", "medium": "warning", "low": "note", "info": "note"}
_SCORES = {"high": "8.0", "medium": "5.0", "low": "2.0", "info": "0.0"}  # what forges sort by: CVSS-like


def as_sarif(told: Report) -> str:
    """The log file."""
    codes = list(dict.fromkeys(each.code for each in told.findings))
    first = {code: next(each for each in told.findings if each.code == code) for code in codes}
    driver = {"name": "flowgen", "version": __version__, "informationUri": _HOME,
              "rules": [_rule(each) for each in first.values()]}  # fmt: skip
    run = {
        "tool": {"driver": driver},
        "artifacts": [{"location": {"uri": _uri(path)}} for path in told.paths],
        "results": [_result(each, codes) for each in told.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=False) + "\n"


def _rule(finding: Told) -> dict[str, Any]:
    """A rule as its gravest finding shows it; one of the protocol as the book of rules has it."""
    if isinstance(finding, Breach):
        row = rows()[finding.code]
        return {
            "id": row.slug, "shortDescription": {"text": row.rule}, "properties": {"tags": ["protocol"]},
            "help": {"text": f"For example: {row.example} ({row.source})"},
            "defaultConfiguration": {"level": _LEVELS[row.level]},
        }  # fmt: skip
    help_text = " ".join(filter(None, (finding.advice, f"({finding.source})" if finding.source else "")))
    return {
        "id": finding.code,
        "shortDescription": {"text": finding.code.replace("-", " ")},
        "help": {"text": help_text or finding.code},
        "defaultConfiguration": {"level": _LEVELS[finding.severity]},
        "properties": {"tags": ["security"], "security-severity": _SCORES[finding.severity]},
    }


def _result(finding: Told, codes: list[str]) -> dict[str, Any]:
    who = f"{about(finding)}: " if about(finding) else ""
    advice = f". {finding.advice}" if finding.advice else ""
    result: dict[str, Any] = {
        "ruleId": finding.code, "ruleIndex": codes.index(finding.code), "level": _LEVELS[finding.severity],
        "message": {"text": f"{who}{finding.message}{advice}"},
        "partialFingerprints": {"finding/v1": _mark(finding)}, "properties": {"severity": finding.severity},
    }  # fmt: skip
    location = _location(finding)
    return result | {"locations": [location]} if location else result


def _location(finding: Told) -> dict[str, Any]:
    place, location = place_of(finding), dict[str, Any]()
    if place:
        region = {"region": {"startLine": place.line}} if place.line else {}
        location["physicalLocation"] = {"artifactLocation": {"uri": _uri(place.path)}, **region}
    if isinstance(finding, Breach):
        location["logicalLocations"] = [{"name": (finding.where or "").rpartition("#")[2], "kind": "element"}]
    elif finding.server:
        location["logicalLocations"] = [{"name": finding.server, "kind": "module"}]
    return location


def _mark(finding: Told) -> str:
    """The same for the same finding after lines were added above it."""
    place = place_of(finding)
    path = finding.where if isinstance(finding, Breach) else place.path if place else ""
    told = "\n".join((finding.code, path, finding.server or "", finding.message))
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:32]


def _uri(path: str) -> str:
    """RFC 3986: a path on a drive or from the root is a file address, every other is relative."""
    plain = path.replace("\\", "/") if re.match(r"[A-Za-z]:[\\/]|\\\\", path) else path
    if re.match(r"[A-Za-z]:/", plain):
        return f"file:///{plain[:2]}{quote(plain[2:])}"
    encoded = quote(plain, safe="/~")
    return f"file://{encoded}" if plain.startswith("/") else encoded
