"""The table of forms: each can be read, faults say where, and the models of the official SDK find nothing more."""

from collections.abc import Iterator
from copy import deepcopy
from importlib.util import find_spec
from typing import Any

import pytest

from flowgen.check import breaches
from flowgen.check._forms import _methods, _table, _types, fault_of, method_form, named
from flowgen.check._session import sessions
from tests.check.tape import Tape

META = "io.modelcontextprotocol/"
OF_RULES = {  # members that have rules of their own, and what lies in the schema of a tool
    "_meta", f"{META}protocolVersion", f"{META}clientCapabilities", f"{META}subscriptionId", "resultType", "ttlMs",
    "cacheScope", "inputSchema", "outputSchema", "requestedSchema",
}  # fmt: skip


def test_every_form_of_the_table_can_be_read():
    for revision, kind, side, name in _methods():
        assert method_form(revision, kind, side, name)
    for revision, name in _types():
        assert named(name, revision)("•••", "x", 0) is None
    assert len(_table()["method"]) > 80


@pytest.mark.parametrize(
    ("result", "said"),
    [({"tools": [{"name": "a"}]}, "result.tools[0].inputSchema: missing"),
     ({"tools": {}}, "result.tools: expected a list"),
     ({"tools": [{"name": "a", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": "yes"}}]},
      "result.tools[0].annotations.readOnlyHint: expected true or false"),
     ({"nextCursor": 7, "tools": []}, "result.nextCursor: expected a text")],
)  # fmt: skip
def test_a_fault_of_form_says_where_and_what_was_expected(result, said):
    tape = Tape("seed")
    tape.answer("tools/list")["body"]["result"] = result
    assert f"tools/list: {said}" in [each.message for each in breaches(tape.trace())]


def test_numbers_of_a_form_need_not_be_whole():
    form = method_form("2025-11-25", "request", "server", "elicitation/create")
    assert form and form.result
    assert fault_of(form.result, {"action": "accept", "content": {"height": 3.14, "many": ["a"]}}, "result") is None
    assert fault_of(form.result, {"action": "perhaps"}, "result")


def test_a_value_that_lies_in_itself_for_ever_is_looked_at_so_deep_and_no_deeper():
    deep: Any = "end"
    for _ in range(400):
        deep = {"a": deep}
    params = {"_meta": {f"{META}clientCapabilities": {"extensions": {"a.b/c": deep}}}}
    form = method_form("2026-07-28", "request", "client", "tools/list")
    assert form and fault_of(form.params, params, "params") is None


@pytest.mark.skipif(find_spec("mcp_types") is None, reason="the official SDK is not installed")
@pytest.mark.parametrize("base", ["sdk-handshake", "sdk-stateless", "prompts-flow", "resources-flow", "completion"])
def test_what_the_models_of_the_official_sdk_refuse_is_refused_here_or_by_a_rule(base):
    for seen in sessions(Tape(base).trace())[0].json_rpc:
        asked = seen if seen.kind == "request" else seen.request
        whole = (seen.result or {}).get("resultType", "complete") == "complete" and not seen.message.redacted
        form = asked and method_form(asked.revision or "", "request", asked.side, asked.method or "")
        if asked is None or form is None or asked.side != "client" or not whole:
            continue
        value = seen.params if seen is asked else seen.result
        for path, mutant in mutants(value):
            if not models_accept(asked.method, asked.revision, seen is asked, mutant):
                refused = fault_of(form.params if seen is asked or form.result is None else form.result, mutant, "x")
                assert refused or OF_RULES & set(path), (seen.method, path)


def models_accept(method: Any, revision: Any, asked: bool, value: Any) -> bool:
    from mcp_types import methods
    from pydantic import ValidationError

    try:
        (methods.validate_client_request if asked else methods.validate_server_result)(method, revision, value)
    except ValidationError:
        return False
    return True


def mutants(value: Any) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The value with each of its members left out, or of another type."""
    for at in places(value):
        for other in (None, 7.5, "x"):
            mutant = deepcopy(value)
            holder = mutant
            for name in at[:-1]:
                holder = holder[name]
            if other is None:
                del holder[at[-1]]
            else:
                holder[at[-1]] = other
            yield at, mutant


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the members of a value stand; of a list those of its first entry."""
    if isinstance(value, list):
        yield from places(value[0], (*path, 0)) if value else ()
    for name in value if isinstance(value, dict) else ():
        yield (*path, name)
        yield from places(value[name], (*path, name))
