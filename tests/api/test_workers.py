"""Who draws: this process, a pool of processes, a Dask cluster."""

import logging
import os
import socket
import sys
import threading

import pytest

from flowgen.api import render_many, workers
from flowgen.api._workers import _processors
from flowgen.errors import BackendMissing, FlowgenError
from tests.traces import SAMPLES


@pytest.mark.parametrize(
    ("jobs", "sizes", "form", "alone"),
    [
        (None, [10_000] * 3, "svg", True),
        (None, [10_000], "png", True),
        (1, [10_000] * 100, "png", True),
        (None, [10_000] * 100, "svg", False),
        (None, [10_000_000] * 2, "svg", False),
        (None, [10_000] * 2, "png", False),
        (4, [10_000] * 2, "svg", False),
    ],
)
@pytest.mark.skipif(_processors() < 2, reason="one processor draws alone")
def test_processes_are_started_where_they_are_worth_it(jobs, sizes, form, alone):
    with workers(jobs, sizes, form) as executor:
        assert (executor is None) is alone


def test_never_more_processes_than_inputs_and_whoever_leaves_does_not_wait():
    with pytest.raises(ZeroDivisionError), workers(8, [1, 1], "svg") as executor:
        first = executor.submit(os.getpid).result(timeout=30)
        executor.submit(sys.stdin.read)  # would never end
        assert first != os.getpid() and executor._max_workers == 2
        raise ZeroDivisionError


def test_a_cluster_draws_what_its_workers_cannot_see(tmp_path):
    from distributed import LocalCluster

    quiet = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with LocalCluster(n_workers=1, processes=False, protocol="tcp://", host="127.0.0.1", **quiet) as cluster:
        names = [SAMPLES / "seed.json", tmp_path / "none.json", ("stdin", (SAMPLES / "seed.json").read_bytes())]
        with workers(None, [1, 1, 1], "svg", cluster.scheduler_address) as executor:
            rendered = render_many(names, tmp_path, executor, theme="high-contrast")
    assert [bool(each.problem) for each in rendered] == [False, True, False]
    here = render_many([SAMPLES / "seed.json"], tmp_path / "here", theme="high-contrast")
    drawn = [(tmp_path / file).read_bytes() for file in rendered[0].files + rendered[2].files + here[0].files]
    assert drawn == [drawn[0]] * 3


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "http://127.0.0.1:80", "tcp://127.0.0.1:x"])
def test_where_no_scheduler_is_an_error_in_a_line(address):
    with pytest.raises(FlowgenError) as error, workers(None, [1], "svg", address):
        pass
    assert str(error.value).startswith(f"--scheduler {address}: ") and "tcp://HOST:8786" in error.value.hint


def greet(server, said):
    with server.accept()[0] as caller:
        caller.sendall(said)


@pytest.mark.parametrize("said", [b"SSH-2.0-OpenSSH_9.6\r\n", b"", None])
def test_who_listens_but_is_no_scheduler_is_told_in_bounded_time(said, monkeypatch):
    monkeypatch.setattr("flowgen.api._workers._PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        if said is not None:
            threading.Thread(target=greet, args=(server, said), daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(FlowgenError) as error, workers(None, [1], "svg", address):
            pass
    assert str(error.value).startswith(f"--scheduler {address}: ")
    assert "no scheduler" in str(error.value) or "timed out" in str(error.value)


def test_without_the_extra_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BackendMissing) as error, workers(None, [1], "svg", "tcp://127.0.0.1:1"):
        pass
    assert "mcp-flowgen[dask]" in error.value.hint
