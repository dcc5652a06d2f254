"""How much more memory this process may take while it runs what a stranger may have written. Where the system cannot
be told (it can on Linux), there is no bound.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

_MAPPED = Path("/proc/self/statm")  # its first number: the pages that the process has
_ONE = Lock()  # the bound is the whole process's: nobody may put back what another one has set


@contextmanager
def bounded(memory: int) -> Iterator[None]:
    """Whoever asks for more than `memory` bytes in here gets a MemoryError."""
    with _ONE:
        try:
            import resource

            most = int(_MAPPED.read_text().split()[0]) * resource.getpagesize() + memory
        except (ImportError, OSError):
            yield
            return
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        try:
            if most < (soft if soft != resource.RLIM_INFINITY else most + 1):
                resource.setrlimit(resource.RLIMIT_AS, (most, hard))
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
