"""YAML with lines, by PyYAML's nodes: no tag makes an object, and aliases cannot blow the value up."""

from typing import Any

import yaml

from ._document import Row, Table
from ._json import Fault

_MOST = 500_000  # values; more than any config has, and what a few aliases of aliases would exceed
_MERGE = "tag:yaml.org,2002:merge"
_PLAIN = tuple(f"tag:yaml.org,2002:{kind}" for kind in ("null", "bool", "int", "float"))
_REASONS = {
    "mapping values are not allowed": "a colon where none may stand; put the text in quotes",
    "cannot start any token": "a tab, or a sign that no text begins with; indent with spaces, put the text in quotes",
    "',' or": "a list or an object in brackets that is not closed, or lacks a comma",
    "quoted scalar": "a text without its closing quotes",
    "alias": "an alias of what stands nowhere before it",
    "block": "lines that are indented differently",
}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(text: str) -> Any:
    """The value of the first document of a text. Raises Fault."""
    try:
        node = next(iter(yaml.compose_all(text, Loader=_LOADER)), None)
        return None if node is None else _Values().of(node)
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        raise Fault(_said(problem), mark.line + 1 if mark else 1, mark.column + 1 if mark else 1) from None
    except (yaml.YAMLError, ValueError) as problem:
        if isinstance(problem, Fault):
            raise
        raise Fault("not YAML: a character that it does not allow", 1) from None
    except RecursionError:
        raise Fault("nested too deeply", 1) from None


class _Values:
    """Values of nodes; counts them, and refuses a node that holds itself."""

    def __init__(self) -> None:
        self.count = 0
        self.inside: set[int] = set()
        self.scalars = yaml.constructor.SafeConstructor()

    def of(self, node: Any) -> Any:
        self.count += 1
        if self.count > _MOST or id(node) in self.inside:
            raise Fault("aliases that stand for too much", node.start_mark.line + 1)
        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        self.inside.add(id(node))
        value = self._table(node) if isinstance(node, yaml.MappingNode) else self._row(node)
        self.inside.discard(id(node))
        return value

    def _scalar(self, node: Any) -> Any:
        if node.tag not in _PLAIN:
            return node.value
        try:
            return self.scalars.construct_object(node)
        except (ValueError, yaml.YAMLError):
            return node.value

    def _row(self, node: Any) -> Row:
        row = Row()
        for child in node.value:
            row.put(self.of(child), child.start_mark.line + 1)
        return row

    def _table(self, node: Any) -> Table:
        table = Table()
        for key, child in node.value:
            if key.tag == _MERGE:
                self._merge(table, child)
        taken = set(table)
        table.twice = ()
        for key, child in node.value:
            if key.tag != _MERGE:
                if _key(key) in taken:  # its own stands above what it takes
                    taken.discard(_key(key))
                    del table[_key(key)]
                table.put(_key(key), self.of(child), key.start_mark.line + 1)
        return table

    def _merge(self, table: Table, node: Any) -> None:
        """`<<`: what the mapping names itself stands above what it takes from others."""
        others = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for other in reversed(others):
            found = self.of(other)
            if isinstance(found, Table):
                for key, value in found.items():
                    table.put(key, value, found.lines[key])


def _said(problem: yaml.MarkedYAMLError) -> str:
    """What is wrong, in our words: those of the reader quote the text."""
    told = f"{problem.problem} {problem.context}"
    found = next((words for sign, words in _REASONS.items() if sign in told), "")
    return f"not YAML: {found}" if found else "not YAML"


def _key(node: Any) -> str:
    return str(node.value) if isinstance(node, yaml.ScalarNode) else "?"
