"""The one line over a message: what it is, in the words of the picture. Step numbers are the scene's to add.

Texts of the other side (an error's message, a method's name) come through as they are; the scene makes them safe.
"""

from collections.abc import Callable
from typing import Any

from ._changes import change_words
from ._draft import stream_event
from ._events import event_words
from ._http_labels import http_label
from ._model import Entry, Run, Say
from ._run_labels import pairs_label
from ._tasks import task_words

_PROCESS = {
    "started": Say("the server process starts", "Server 进程启动"),
    "start-failed": Say("the server cannot be started", "Server 无法启动"),
    "stdin-closed": Say("the client closes stdin", "Client 关闭 stdin"),
    "stdout-closed": Say("the server closed its stdout", "Server 关闭了 stdout"),
    "exited": Say("the server process ended", "Server 进程已结束"),
}
_CRASHED = Say("the server process ended too early", "Server 进程过早结束")
_KILLED = Say("the server process had to be killed", "Server 进程只能强制结束")
_STOPPED = Say("the server process was told to stop", "Server 进程按要求停止")
_STREAMS = {
    "stream-opened": Say("the stream opens", "流打开"),
    "stream-closed": Say("the stream closes", "流关闭"),
    "stream-opened server": Say("the server opens the stream", "Server 打开流"),
    "stream-opened client": Say("the client opens the stream", "Client 打开流"),
    "stream-closed server": Say("the server closes the stream", "Server 关闭流"),
    "stream-closed client": Say("the client closes the stream", "Client 关闭流"),
}
_NOISE = Say("a line that is not JSON", "不是 JSON 的一行")
_NO_MESSAGE = Say("JSON, but no JSON-RPC message", "是 JSON，但不是 JSON-RPC 消息")
_CUT = Say("broken off inside the JSON", "JSON 中途断开")
_LARGE = 10**15  # whole numbers from here on are no progress that anybody reads
_PLAIN = 1_000_000  # from here on `:g` writes an exponent
_LOG = Say("server log", "Server 日志")


def label(row: Entry | Run) -> Say:
    """The label of a message, or of the card that stands for a run."""
    match row:
        case Run(kind="pairs"):
            return pairs_label(row)
        case Run() if row.entries[0].method == "notifications/progress":
            return _progress(row)
        case Run():
            return label(row.entries[0])
    return _KINDS[row.message.kind](row)


def _request(entry: Entry) -> Say:
    name = entry.method or "?"
    return Say(f"{name} request", f"{name} 请求")


def _response(entry: Entry) -> Say:
    plain = Say(f"{entry.method} response", f"{entry.method} 响应") if entry.method else Say("response", "响应")
    return _failure(entry) or _with(plain, _told(entry))


def _told(entry: Entry) -> Say | None:
    """What an answer says in a few words: of a list what changed, of a task how it stands."""
    if entry.change and (entry.change.differs or entry.same_as is None):
        return change_words(entry.change, entry.method)
    return task_words(entry.method, _member(entry, "result"))


def _with(plain: Say, more: Say | None) -> Say:
    return Say(f"{plain.en}: {more.en}", f"{plain.zh}：{more.zh}") if more else plain


def _failure(entry: Entry) -> Say | None:
    """What a tool says about its failure."""
    match entry.message.body:
        case {"result": {"isError": True, "content": [{"text": str(text)}, *_]}}:
            return _said(text)
    return None


def _error(entry: Entry) -> Say:
    match entry.message.body:
        case {"error": {"message": str(text)}} if said := _said(text):
            return said
    return Say(f"{entry.method} error", f"{entry.method} 错误") if entry.method else Say("error", "错误")


def _said(text: str) -> Say | None:
    """The first line that is not empty."""
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line), None)
    return Say(first, first) if first else None


def _notification(entry: Entry) -> Say:
    if not entry.method:
        return Say("notification", "通知")
    return _with(_both(entry.method), task_words(entry.method, _member(entry, "params")))


def _http(entry: Entry) -> Say:
    if event := stream_event(entry.message):
        return _STREAMS.get(f"{event} {_member(entry, 'by')}") or _STREAMS[event]
    return http_label(entry.message)


def _noise(entry: Entry) -> Say:
    codes = entry.message.codes
    return _CUT if "truncated" in codes else _NO_MESSAGE if "not-json-rpc" in codes else _NOISE


def _process(entry: Entry) -> Say:
    event, codes = _event(entry), entry.message.codes
    if event == "signal-sent":
        return _both_ways(
            "{} is sent to the server process", "向 Server 进程发送 {}", _member(entry, "signal")
        )
    if event != "exited":
        return _PROCESS.get(event or "", _both(event or "process"))
    if "had-to-be-killed" in codes:
        return _KILLED
    if "crashed" in codes:
        return _CRASHED
    return _STOPPED if _member(entry, "signal") else _PROCESS["exited"]


def _note(entry: Entry) -> Say:
    data = _member(entry, "data")
    return event_words(_event(entry) or "note", data if isinstance(data, dict) else {})


def _progress(run: Run) -> Say:
    values = [value for entry in run.entries if (value := _progress_of(entry)) is not None]
    return _both(
        f"notifications/progress  {values[0]} → {values[-1]}" if values else "notifications/progress"
    )


def _progress_of(entry: Entry) -> str | None:
    match entry.message.body:
        case {"params": {"progress": int() as value}} if not isinstance(value, bool):
            return str(value) if abs(value) < _LARGE else "…"
        case {"params": {"progress": float() as value}}:
            return f"{value:g}" if abs(value) < _PLAIN else f"{value:.3g}"
    return None


def _event(entry: Entry) -> str | None:
    event = _member(entry, "event")
    return event if isinstance(event, str) else None


def _member(entry: Entry, name: str) -> Any:
    body = entry.message.body
    return body.get(name) if isinstance(body, dict) else None


def _both(text: str) -> Say:
    return Say(text, text)


def _both_ways(en: str, zh: str, value: Any) -> Say:
    text = value if isinstance(value, str) else "a signal"
    return Say(en.replace("{}", text), zh.replace("{}", text))


_KINDS: dict[str, Callable[[Entry], Say]] = {
    "request": _request,
    "response": _response,
    "error": _error,
    "notification": _notification,
    "http": _http,
    "noise": _noise,
    "stderr": lambda entry: _LOG,
    "process": _process,
    "note": _note,
}
