"""Answers in the form that the method and the revision ask for, and whether the client's own can be used."""

from typing import TYPE_CHECKING, Any

from ._messages import NO_RESOURCE, PARAMS, Message, Refusal
from ._revisions import known_content, known_structure
from ._schema import faults, place
from ._values import shown

if TYPE_CHECKING:
    from ._calls import Call


def answer_of(call: "Call", answer: Message) -> Message:
    """The result of a call out of what the scenario says; an empty answer is the item's own."""
    match call.method:
        case "tools/call":
            return _tool(answer, call.peer.revision)
        case "prompts/get":
            return _prompt(answer, call.peer.revision)
    return _resource(call, answer)


def text_answer(text: str, failed: bool = False) -> Message:
    """An answer of a tool that is one text."""
    return {"text": text, "isError": True} if failed else {"text": text}


def unusable(question: Message, answer: Any) -> str | None:
    """Why an answer of the client's side cannot be used, None if it can."""
    if not isinstance(answer, dict):
        return "it is no object"
    match question["method"]:
        case "elicitation/create":
            return _elicitation(question["params"], answer)
        case "sampling/createMessage":
            return None if {"role", "model", "content"} <= answer.keys() else "role, model and content are needed"
    return None if isinstance(answer.get("roots"), list) else "roots is no list"


def no_resource(uri: Any, stateless: bool) -> Refusal:
    """There is nothing at this URI: a code of its own up to 2025-11-25."""
    return Refusal(PARAMS if stateless else NO_RESOURCE, "Resource not found", {"uri": uri})


def _tool(answer: Message, revision: str) -> Message:
    body: Message = {"content": [known_content(block, revision) for block in _blocks(answer)]}
    for name in ("structuredContent", "isError", "_meta"):
        if name in answer:
            body[name] = answer[name]
    return known_structure(body, revision)


def _blocks(answer: Message) -> list[Message]:
    if "content" in answer:
        return list(answer["content"])
    if "text" in answer:
        texts = answer["text"] if isinstance(answer["text"], list) else [answer["text"]]
        return [{"type": "text", "text": shown(text)} for text in texts]
    return [{"type": "text", "text": shown(answer["structuredContent"])}] if "structuredContent" in answer else []


def _prompt(answer: Message, revision: str) -> Message:
    messages = [_message(message, revision) for message in answer.get("messages", [])]
    described = {"description": answer["description"]} if "description" in answer else {}
    return {**described, "messages": messages, **_meta(answer)}


def _message(message: Message, revision: str) -> Message:
    content = message.get("content", {"type": "text", "text": shown(message.get("text"))})
    return {"role": message["role"], "content": known_content(content, revision)}


def _resource(call: "Call", answer: Message) -> Message:
    if "contents" in answer:
        return {"contents": answer["contents"], **_meta(answer)}
    head = {"uri": call.values["uri"]}
    if "mimeType" in call.item.definition:
        head["mimeType"] = call.item.definition["mimeType"]
    for name in ("text", "blob"):
        if name in answer:
            return {"contents": [{**head, name: shown(answer[name])}], **_meta(answer)}
    contents = call.server.world.contents(call.item, call.values)
    if contents is None:
        raise no_resource(call.values["uri"], call.peer.stateless)
    return {"contents": [contents]}


def _meta(answer: Message) -> Message:
    return {"_meta": answer["_meta"]} if "_meta" in answer else {}


def _elicitation(params: Message, answer: Message) -> str | None:
    if answer.get("action") not in ("accept", "decline", "cancel"):
        return "action is none of accept, decline, cancel"
    if answer["action"] != "accept" or params.get("mode") == "url":
        return None
    for fault in faults(answer.get("content", {}), params["requestedSchema"]):
        return f"{place(('content', *fault.path))} {fault.message}"
    return None
