"""The names that the texts of an entry may use: arguments, what was asked, what was calculated, who the client is."""

import re
from typing import Any

LONGEST = 2_000  # characters of a URI that is looked at: patterns take longer the longer it is

_VARIABLE = re.compile(r"\{(\+?)([A-Za-z_]\w*)\}")


def variables(section: str, entry: dict[str, Any]) -> set[str]:
    """All names that can have a value in this tool, prompt, resource, template or reaction."""
    names = {"client", "server", *_arguments(section, entry)}
    for step in entry.get("step", []):
        names |= step.get("ask", {}).keys()
        if "calculate" in step:
            names.add(step.get("as", "answer"))
    return names


def template_variables(uri_template: str) -> list[str]:
    """The names in a URI template, in order."""
    return [name for _, name in _VARIABLE.findall(uri_template)]


def matched(uri_template: str, uri: str) -> dict[str, str] | None:
    """The values of the template's names in this URI, None if it is none of the template's."""
    if len(uri) > LONGEST:
        return None
    parts = _VARIABLE.split(uri_template)
    pattern = re.escape(parts[0])
    for reserved, literal in zip(parts[1::3], parts[3::3], strict=True):
        pattern += ("(.+)" if reserved else "([^/?#]+)") + re.escape(literal)
    found = re.fullmatch(pattern, uri)
    return dict(zip(parts[2::3], map(_unquoted, found.groups()), strict=True)) if found else None


def _unquoted(value: str) -> str:
    if "%" not in value:
        return value
    from urllib.parse import unquote

    return unquote(value)


def _arguments(section: str, entry: dict[str, Any]) -> list[str]:
    match section:
        case "tool":
            return list(entry.get("inputSchema", {}).get("properties", {}))
        case "prompt":
            return [part["name"] for part in entry.get("arguments", [])]
        case "template":
            return ["uri", *template_variables(entry["uriTemplate"])]
        case "resource":
            return ["uri"]
    return []
