"""A file that keeps tokens between runs, for whoever asks for one. Readable by its owner only."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from flowgen import protocol
from flowgen.errors import ConfigError, FlowgenError


def secrets_in(wallet: protocol.Wallet) -> Iterator[str]:
    """Every token and client secret that it holds."""
    for entry in wallet.dump()["issuers"].values():
        for holder in (entry.get("client", {}), *entry.get("tokens", {}).values()):
            yield from (holder[name] for name in ("access_token", "refresh_token", "client_secret") if name in holder)


class TokenStore:
    """The file, or none: then nothing is written anywhere."""

    def __init__(self, path: str | None) -> None:
        self._path = Path(path) if path is not None else None

    def load(self) -> protocol.Wallet:
        """What it holds; nothing where there is no file yet. Raises ConfigError for a file that is no token store."""
        if self._path is None:
            return protocol.Wallet()
        try:
            if not self._path.resolve().parent.is_dir():
                raise ConfigError(f"{self._path}: its folder is not there", "choose another --token-store")
            if not self._path.exists():
                return protocol.Wallet()
            return protocol.Wallet.load(json.loads(self._path.read_bytes()))
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or "no JSON"
            raise ConfigError(f"{self._path}: {said}", "remove the file, and the next run asks anew") from None

    def save(self, wallet: protocol.Wallet) -> None:
        """Writes it whole or not at all. Raises FlowgenError where that is not possible."""
        if self._path is None:
            return
        place = self._path.resolve()
        beside = place.with_name(f".{place.name}.{os.urandom(4).hex()}")
        try:
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
                json.dump(wallet.dump(), file, indent=1)
            os.replace(beside, place)
        except OSError as problem:
            raise FlowgenError(f"{self._path}: {problem.strerror or problem}", "choose another --token-store") from None
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
