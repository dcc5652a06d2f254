"""The growing picture: every line once where nothing can be drawn over, the newest state on a terminal."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.cli._tap_live import Lane, _settled
from flowgen.trace import Message, load

FLOWGEN = Path(sys.executable).with_name("flowgen")
SERVER = Path(__file__).parents[1] / "record" / "servers" / "tapped.py"
DEADLINE = 20.0
CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"echo"}}\n'


def screen(written, height):
    """The lines that a terminal shows, after it was told so."""
    lines, place = [], 0
    for part in written.split("\n"):
        while part.startswith("\x1b["):
            number, sign = part[2:].split("A", 1) if "A" in part.split("J")[0] else ("", part[2:])
            if number:
                place -= int(number)
                part = sign
            else:
                part, lines = part[3:], lines[:place]
        lines = [*lines[:place], part]
        place += 1
    return lines[:-1][-(height - 1) :]


@settings(max_examples=60)
@given(st.lists(st.lists(st.sampled_from("abc"), max_size=30), min_size=1, max_size=6), st.integers(3, 12))
def test_a_terminal_shows_the_newest_state_whatever_changed(states, height):
    lane, written = Lane(height), ""
    grown = sorted(states, key=len)
    for state in grown:
        written += lane.drawn(state)
    assert screen(written, height) == grown[-1][-(height - 1) :]


def test_elsewhere_every_line_is_written_once():
    lane = Lane(None)
    assert lane.drawn(["a", "b"]) == "a\nb\n"
    assert lane.drawn(["x", "b", "c"]) == "c\n"
    assert lane.drawn(["x", "b", "c"]) == ""


def message(seq, kind, id_=None, sender="client"):
    receiver = "server" if sender == "client" else "client"
    return Message(seq=seq, sender=sender, receiver=receiver, kind=kind, body={"id": id_})


def test_nothing_is_drawn_behind_a_request_that_waits_but_not_for_ever():
    talk = [message(1, "request", 1), message(2, "response", 1, "server"), message(3, "request", 2)]
    assert _settled(talk) == 2
    more = [message(number, "notification") for number in range(4, 40)]
    assert _settled([*talk, *more[:5]]) == 2
    assert _settled([*talk, *more]) == len(talk) + len(more)


def typed(folder, kind):
    """What is typed to tap a server."""
    argv = [FLOWGEN, "tap", "--live", "-o", folder / "t.jsonl", "--", sys.executable, SERVER, kind, folder / "log"]
    return list(map(str, argv))


@pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")
def test_the_swim_lane_is_shown_on_standard_error_and_the_protocol_is_left_alone(tmp_path):
    done = subprocess.run(
        typed(tmp_path, "echo"), input=CALL % 1 + CALL % 2, capture_output=True, timeout=DEADLINE,
        start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 0 and [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]
    shown = done.stderr.decode()
    assert shown.count("tools/call request") == shown.count("tools/call response") == 2 and "\x1b" not in shown


@pytest.mark.skipif(os.name != "posix", reason="the tap runs on POSIX")
def test_an_interrupt_at_the_terminal_reaches_the_server_and_leaves_a_valid_trace(tmp_path):
    script = f"import os, pty; os._exit(os.waitstatus_to_exitcode(pty.spawn({typed(tmp_path, 'hears')!r})))"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], bufsize=0, **pipes) as terminal:
        watchdog = threading.Timer(DEADLINE, terminal.kill)
        watchdog.start()
        seen = b""
        while b"notifications/ready" not in seen and (data := terminal.stdout.read(1024)):
            seen += data
        terminal.stdin.write(b"\x03")
        seen += terminal.stdout.read()
        watchdog.cancel()
        assert terminal.wait() == 9
    assert (tmp_path / "log").read_text() == "SIGINT"
    assert "Legend" in seen.decode(errors="replace")
    assert load((tmp_path / "t.jsonl").read_bytes()).outcome.exit_code == 9
