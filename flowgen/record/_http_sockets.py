"""What lies under HTTP: which proxy leads to a host, whom TLS trusts, and how to let go of a connection at once.

A thread that waits for bytes is woken only when its socket is shut; a Grip knows which socket that is.
"""

import re
import socket
import ssl
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from ipaddress import ip_address
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpcore
import httpx

from flowgen.errors import UsageError
from flowgen.trace import Mask

from ._session import OAuth, Route, Site

# Node and uvicorn close a connection that was idle for 5 s: we never send on one that may be closing just then
_IDLE_SECONDS = 2.0
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")  # RFC 9110, 5.6.2
_DETOUR = re.compile(r"(\[[^\]]+\]|[^:\s]+):(\d{1,5}):(\[[^\]]+\]|[^:\s]+):(\d{1,5})", re.ASCII)
_VALUE = re.compile(r"[\x20-\x7e\t\x80-\uffff]*")


class LetGo(Exception):
    """Our side closed the exchange."""


class Grip:
    """What an exchange waits on, so that another thread can end it. Unset again when the exchange is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stream: _Stream | None = None
        self.let_go = False

    def hold(self, stream: "_Stream | None") -> None:
        """The exchange reads or writes here; raises LetGo when it should not any more."""
        with self._lock:
            if self.let_go:
                raise LetGo
            self._stream = stream

    def close(self) -> None:
        """Ends the exchange from any thread."""
        with self._lock:
            self.let_go = True
            if self._stream is not None:
                self._stream.shut()


_here = threading.local()  # the grip of the exchange that this thread carries out


class Place(NamedTuple):
    """An address in the parts that a connection needs."""

    url: httpcore.URL
    host: str  # as the Host header says it
    name: str

    @classmethod
    def of(cls, address: str) -> "Place":
        """The parts of an address."""
        url = httpx.URL(address)
        target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        return cls(target, url.netloc.decode("ascii"), url.host)


def can_be_asked(address: str) -> bool:
    """Whether an address that a server names can be asked at all."""
    try:
        return Place.of(address).url.scheme in (b"http", b"https")
    except (httpx.InvalidURL, UnicodeError, ValueError):
        return False


class Sockets:
    """Connections for all exchanges, kept alive between them. `connected` is told of each one that stands.

    `waits` is called when a request is written and its answer is read for the first time.
    """

    def __init__(self, route: Route, connected: Callable[[], None], waits: Callable[[], None]) -> None:
        self._route = route
        self._detours = detours(route.connect_to)
        self._backend = _Backend(connected, waits, self._detours)
        self._pools: dict[tuple[bool, str | None], httpcore.ConnectionPool] = {}
        self._proxies: dict[tuple[bool, str], str | None] = {}
        self._lock = threading.Lock()

    def send(self, request: httpcore.Request, place: Place) -> httpcore.Response:
        """Sends one request; gives the head of its answer, whose stream is to be read and closed."""
        return self._pool(place).handle_request(request)

    def proxy_of(self, place: Place) -> str | None:
        """The proxy that an address was sent to, by its name alone."""
        proxy = self._proxies.get((place.url.scheme == b"https", place.name))
        return proxy and proxy.partition("://")[2].rpartition("@")[2].partition("/")[0]

    def holding(self, grip: Grip) -> None:
        """Whatever this thread reads and writes from here on belongs to the exchange with this grip."""
        _here.grip = grip

    def close(self) -> None:
        """Closes the connections that no exchange uses."""
        for pool in self._pools.values():
            with suppress(Exception):
                pool.close()

    def _pool(self, place: Place) -> httpcore.ConnectionPool:
        secure = place.url.scheme == b"https"
        with self._lock:
            proxy = None if self._goes_astray(place) else self._proxy_to(secure, place.name)
            if (secure, proxy) not in self._pools:
                self._pools[secure, proxy] = self._new_pool(secure, proxy)
            return self._pools[secure, proxy]

    def _goes_astray(self, place: Place) -> bool:
        """Whether we were told where to connect instead: no proxy knows of that."""
        return (place.url.host.decode("ascii"), _port(place.url)) in self._detours

    def _proxy_to(self, secure: bool, host: str) -> str | None:
        if (secure, host) not in self._proxies:
            named = self._route.proxy or environment_proxy("https" if secure else "http", host)
            self._proxies[secure, host] = named
        return self._proxies[secure, host]

    def _new_pool(self, secure: bool, proxy: str | None) -> httpcore.ConnectionPool:
        through = None if proxy is None else _proxy(proxy)
        return httpcore.ConnectionPool(
            ssl_context=trust(self._route) if secure else None, proxy=through, max_connections=None,
            max_keepalive_connections=None, keepalive_expiry=_IDLE_SECONDS, network_backend=self._backend,
        )  # fmt: skip


Detours = Mapping[tuple[str, int], tuple[str, int]]


def detours(given: Sequence[str]) -> Detours:
    """Where to connect instead, of `HOST:PORT:HOST2:PORT2`. Raises UsageError."""
    found = {}
    for each in given:
        parts = _DETOUR.fullmatch(each)
        if parts is None or not all(0 < int(port) < 65536 for port in parts.group(2, 4)):
            hint = "such as mcp.tracker.example:443:127.0.0.1:8443"
            raise UsageError(f"--connect-to {each[:200]}: expected HOST:PORT:HOST2:PORT2", hint)
        found[parts[1].strip("[]").lower(), int(parts[2])] = parts[3].strip("[]"), int(parts[4])
    return found


def _port(url: httpcore.URL) -> int:
    return url.port or {b"https": 443}.get(url.scheme, 80)


def check_site(site: Site) -> None:
    """Raises UsageError or ConfigError for what cannot be followed: before anything is sent."""
    if not _is_address(site.url):
        raise UsageError(f"{Mask().url(site.url)!r} is no address", "such as https://host/mcp")
    for name, value in site.headers:
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise UsageError(f"--header {name}: not a name and a value that HTTP can carry", "such as 'X-Key: env:KEY'")
    detours(site.route.connect_to)
    _check_proxy(site)
    if site.route.cacert is not None:
        trust(site.route)
    if site.oauth._replace(interactive=False, opens=True) != OAuth():
        site.oauth.settings()
    if site.oauth.token_store is not None:
        from ._tokens import TokenStore

        TokenStore(site.oauth.token_store).load()


def _is_address(text: str, schemes: tuple[str, ...] = ("http", "https")) -> bool:
    try:
        url = httpx.URL(text)
        urlsplit(text)  # which refuses others
    except (httpx.InvalidURL, ValueError):
        return False
    return url.scheme in schemes and bool(url.host) and (url.port or 1) < 65536


def _check_proxy(site: Site) -> None:
    url, given = httpx.URL(site.url), site.route.proxy
    proxy = environment_proxy(url.scheme, url.host) if given is None else given
    if proxy is None:
        return
    name = "the proxy of the environment" if given is None else "--proxy"
    if not _is_address(proxy, ("http", "https", "socks5", "socks5h")):
        raise UsageError(f"{name} is no address of a proxy", "such as http://host:3128 or socks5://host:1080")
    if proxy.startswith("socks") and find_spec("socksio") is None:
        raise UsageError("a SOCKS proxy needs a package that is not there", "pip install 'httpx[socks]'")


def environment_proxy(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for a host (`HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`); none for our own."""
    from urllib.request import getproxies, proxy_bypass

    if is_loopback(host) or proxy_bypass(host):
        return None
    proxies = getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def trust(route: Route) -> ssl.SSLContext:
    """Whom TLS trusts: the usual authorities (`SSL_CERT_FILE` counts) and the file given; or anybody."""
    context = httpx.create_ssl_context(verify=True)
    if route.insecure:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if route.cacert is not None:
        try:
            context.load_verify_locations(route.cacert)
        except (OSError, ssl.SSLError) as problem:
            raise UsageError(f"--cacert {route.cacert}: {problem}", "give a file of certificates in PEM form") from None
    return context


def _proxy(address: str) -> httpcore.Proxy:
    url = httpx.URL(address)
    auth = (url.username.encode(), url.password.encode()) if url.username else None
    target = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=b"/")
    return httpcore.Proxy(target, auth=auth)


class _Backend(httpcore.NetworkBackend):
    """Opens connections that can be let go of."""

    def __init__(self, connected: Callable[[], None], waits: Callable[[], None], detours: Detours) -> None:
        self._backend = httpcore.SyncBackend()
        self._detours = detours
        self._connected = connected
        self._waits = waits

    def connect_tcp(
        self, host: str, port: int, timeout: float | None = None, local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:  # fmt: skip
        host, port = self._detours.get((host.lower(), port), (host, port))
        stream = self._backend.connect_tcp(host, port, timeout, local_address, socket_options)
        self._connected()
        return _Stream(stream, self._waits)


class _Stream(httpcore.NetworkStream):
    """A connection; whoever waits on it is known to its grip."""

    def __init__(self, inner: httpcore.NetworkStream, waits: Callable[[], None]) -> None:
        self._inner = inner
        self._waits = waits
        self._asked = False

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._held()
        if self._asked:
            self._asked = False
            self._waits()
        return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._held()
        self._inner.write(buffer, timeout)
        self._asked = True

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        self._held()
        return _Stream(self._inner.start_tls(ssl_context, server_hostname, timeout), self._waits)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)

    def shut(self) -> None:
        """Ends both directions; whoever waits is woken."""
        connection = self._inner.get_extra_info("socket")
        with suppress(OSError, ValueError, TypeError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)  # not SSLSocket's own, which is not for two threads

    def _held(self) -> None:
        grip = getattr(_here, "grip", None)
        if grip is not None:
            grip.hold(self)
