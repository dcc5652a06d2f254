"""Where hosts keep their files, on every system."""

import pytest

from flowgen.topology import hosts, places


@pytest.mark.parametrize(
    ("system", "home", "variables", "path"),
    [
        ("linux", "/home/ada", {}, "/home/ada/.config/Claude/claude_desktop_config.json"),
        ("macos", "/Users/ada/", {}, "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"),
        ("windows", "C:/Users/ada", {}, "C:/Users/ada/AppData/Roaming/Claude/claude_desktop_config.json"),
        ("windows", "C:/Users/ada", {"APPDATA": "D:\\Roam"}, "D:/Roam/Claude/claude_desktop_config.json"),
    ],
)
def test_a_place_lies_in_the_folders_of_the_system(system, home, variables, path):
    found = {place.host: place.path for place in reversed([*places(system, home, variables)])}
    assert found["Claude Desktop"] == path


@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
def test_every_place_is_whole_and_told_once(system):
    found = [*places(system, "/home/ada", {})]
    assert len(found) == len(set(found)) > 40
    for place in found:
        assert not {"%", "~", "\\"} & set(place.path)
        assert place.project != place.path.startswith(("/", "C:/"))
    assert {place.host for place in found} <= {host.title for host in hosts()}
