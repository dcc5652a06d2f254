"""What an HTTP exchange without JSON-RPC is about, in words: metadata, registration, consent, tokens.

Told from the address and the fields of the body alone (RFC 6749, 7591, 8414, 9728; OpenID Connect Discovery); what
cannot be told so keeps its method and path, or its status.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit

from flowgen.trace import Http, Message, Sse

from ._duration import duration
from ._model import Say

_WELL_KNOWN = {
    "oauth-protected-resource": Say("protected resource metadata (RFC 9728)", "受保护资源元数据（RFC 9728）"),
    "oauth-authorization-server": Say("authorization server metadata (RFC 8414)", "授权服务器元数据（RFC 8414）"),
    "openid-configuration": Say("OpenID provider metadata", "OpenID 提供方元数据"),
}
_GRANTS = {
    "authorization_code": Say("the code for a token", "用授权码换令牌"),
    "refresh_token": Say("the refresh token for a new token", "用刷新令牌换新令牌"),
    "client_credentials": Say("the client's credentials for a token", "用 Client 凭据换令牌"),
}
_TOKEN = Say("asks for a token", "请求令牌")
# a member of a request's body -> what is asked
_ASKED = {"redirect_uris": Say("client registration (RFC 7591)", "Client 注册（RFC 7591）")}
# a member of an answer's body -> what it tells
_TOLD = {
    "authorization_servers": Say("who issues tokens for this server", "为此 Server 签发令牌的是谁"),
    "token_endpoint": Say("where consent and tokens are to be had", "授权与令牌的端点"),
    "access_token": Say("a token", "令牌"),
    "client_id": Say("an id for the client", "Client 的标识"),
}
_STATUS = {
    202: Say("accepted", "已接受"),
    401: Say("a valid token is needed", "需要有效的令牌"),
    403: Say("not allowed", "不允许"),
}
_EVENT = Say("an event without a message", "不含消息的事件")
_COMMENT = Say("a comment: the stream is alive", "注释：流仍存活")
_STREAM = Say("a stream for what the server sends", "接收 Server 消息的流")
_SESSION_ENDS = Say("the session is to end", "请求结束会话")
_REDIRECT = Say("redirect with the code", "携带授权码的重定向")
_LONGEST = 24  # characters of an event's id
_LONGEST_WAIT = 10**12  # ms: what is more is no time that anybody waits
_SCOPE = Say("the token lacks a scope", "令牌缺少 scope")


def http_label(message: Message) -> Say:
    """The label of one half of an exchange, or of an event of a stream without a message in it."""
    http = message.http
    if message.sse is not None and (http is None or http.status is None):
        return _event(message.sse)
    if http is None:
        return Say("HTTP", "HTTP")
    if http.status is not None:
        return _answer(message, http, http.status)
    return _request(message, http)


def _request(message: Message, http: Http) -> Say:
    parts = _split(http.url)
    body = message.body if isinstance(message.body, Mapping) else {}
    known = [said for name, said in _WELL_KNOWN.items() if f"/.well-known/{name}" in parts.path]
    asked = [said for member, said in _ASKED.items() if member in body and http.method == "POST"]
    found = known or asked or _of_session(http) or _by_fields(parts, message)
    plain = f"{http.method or ''} {parts.path or '/'}".strip()
    return found[0] if found else Say(plain, plain)


def _event(sse: Sse) -> Say:
    """What an event says by its fields alone (WHATWG Server-sent events; MCP Streamable HTTP, resumability)."""
    if sse.retry is not None:
        wait = duration(max(0, min(sse.retry, _LONGEST_WAIT)) / 1000)
        return Say(f"to be taken up again after {wait}", f"{wait} 后可重新接上")
    if sse.id:
        return Say(f"event {_cut(sse.id)}: the stream can be taken up from here", f"事件 {_cut(sse.id)}：可由此接上流")
    return _COMMENT if sse.comment is not None else _EVENT


def _of_session(http: Http) -> list[Say]:
    """A stream that is asked for or taken up again, and the end of a session."""
    last = _header(http, "last-event-id")
    if last:
        return [Say(f"the stream is taken up again after event {_cut(last)}", f"从事件 {_cut(last)} 之后接上流")]
    if http.method == "GET" and "text/event-stream" in _header(http, "accept"):
        return [_STREAM]
    return [_SESSION_ENDS] if http.method == "DELETE" and _header(http, "mcp-session-id") else []


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _by_fields(parts: SplitResult, message: Message) -> list[Say]:
    """What the fields of the address or of a form say."""
    query = parse_qs(parts.query, keep_blank_values=True)
    form = parse_qs((message.text or "")[:10_000], keep_blank_values=True)
    if "grant_type" in form:
        return [_GRANTS.get(form["grant_type"][0], _TOKEN)]
    if "response_type" in query:
        return [Say("sign-in and consent", "登录与同意")]
    if "code" in query or "error" in query:
        return [Say("the redirect reaches the client", "重定向到达 Client")]
    return []


def _answer(message: Message, http: Http, status: int) -> Say:
    body: Mapping[str, Any] = message.body if isinstance(message.body, Mapping) else {}
    told = [said for member, said in _TOLD.items() if member in body and 200 <= status < 300]
    if told:
        return told[0]
    if 300 <= status < 400 and "code" in parse_qs(_split(_header(http, "location")).query, keep_blank_values=True):
        return _REDIRECT
    if status == 403 and "insufficient_scope" in _header(http, "www-authenticate"):
        return _SCOPE
    return _STATUS.get(status) or _phrase(status)


def _phrase(status: int) -> Say:
    try:
        text = f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        text = str(status)
    return Say(text, text)


def _header(http: Http, name: str) -> str:
    return next((value for field, value in http.headers if field.lower() == name), "")


def _split(url: str | None) -> SplitResult:
    try:
        return urlsplit(url or "")
    except ValueError:
        return SplitResult("", "", url or "", "", "")
