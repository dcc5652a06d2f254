"""Which answer belongs to which request, and what is wrong with those that belong to none."""

import pytest

from flowgen.record._pairs import Pairs


class Book:
    """Pairs with messages made on the way."""

    def __init__(self):
        self.pairs = Pairs()
        self.count = 0

    def message(self, sender):
        self.count += 1
        return {"seq": self.count, "sender": sender, "problems": []}

    def ask(self, id, sender="client", method="tools/call"):
        message = self.message(sender)
        return self.pairs.asked(message, {"id": id, "method": method}, "2025-11-25")

    def answer(self, id, sender="server"):
        message = self.message(sender)
        return self.pairs.answered(message, {"id": id, "result": {}}), codes(message)

    def tell(self, method, sender="server", **params):
        message = self.message(sender)
        self.pairs.told(message, {"method": method, "params": params})
        return message


def codes(message):
    return [problem["code"] for problem in message["problems"]]


@pytest.fixture
def book():
    return Book()


def test_an_answer_finds_its_request_whatever_the_order(book):
    one, two = book.ask(1), book.ask(2)
    assert book.answer(2) == (two, []) and book.answer(1) == (one, [])


def test_both_sides_may_use_the_same_id(book):
    ours, theirs = book.ask(1), book.ask(1, "server")
    assert book.answer(1, "client") == (theirs, []) and book.answer(1, "server") == (ours, [])


@pytest.mark.parametrize(("asked", "answered"), [(1, "1"), ("1", 1), (1, 1.0), ("a", "a")])
def test_the_type_of_an_id_may_change_and_is_marked(book, asked, answered):
    request = book.ask(asked)
    expected = [] if type(asked) is type(answered) else ["id-type-changed"]
    assert book.answer(answered) == (request, expected)


@pytest.mark.parametrize("answered", [True, 2, "x", 1.5, {"a": 1}, [1]])
def test_other_ids_are_unknown(book, answered):
    book.ask(1)
    assert book.answer(answered) == (None, ["unknown-id"])


def test_the_exact_type_comes_first(book):
    number, text = book.ask(1), book.ask("1")
    assert book.answer("1") == (text, []) and book.answer(1) == (number, [])


def test_a_second_answer_is_marked(book):
    book.ask(1)
    book.answer(1)
    assert book.answer(1) == (None, ["duplicate-response"])
    assert book.answer("1") == (None, ["id-type-changed", "duplicate-response"])


def test_an_open_id_may_not_be_used_again_by_its_side(book):
    first, second = book.ask(1), book.ask(1)
    assert codes(first.message) == [] and codes(second.message) == ["duplicate-id"]
    assert book.answer(1)[0] is first and book.answer(1)[0] is second


def test_a_closed_id_may_be_used_again(book):
    book.ask(1)
    book.answer(1)
    again = book.ask(1)
    assert codes(again.message) == [] and book.answer(1) == (again, [])


def test_what_was_given_up_is_answered_late_and_then_not_missing(book):
    request = book.ask(1)
    book.pairs.give_up(request, timed_out=True)
    assert book.answer(1) == (None, ["late"])
    book.pairs.finish()
    assert codes(request.message) == ["timed-out"]


def test_what_stays_without_an_answer_is_marked_at_the_end_on_both_sides(book):
    ours, theirs, given_up = book.ask(1), book.ask("x", "server"), book.ask(2)
    book.pairs.give_up(given_up, timed_out=False)
    book.pairs.finish()
    assert codes(ours.message) == codes(theirs.message) == codes(given_up.message) == ["unanswered"]


def test_a_subscription_has_no_answer_but_an_acknowledgement(book):
    heard, unheard = book.ask(7, method="subscriptions/listen"), book.ask(8, method="subscriptions/listen")
    meta = {"io.modelcontextprotocol/subscriptionId": 7}
    book.tell("notifications/subscriptions/acknowledged", _meta=meta)
    book.pairs.finish()
    assert codes(heard.message) == [] and codes(unheard.message) == ["not-acknowledged"]


def test_an_acknowledgement_without_a_name_belongs_to_the_only_subscription(book):
    only = book.ask(7, method="subscriptions/listen")
    book.tell("notifications/subscriptions/acknowledged")
    book.pairs.finish()
    assert codes(only.message) == []


def test_a_subscription_that_was_taken_back_may_still_be_ended_by_the_server(book):
    listen = book.ask(7, method="subscriptions/listen")
    book.pairs.give_up(listen, timed_out=False)
    assert book.answer(7) == (listen, [])


def test_what_the_server_says_before_initialized_is_too_early_but_ping_and_logging(book):
    book.ask(1, method="initialize")
    early = [book.ask(1, "server", "roots/list").message, book.tell("notifications/tools/list_changed")]
    fine = [book.ask(2, "server", "ping").message, book.tell("notifications/message")]
    book.answer(1)
    book.tell("notifications/initialized", "client")
    late = book.tell("notifications/tools/list_changed")
    assert [codes(message) for message in early] == [["before-initialized"]] * 2
    assert [codes(message) for message in [*fine, late]] == [[]] * 3


def test_nothing_is_too_early_in_the_stateless_era(book):
    early = book.tell("notifications/tools/list_changed")
    book.pairs.settled("stateless")
    book.pairs.finish()
    assert codes(early) == []


def test_a_handshake_that_never_ends_leaves_everything_too_early(book):
    book.ask(1, method="initialize")
    early = book.tell("notifications/tools/list_changed")
    book.pairs.finish()
    assert codes(early) == ["before-initialized"]


def test_an_answer_without_an_id_answers_a_notification_if_nothing_else_misses_one(book):
    book.tell("notifications/initialized", "client")
    book.ask(1)
    nameless = book.message("server")
    book.pairs.answered(nameless, {"id": None, "error": {}})
    book.answer(1)
    book.pairs.finish()
    assert codes(nameless) == ["response-to-notification"]


def test_an_answer_without_an_id_may_be_the_one_that_a_request_misses(book):
    book.tell("notifications/initialized", "client")
    book.ask(1)
    nameless = book.message("server")
    book.pairs.answered(nameless, {"id": None, "error": {}})
    book.pairs.finish()
    assert codes(nameless) == []
