"""A server that does one thing wrong: `python odd.py FAULT`. Everything else it answers as it should.

Standard library only. Faults are functions named after what they do; one may act before the first message
(`early_…`), on a message (`on_…`, True when it has dealt with it), or after stdin has ended (`late_…`).
"""

import json
import os
import signal
import subprocess
import sys
import time

TOOLS = [{"name": "echo", "inputSchema": {"type": "object"}}]


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def say(message):
    write(json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")


def reply(message, **result):
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def right(message):
    """The right answer; None where none is due."""
    method = message.get("method")
    if method is None or "id" not in message:
        return None
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        capabilities = {"tools": {"listChanged": True}}
        return reply(message, protocolVersion=version, capabilities=capabilities, serverInfo={"name": "odd"})
    if method == "tools/list":
        return reply(message, tools=TOOLS)
    if method == "tools/call":
        return reply(message, content=[{"type": "text", "text": message["params"]["arguments"].get("text", "")}])
    return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}}


def is_call(message):
    return message.get("method") == "tools/call"


# what comes over stdout


def early_banner():
    write("★ ready\n[2026-01-01 12:00] [INFO] up\n\n{\n".encode())


def early_bom():
    write(b"\xef\xbb\xbf")


def on_crlf(message):
    answer = right(message)
    if answer:
        write(json.dumps(answer).encode() + b"\r\n\r\n")
    return True


def on_pretty(message):
    answer = right(message)
    if answer:
        write(json.dumps(answer, indent=2).encode() + b"\n")
    return True


def on_latin1(message):
    if is_call(message):
        answer = json.dumps(reply(message, content=[{"type": "text", "text": "MARK"}])).encode()
        write(answer.replace(b"MARK", b"Ger\xe4t \\ud83d") + b"\n")
    return is_call(message)


def on_batch(message):
    if is_call(message):
        write(json.dumps([{"jsonrpc": "2.0", "method": "notifications/message"}, right(message)]).encode() + b"\n")
    return is_call(message)


def on_two_in_a_line(message):
    if is_call(message):
        note = json.dumps({"jsonrpc": "2.0", "method": "notifications/message"}).encode()
        write(note + json.dumps(right(message)).encode() + b"\n")
    return is_call(message)


def on_huge(message):
    if is_call(message):
        write(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % message["id"])
        for _ in range(12):
            write(b"x" * (1 << 20))
        write(b'"}]}}\n')
    return is_call(message)


def on_deep(message):
    if is_call(message):
        write(b'{"jsonrpc":"2.0","id":%d,"result":%s}\n' % (message["id"], b"[" * 100000 + b"]" * 100000))
    return is_call(message)


def on_no_newline(message):
    if is_call(message):
        write(json.dumps(right(message)).encode())
        os._exit(0)
    return False


# what does not fit together


def on_id_as_text(message):
    answer = right(message)
    if answer:
        say({**answer, "id": str(answer["id"])})
    return True


def on_id_as_fraction(message):
    if is_call(message):
        say({**right(message), "id": float(message["id"])})
    return is_call(message)


def on_no_jsonrpc(message):
    answer = right(message)
    if answer and message["method"] != "tools/call":
        del answer["jsonrpc"]
        say(answer)
    elif answer:
        say(answer["result"])
    return True


def on_thrice(message):
    if is_call(message):
        answer = right(message)
        say(answer)
        say({**answer, "result": {"content": []}})
        say({**answer, "error": {"code": -1, "message": "both"}})
    return is_call(message)


def on_stranger(message):
    if is_call(message):
        say({"jsonrpc": "2.0", "id": 99, "result": {}})
        say({"jsonrpc": "2.0", "id": True, "result": {}})
        say({"jsonrpc": "2.0", "id": {"a": 1}, "result": {}})
    return False


def on_answered_notification(message):
    if message.get("method") == "notifications/initialized":
        say({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "Method not found"}})
    return False


def on_same_id_twice(message):
    if is_call(message):
        say({"jsonrpc": "2.0", "id": 5, "method": "roots/list"})
        say({"jsonrpc": "2.0", "id": 5, "method": "roots/list"})
    return False


# what comes at the wrong time


def early_question():
    say({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})
    say({"jsonrpc": "2.0", "id": 2, "method": "ping"})
    say({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "early"}})


def on_silent(message):
    return is_call(message)


def on_mute(message):
    return True


def on_slow(message):
    if is_call(message):
        token = message["params"].get("_meta", {}).get("progressToken")
        for step in range(6):
            time.sleep(0.2)
            if token is not None:
                say({"jsonrpc": "2.0", "method": "notifications/progress",
                     "params": {"progressToken": token, "progress": step}})
    return False


def on_late(message):
    if is_call(message):
        time.sleep(0.7)
    return False


def on_storm(message):
    if message.get("method") == "tools/list":
        for _ in range(3):
            say({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    return False


def on_flood(message):
    """Asks without end and never listens."""
    number = 0
    while is_call(message):
        number += 1
        say({"jsonrpc": "2.0", "id": number, "method": "ping"})


def on_babble(message):
    """Text without end and without a line break."""
    while is_call(message):
        write(b"bla" * 20000)


def on_yes(message):
    """Tiny lines without end."""
    while is_call(message):
        write(b"y\n" * 30000)


def on_yell(message):
    """The same on stderr, with last words before it dies."""
    for _ in range(2 if is_call(message) else 0):
        sys.stderr.buffer.write(b"y\n" * 30000)
    if is_call(message):
        sys.stderr.buffer.write(b"last words\n")
        sys.stderr.flush()
        os._exit(1)


def on_many(message):
    """More tools than anybody wants."""
    if message.get("method") == "tools/list":
        say(reply(message, tools=TOOLS * 50))
    return message.get("method") == "tools/list"


def on_needy(message):
    """Asks everything while a call is under way, and answers the call with what it was told."""
    if not is_call(message):
        return False
    asks = [
        {"id": "a", "method": "elicitation/create", "params": {"message": "Which?", "requestedSchema": {}}},
        {"id": "b", "method": "sampling/createMessage", "params": {"messages": [], "maxTokens": 1}},
        {"id": "c", "method": "roots/list"},
        {"id": "d", "method": "ping"},
        {"id": "e", "method": "tasks/list"},
    ]
    told = []
    for ask in asks:
        say({"jsonrpc": "2.0", **ask})
        told.append(json.loads(sys.stdin.buffer.readline()))
    say(reply(message, content=[{"type": "text", "text": json.dumps(told)}]))
    return True


# what happens to the process


def early_crash():
    sys.stderr.write("Traceback (most recent call last):\n")
    sys.stderr.write("KeyError: 'DATABASE_URL' (API_KEY=sk-live-0123456789abcdef)\n")
    sys.exit(1)


def early_quiet_end():
    sys.exit(0)


def on_crash_in_call(message):
    if is_call(message):
        write(json.dumps(right(message), separators=(",", ":")).encode()[:50])
        os._exit(3)
    return False


def on_abort(message):
    if is_call(message):
        os.kill(os.getpid(), signal.SIGABRT)
    return False


def late_stays():
    time.sleep(30)


def early_stays_whatever_is_said():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # from the start: an interrupt may come before the end is read


def late_stays_whatever_is_said():
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(0.1)


def on_closes_stdout(message):
    if is_call(message):
        sys.stdout.close()
        os.close(1)
        time.sleep(30)
    return False


def on_stops_reading(message):
    if is_call(message):
        time.sleep(30)
    return False


def on_closes_stdin(message):
    if is_call(message):
        os.close(0)
        say(right(message))
        time.sleep(30)
    return is_call(message)


def early_child():
    """A child inherits the pipes and outlives us."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)", "odd-grandchild"])


def early_daemon():
    """A child in a session of its own holds stdout, so that no signal to our group reaches it."""
    subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(4)"], start_new_session=True, stdin=subprocess.DEVNULL
    )


def early_loud():
    for _ in range(400):
        sys.stderr.write("x" * 1000 + "\n")
    sys.stderr.buffer.write(b"caf\xe9\n")
    sys.stderr.write("no newline")
    sys.stderr.flush()


def early_words():
    sys.stderr.write("starting\n")
    sys.stderr.flush()


def on_probe_unheard(message):
    return message.get("method") == "server/discover"


FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


def at(place, *arguments):
    names = [name for name in FAULT.split("+") if f"{place}_{name}" in globals()]
    done = [globals()[f"{place}_{name}"](*arguments) for name in names]
    return any(done)


at("early")
while line := sys.stdin.buffer.readline():
    received = json.loads(line)
    if not at("on", received):
        answer = right(received)
        if answer is not None:
            say(answer)
at("late")
