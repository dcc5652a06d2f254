"""What changes while the demo runs: which items are listed, what resources hold, how often a step was played."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ._revisions import known, known_prompt, known_tool
from ._scenario import Item, Scenario
from ._seal import cursor, offset
from ._steps import Step
from ._values import Values, text
from ._variables import matched, template_variables

if TYPE_CHECKING:
    from ._server import Server
    from ._tasks import Task

_CHANGED_WITH = {"tools": ("tools",), "prompts": ("prompts",), "resources": ("resources", "templates")}


class Page(NamedTuple):
    """A part of a list, and the cursor of the next one if there is one."""

    items: list[dict[str, Any]]
    next: str | None


class World:
    """The scenario as it stands now, and the servers whose clients are told when it changes."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.audience: list[Server] = []
        self.tasks: dict[str, Task] = {}
        self.origin = ""  # of the pages; there are none but over HTTP
        self._visits: dict[str, int] = {}  # that no step has used yet
        self._visitors_wanted: dict[str, list[Callable[[], None]]] = {}
        self._hidden = {
            (kind, key) for kind, items in scenario.items.items() for key, item in items.items() if item.hidden
        }
        self._contents: dict[str, str] = {}
        self._played: dict[str, int] = {}

    def listed(self, kind: str, revision: str) -> list[dict[str, Any]]:
        """The definitions of all items of this kind that are listed now, as the revision knows them."""
        shown = [item for key, item in self.scenario.items[kind].items() if (kind, key) not in self._hidden]
        return [_as_listed(item, revision) for item in shown]

    def page(self, kind: str, revision: str, at: Any) -> Page:
        """The page that begins at this cursor (None: the first one)."""
        items = self.listed(kind, revision)
        size = self.scenario.page_size or max(len(items), 1)
        begin = 0 if at is None else offset(kind, at, range(size, len(items), size))
        end = begin + size
        return Page(items[begin:end], cursor(kind, end) if end < len(items) else None)

    def found(self, kind: str, key: Any) -> Item | None:
        """The item of this name, if it is there now."""
        there = isinstance(key, str) and (kind, key) not in self._hidden
        return self.scenario.items[kind].get(key) if there else None

    def resource(self, uri: str) -> tuple[Item, Values] | None:
        """What stands at this URI: a resource, or a template and the values of its names."""
        item = self.found("resources", uri)
        if item:
            return item, {"uri": uri}
        for key in self.scenario.items["templates"]:
            template = self.found("templates", key)
            values = matched(key, uri) if template else None
            if template and values is not None:
                return template, {"uri": uri, **values}
        return None

    def contents(self, item: Item, values: Values) -> dict[str, Any] | None:
        """The contents of a resource now; None if the scenario gives none."""
        head = {"uri": values["uri"]}
        if "mimeType" in item.definition:
            head["mimeType"] = item.definition["mimeType"]
        if values["uri"] in self._contents:
            return {**head, "text": self._contents[values["uri"]]}
        if "text" in item.entry:
            return {**head, "text": text(item.entry["text"], values)}
        return {**head, "blob": item.entry["blob"]} if "blob" in item.entry else None

    def write(self, uri: str, contents: str) -> None:
        """From now on the resource holds this text."""
        self._contents[uri] = contents

    def change(self, kinds: list[str], show: list[str], hide: list[str]) -> None:
        """From now on these names are listed, and those are not."""
        for listed in [name for kind in kinds for name in _CHANGED_WITH[kind]]:
            self._hidden -= {(listed, key) for key in show}
            self._hidden |= {(listed, key) for key in hide if key in self.scenario.items[listed]}

    def visit(self, path: str) -> None:
        """Somebody opened the page: the step that has waited longest for it goes on."""
        wanted = self._visitors_wanted.get(path)
        if wanted:
            wanted.pop(0)()
        else:
            self._visits[path] = self._visits.get(path, 0) + 1

    def visited(self, path: str, go_on: Callable[[], None]) -> bool:
        """Whether the page was opened, which counts for one step; otherwise `go_on` is called when it is."""
        if not self.origin:
            return True
        if self._visits.get(path, 0):
            self._visits[path] -= 1
            return True
        self._visitors_wanted.setdefault(path, []).append(go_on)
        return False

    def may_play(self, step: Step) -> bool:
        """Counts the step as played, unless it was played as often as its `times` say."""
        played = self._played.get(step.place, 0)
        self._played[step.place] = played + 1
        return bool(played < step.more.get("times", played + 1))

    def argument_names(self, ref: dict[str, Any]) -> list[str] | None:
        """The names that the thing referred to takes; None if there is no such thing."""
        match ref.get("type"):
            case "ref/prompt":
                prompt = self.found("prompts", ref.get("name"))
                return [part["name"] for part in prompt.definition.get("arguments", [])] if prompt else None
            case "ref/resource":
                template = self.found("templates", ref.get("uri"))
                return template_variables(template.key) if template else None
        return None


def _as_listed(item: Item, revision: str) -> dict[str, Any]:
    match item.kind:
        case "tools":
            return known_tool(item.definition, revision)
        case "prompts":
            return known_prompt(item.definition, revision)
    return known(item.kind, item.definition, revision)
