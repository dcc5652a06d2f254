"""The errors a user can meet: each says what and where in one line, how to mend it in a hint, and its exit code.

Mistakes of the programmer stay Python's own exceptions; only `flowgen.cli` turns these into exit codes.
"""


class FlowgenError(Exception):
    """What went wrong, in one line; `hint` says how to mend it, `exit_code` what the command ends with."""

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(FlowgenError):
    """The options or files given cannot be followed; nothing was started (exit 2)."""

    exit_code = 2


class TraceError(FlowgenError):
    """A recording that cannot be read: names the file, the field and what was expected."""


class ConfigError(FlowgenError):
    """A plan, an answers file, a scenario or a host's config that cannot be read."""


class ServerError(FlowgenError):
    """The server could not be started, reached or spoken with (exit 3)."""

    exit_code = 3


class ThemeError(FlowgenError):
    """A theme that cannot be found or read, or that lacks a colour."""


class TemplateError(FlowgenError):
    """A template of a user that cannot be read or filled: names the file and the line."""


class BackendMissing(FlowgenError):
    """An optional part is not installed: the message names the extra that brings it (exit 4)."""

    exit_code = 4
