"""What the recorder's own notes say, in words: one row per code of the note event table, one sentence each.

`{name}` is a value of the note's data. Where a value decides about the words there is a row `code value`.
A code that is not here is shown as it is.
"""

from collections.abc import Mapping
from typing import Any

from ._json import one_line
from ._model import Say

_WORDS = {
    "asked-user": ("the user is asked", "询问用户"),
    "asked-user elicitation": ("the user is asked for input", "请用户输入"),
    "asked-user url": ("the user is asked to open a page", "请用户打开网页"),
    "asked-user sampling": ("the user is asked about the model's answer", "请用户审阅模型的回答"),
    "asked-user approval": ("the user is asked to approve", "请用户批准"),
    "asked-user consent": ("the user is asked to consent", "请用户同意授权"),
    "user-answered": ("the user answers: {action}", "用户回答：{action}"),
    "user-answered accept": ("the user accepts", "用户接受"),
    "user-answered decline": ("the user declines", "用户拒绝"),
    "user-answered cancel": ("the user cancels", "用户取消"),
    "answered-from-file": ("answered without a person: {action}", "无人参与的回答：{action}"),
    "answered-from-file answers": ("answered from the answers file: {action}", "按回答文件作答：{action}"),
    "answered-from-file plan": ("answered as the plan says: {action}", "按计划作答：{action}"),
    "answered-from-file default": ("answered by default: {action}", "按默认作答：{action}"),
    "approved": ("approved: {method} {name}", "已批准：{method} {name}"),
    "approved user": ("the user approves {method} {name}", "用户批准 {method} {name}"),
    "approved rule": ("a rule approves {method} {name}", "规则批准 {method} {name}"),
    "declined": ("declined: {method} {name}", "已拒绝：{method} {name}"),
    "declined user": ("the user declines {method} {name}", "用户拒绝 {method} {name}"),
    "declined rule": ("a rule declines {method} {name}", "规则拒绝 {method} {name}"),
    "consulted-model": ("the model is asked", "询问模型"),
    "consulted-model wants": ("the model asks for {wants}", "模型请求 {wants}"),
    "opened-browser": ("an address is opened in the browser", "在浏览器中打开地址"),
    "opened-browser authorization": ("the browser opens the consent page", "浏览器打开授权页面"),
    "opened-browser elicitation": ("the browser opens the server's page", "浏览器打开 Server 的网页"),
    "callback-received": ("the redirect comes back", "收到重定向"),
    "callback-received error": ("the redirect brings an error: {error}", "重定向带回错误：{error}"),
    "chose-registration": ("how the client is registered: {way}", "客户端注册方式：{way}"),
    "chose-scopes": ("scopes to ask for: {scopes}", "要申请的 scope：{scopes}"),
    "chose-issuer": ("who issues tokens: {issuer}", "令牌签发者：{issuer}"),
    "fell-back": ("goes on with {to}", "改用 {to}"),
    "fell-back handshake": ("falls back to the handshake", "回退到握手方式"),
    "fell-back stateless": ("goes on without a handshake", "改用无状态方式"),
    "cache-hit": ("{method} {name} is still fresh: not asked again", "{method} {name} 仍有效，不再请求"),
    "cache-stale": ("the kept answer to {method} {name} is too old", "缓存的 {method} {name} 应答已过期"),
    "cache-invalidated": ("the kept answer to {method} {name} is void", "缓存的 {method} {name} 应答已失效"),
    "cancelled": ("the request is given up", "放弃该请求"),
    "cancelled timeout": ("the request is given up: no answer in time", "等待超时，放弃该请求"),
    "cancelled user": ("the user gives the request up", "用户放弃该请求"),
    "cancelled plan": ("the request is given up, as planned", "按计划放弃该请求"),
    # by a request: tasks/cancel
    "cancelled request": ("the task is given up, as planned", "按计划放弃该任务"),
    "cancelled interrupt": ("the request is given up: interrupted", "录制中断，放弃该请求"),
    "waited": ("waits {seconds} s", "等待 {seconds} 秒"),
    # in the log of another program: its own words
    "logged": ("log: {text}", "日志：{text}"),
    "merged-tools": ("the host puts the tools of all servers into one list", "Host 把各 Server 的工具合并成一个列表"),
    "plan-step": ("step {step} of the plan: {does} {name}", "计划第 {step} 步：{does} {name}"),
}

# The members whose values decide about the words: the first for which there are some.
_DECIDES = {
    "asked-user": ("mode", "kind"),
    "user-answered": ("action",),
    "answered-from-file": ("source",),
    "approved": ("by",),
    "declined": ("by",),
    "opened-browser": ("reason",),
    "fell-back": ("to",),
    "cancelled": ("by", "why"),
}
_DECIDES_BY_BEING_THERE = {"consulted-model": "wants", "callback-received": "error"}


def event_words(code: str, data: Mapping[str, Any]) -> Say:
    """The sentence of a note; values that it lacks leave no gap."""
    rows = (_WORDS.get(f"{code} {variant}".rstrip()) for variant in (*_variants(code, data), ""))
    row = next(filter(None, rows), None)
    if row is None:
        return Say(code, code)
    values = {name: _value(value) for name, value in data.items()}
    return Say(_filled(row[0], values), _filled(row[1], values))


def _variants(code: str, data: Mapping[str, Any]) -> list[object]:
    if code in _DECIDES_BY_BEING_THERE:
        name = _DECIDES_BY_BEING_THERE[code]
        return [name] if name in data else []
    return [data[name] for name in _DECIDES.get(code, ()) if name in data]


def _filled(words: str, values: Mapping[str, str]) -> str:
    """Fills each place once: braces in a value are no places."""
    parts = [part.partition("}") for part in words.split("{")[1:]]
    text = words.split("{")[0] + "".join(values.get(name, "") + rest for name, _, rest in parts)
    return " ".join(text.split()).removesuffix(":").removesuffix("：").rstrip()


def _value(value: Any) -> str:
    match value:
        case str():
            return value
        case list():
            return " ".join(item for item in value if isinstance(item, str))
        case {"name": str(name)}:
            return name
        case float():
            return f"{value:g}"
        case int():
            return one_line(value) or ""
    return ""
