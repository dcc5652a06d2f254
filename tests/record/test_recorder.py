"""What is kept, and when its secrets go: at the latest before anybody can see it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from flowgen.record._pairs import mark
from flowgen.record._recorder import Recorder
from flowgen.trace import Mask

SECRET = "Zx9-planted-secret"


def recorder(mask=None):
    made = Recorder(mask or Mask(), ["server"])
    made.mask_later()
    return made


def told(made, number=1, **more):
    """A request that holds a secret, kept."""
    body = {"jsonrpc": "2.0", "id": number, "method": "m", "params": {"password": SECRET, "n": number}}
    return made.seen({"kind": "request", "body": body, **more}, number, "client", "server")


def test_a_message_is_masked_at_once_unless_it_may_wait():
    assert SECRET not in str(told(Recorder(Mask(), ["server"])))


def test_a_message_that_waits_is_masked_in_its_place_and_keeps_its_problems():
    made = recorder()
    kept = told(made, raw="{ }", problems=[{"code": "crlf", "message": "as it came"}])
    mark(kept, "duplicate-id")
    made.settle()
    assert kept is made.messages[0] and kept["redacted"] == ["/body/params/password"]
    assert SECRET not in str(kept) and "raw" not in kept
    mark(kept, "late")
    assert [problem["code"] for problem in kept["problems"]] == ["crlf", "duplicate-id", "late"]


def test_the_fields_stand_in_the_same_order_as_if_masked_at_once():
    made, at_once = recorder(), Recorder(Mask(), ["server"])
    assert list(told(made)) != list(told(at_once))
    made.settle()
    assert list(made.messages[0]) == list(at_once.messages[0])


@pytest.mark.parametrize("look", [lambda made: made.document({}), lambda made: made.text(f"about {SECRET}")])
def test_whoever_looks_sees_no_secret_of_the_last_message(look):
    made = recorder()
    told(made)
    assert SECRET not in str(look(made)) and "redacted" in made.messages[0]


def test_a_name_is_masked_by_what_was_said_before_it():
    made = recorder()
    told(made)
    made.name("server", f"demo {SECRET}")
    assert made.document({})["participants"][1]["title"] == "demo •••"


def test_a_mask_that_fails_is_told_to_whoever_asks_for_the_document():
    class Broken(Mask):
        def message(self, message):
            raise RuntimeError("no mask")

    made = recorder(Broken())
    told(made)
    for look in (made.settle, lambda: made.document({})):
        with pytest.raises(RuntimeError, match="no mask"):
            look()


def test_problems_that_are_noticed_while_another_thread_masks_are_not_lost():
    made, over = recorder(), threading.Event()

    def keep_settling():
        while not over.is_set():
            made.settle()

    with ThreadPoolExecutor(2) as threads:
        settling = [threads.submit(keep_settling) for _ in range(2)]
        for number in range(300):
            kept = told(made, number)
            mark(kept, "unanswered")
            made.band("a band", kept["seq"])
            mark(kept, "late")
        over.set()
        for each in settling:
            each.result(20)
    messages = made.document({})["messages"]
    assert [message["seq"] for message in messages] == list(range(1, 301)) and SECRET not in str(messages)
    assert all([problem["code"] for problem in each["problems"]] == ["unanswered", "late"] for each in messages)
    assert all(each["step"] == {"title": "a band"} and each["redacted"] for each in messages)
