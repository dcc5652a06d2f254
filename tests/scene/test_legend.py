"""The legend in lines: as few as there need be, and of about one length."""

import pytest

from flowgen.flow import read
from flowgen.scene import Options
from flowgen.scene._legend import legend
from flowgen.scene._look import duo_look
from tests.traces import answers, asks, trace_of

KINDS = {"req", "res", "err", "ntf", "http.req", "stream", "user", "wait", "retry", "group"}


@pytest.mark.parametrize("lang", ["en", "zh", "en+zh"])
def test_no_entry_stands_alone_on_the_last_line(lang: str) -> None:
    look = duo_look(read(trace_of(asks("ping"), answers())), Options(lang=lang))
    for right in range(900, 2400, 50):
        lines = [len(line) for line in legend(KINDS, ["client", "server"], True, look, 40, right).lines]
        assert sum(lines) == 13 and (len(lines) == 1 or lines[-1] > 1)
