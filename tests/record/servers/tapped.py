"""Servers for the tap: `tapped.py KIND LOG`. What was read, or noticed, is written to LOG."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

ODD = [
    b"server starts, 100 % \xe2\x9c\x93\n",
    b'{"jsonrpc": "2.0",  "id": 1, "result": {"n": 1.0e2, "n": 0.50}}\r\n',
    b'\xef\xbb\xbf{"jsonrpc":"2.0","id":"s-1","method":"roots/list"}\n',
    b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"\xff\xfe\xed\xa0\x80"}}\n',
    b"\x00\x01\x02\x1b[31m\r\r\n\n",
    b'[{"jsonrpc":"2.0","method":"notifications/a"},{"jsonrpc":"2.0","method":"notifications/b"}]\n',
    b'{"jsonrpc":"2.0","method":"notifications/large","params":"' + b"s" * (1 << 20) + b'"}\n',
    b"x" * 70000 + b"\xe2\x9c",
    b"\x93\n",
    b'{"jsonrpc":"2.0","method":"notifications/bye"}',
]
COMPLAINTS = b"one\r\n\xff two\n" + b"e" * 100000 + b"\nlast, no newline"


def write(data, handle=1):
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def odd(log):
    """Says everything, reads everything, ends with 7."""
    speaker = threading.Thread(target=lambda: [write(part) for part in ODD])
    speaker.start()
    write(COMPLAINTS, 2)
    log.write_bytes(sys.stdin.buffer.read())
    speaker.join()
    sys.stdout = None
    os._exit(7)


def echo(log):
    """Answers each request with the line itself as a text."""
    for line in sys.stdin.buffer:
        number = line.split(b'"id":')[1].split(b",")[0]
        write(b'{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}\n' % number)
    log.write_text("eof")


def late(log):
    """Answers only when its input has ended."""
    lines = sys.stdin.buffer.readlines()
    write(b'{"jsonrpc":"2.0","id":1,"result":{}}\n' * 500)
    log.write_text(str(len(lines)))


def mute(log):
    """Closes its output and reads on, ends with 4."""
    write(b'{"jsonrpc":"2.0","method":"notifications/last"}\n')
    os.close(1)
    log.write_text(str(len(sys.stdin.buffer.read())))
    os._exit(4)


def leaves(log):
    """Ends with 5 while its input is open."""
    write(b'{"jsonrpc":"2.0","method":"notifications/gone"}\n')
    os._exit(5)


def dies(log):
    """Ends by a signal of its own."""
    write(b'{"jsonrpc":"2.0","method":"notifications/dying"}\n')
    os.kill(os.getpid(), signal.SIGKILL)


def hears(log):
    """Writes down which signal it got, ends with 9."""

    def noted(number, frame):
        log.write_text(signal.Signals(number).name)
        os._exit(9)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1):
        signal.signal(number, noted)
    ready()


def stubborn(log):
    """Ignores the end of its input and every signal that it can."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    log.write_text(str(os.getpid()))
    ready()


def ready():
    write(b'{"jsonrpc":"2.0","method":"notifications/ready"}\n')
    while True:
        time.sleep(60)


def flood(log):
    """Writes 4 MiB before it reads a byte."""
    write((b"f" * 65535 + b"\n") * 64)
    log.write_text(str(len(sys.stdin.buffer.read())))


def told(log):
    """Says how it was called."""
    log.write_text(repr((sys.argv[3:], os.getcwd(), os.environ.get("TAPPED"))))


def secret(log):
    """Answers with a token, and complains with a key."""
    log.write_bytes(sys.stdin.buffer.readline())
    write(b"config: API_KEY=sk-live-9f8e7d6c5b4a39281706f5e4 read\n", 2)
    write(b'{"jsonrpc":"2.0","id":1,"result":{"content":"use ghp_Zq7Wm2Xc9Vb4Nl6Kj8Hg1Fd3Sa5Po0Iu2Yt4 now"}}\n')
    sys.stdin.buffer.read()


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
