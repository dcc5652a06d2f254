"""The chapters of a session: which method belongs to which, and what each is called in both languages.
"""

from collections.abc import Collection, Iterable

from ._model import Say
from ._own_titles import OWN_PICTURES, OWN_TITLES

TITLES = {
    "initialization": Say("Initialization", "初始化"),
    "discovery": Say("Discovery", "能力发现"),
    "authorization": Say("Authorization", "授权"),
    "tool-discovery": Say("Tool Discovery", "工具发现"),
    "tool-execution": Say("Tool Execution", "工具执行"),
    "resources": Say("Resources", "资源"),
    "prompts": Say("Prompts", "提示"),
    "completion": Say("Completion", "补全"),
    "logging": Say("Logging", "日志"),
    "tasks": Say("Tasks", "任务"),
    "subscription": Say("Subscription", "订阅"),
    "notification": Say("Notification", "通知"),
    "refresh": Say("List Refresh", "刷新列表"),
    "asks": Say("Server Requests", "Server 请求"),
    "ping": Say("Ping", "连接检查"),
    "other": Say("Other Requests", "其他请求"),
}

# What a topic is called beside others. Tools are one subject there.
_BESIDE = TITLES | {
    "tool-discovery": Say("Tools", "工具"),
    "tool-execution": Say("Tools", "工具"),
    "notification": Say("Notifications", "通知"),
    "subscription": Say("Subscriptions", "订阅"),
}

_FEATURES = Say("Server Features", "Server 功能")
_LISTINGS = Say("Feature Discovery", "功能发现")
_SESSION = Say("Session", "会话")
_SERVED = frozenset({"tool-discovery", "tool-execution", "resources", "prompts", "completion", "logging",
                     "notification", "refresh", "subscription"})  # fmt: skip
_MOST_NAMED = 3

_METHODS = {
    "initialize": "initialization",
    "server/discover": "discovery",
    "tools/list": "tool-discovery",
    "tools/call": "tool-execution",
    "completion/complete": "completion",
    "logging/setLevel": "logging",
    "subscriptions/listen": "subscription",
    "elicitation/create": "asks",
    "sampling/createMessage": "asks",
    "roots/list": "asks",
    "ping": "ping",
}
_FAMILIES = {"tools/": "tool-execution", "resources/": "resources", "prompts/": "prompts", "tasks/": "tasks"}


def topic_of(method: str | None) -> str:
    """The chapter that a request with this method opens."""
    if method in _METHODS:
        return _METHODS[method]
    return next((topic for start, topic in _FAMILIES.items() if method and method.startswith(start)), "other")


def title_of(topics: Collection[str], only_lists: bool = False) -> Say:
    """One title for a band about these topics, in the order given; `only_lists` if it asks for nothing but lists."""
    if len(topics) == 1:
        return TITLES[next(iter(topics))]
    if only_lists:
        return _LISTINGS
    names = list(dict.fromkeys(_BESIDE[topic] for topic in topics))
    if len(names) > _MOST_NAMED:
        return _FEATURES if _SERVED.issuperset(topics) else _SESSION
    return Say(_listed((name.en for name in names), " and "), _listed((name.zh for name in names), "与"))


def told(title: str) -> Say:
    """A title that came with the trace; the ones we know ourselves are said in both languages."""
    return _said(title, (*TITLES.values(), *_BESIDE.values(), _FEATURES, _LISTINGS, _SESSION, *OWN_TITLES))


def picture_title(title: str) -> Say:
    """The title of a recording; those of our own plans are said in both languages."""
    return _said(title, OWN_PICTURES)


def _said(title: str, ours: Iterable[Say]) -> Say:
    return next((say for say in ours if say.en.casefold() == title.strip().casefold()), Say(title, title))


def _listed(names: Iterable[str], last: str) -> str:
    *before, end = names
    return (", " if last == " and " else "、").join(before) + last + end if before else end
