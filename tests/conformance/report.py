"""What a run of the conformance suite gave: a line for each scenario, and whether every scored one passed.

    report.py RESULTS REQUIREMENTS LEG

A scenario is scored when the requirement set of its revision names it.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Prints the lines; 0 when every scored scenario passed and there was one at all."""
    results, requirements, leg = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    failed = seen = 0
    for code in sorted(results.glob("*/*/code")):
        revision, name = code.parent.parent.name, code.parent.name.replace("__", "/")
        scored = name in required(requirements / f"{revision}.yaml", leg)
        verdict, why = judged(code, checks(code.parent))
        print(f"{revision:11} {name:42} {'scored' if scored else '':7} {verdict} {why}")
        failed += scored and verdict == "FAIL"
        seen += 1
    print(f"{seen} scenarios, {failed} scored ones failed; results: {results}")
    return 1 if failed or not seen else 0


def required(file: Path, leg: str) -> set[str]:
    """The scenarios that a requirement set names for one leg. It is YAML, but of two levels only."""
    names: set[str] = set()
    here = ""
    for line in file.read_text().splitlines() if file.exists() else ():
        if re.match(r"^\w+:", line):
            here = line.partition(":")[0]
        elif here == leg and (item := re.match(r"^  - (\S+)$", line)):
            names.add(item[1])
    return names


def checks(folder: Path) -> list[dict[str, Any]]:
    """Every check of a scenario."""
    return [check for file in folder.rglob("checks.json") for check in json.loads(file.read_text())]


def judged(code: Path, made: list[dict[str, Any]]) -> tuple[str, str]:
    """The verdict, and which checks failed."""
    failures = [check["id"] for check in made if check["status"] == "FAILURE"]
    passed = sum(check["status"] == "SUCCESS" for check in made)
    if code.read_text().strip() == "0" and not failures:
        return ("pass", f"{passed} checks") if passed else ("skipped", "")
    log = (code.parent / "log.txt").read_text(errors="replace").strip().splitlines()
    return "FAIL", "; ".join(failures)[:200] or (log[-1][:200] if log else "")


if __name__ == "__main__":
    sys.exit(main())
