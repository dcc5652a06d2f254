"""Heads pass but for what must change, and a body ends where it ends, in whatever pieces it comes."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record._tap_endpoint import Endpoint
from flowgen.record._tap_heads import Body, Head, NotHttp, answer_body, head_in, passed_on, request_body

ASKED = (
    b"POST /mcp?x=1 HTTP/1.1\r\nhost: 127.0.0.1:8900\r\nX-Odd:  two  spaces\r\nAccept: a\r\naccept: b\r\n"
    b"Connection: keep-alive\r\nContent-Length: 2\r\n\r\n"
)


def head(data):
    found = head_in(data)
    assert found is not None
    return found[0]


def test_a_head_passes_as_it_is_but_for_the_host():
    sent = passed_on(head(ASKED), "api.example:8443").bytes()
    assert sent == ASKED.replace(b"127.0.0.1:8900", b"api.example:8443")


def test_fields_for_one_connection_alone_do_not_pass():
    asked = head(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, X-Secret\r\nX-Secret: 1\r\nTE: trailers\r\n"
                 b"Proxy-Authorization: Basic 1\r\nUpgrade: h2c\r\nX-Mine: 2\r\n\r\n")  # fmt: skip
    sent = passed_on(asked, "b").bytes()
    assert sent == b"GET / HTTP/1.1\r\nHost: b\r\nX-Mine: 2\r\nConnection: keep-alive\r\n\r\n"


@pytest.mark.parametrize(("asked", "sent"), [("http://a:1/mcp?x=http://b", "/mcp?x=http://b"), ("http://a", "/")])
def test_a_whole_address_is_asked_for_by_its_path(asked, sent):
    told = head(f"GET {asked} HTTP/1.1\r\nHost: a:1\r\n\r\n".encode())
    assert passed_on(told, "b").first == f"GET {sent} HTTP/1.1".encode()


def test_a_head_without_a_host_gets_one():
    assert passed_on(head(b"GET / HTTP/1.0\r\nA: b\r\n\r\n"), "c").fields == (b"Host: c", b"A: b")


@pytest.mark.parametrize("data", [b"hello\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"HTTP/1.1 OK\r\n\r\n"])
def test_what_is_no_head_is_told_as_such(data):
    with pytest.raises(NotHttp):
        head_in(data)


def test_a_request_whose_end_two_servers_may_see_elsewhere_is_refused():
    with pytest.raises(NotHttp):
        request_body(head(b"CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n"))
    for fields in (b"Content-Length: 2\r\nTransfer-Encoding: chunked", b"Content-Length: 1, 2", b"Content-Length: -1"):
        with pytest.raises(NotHttp):
            request_body(head(b"POST / HTTP/1.1\r\n" + fields + b"\r\n\r\n"))


def test_answers_without_a_body_have_none_whatever_their_head_says():
    told = head(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
    assert answer_body(told, "HEAD").done and not answer_body(told, "POST").done
    assert answer_body(head(b"HTTP/1.1 204 No Content\r\n\r\n"), "POST").done


def in_pieces(data, cuts):
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in pairwise(places)]


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=30), max_size=5), st.lists(st.integers(0, 1000), max_size=8), st.binary(max_size=9))
def test_a_chunked_body_ends_where_it_ends_in_whatever_pieces_it_comes(chunks, cuts, behind):
    chunks = [chunk for chunk in chunks if chunk]
    wire = b"".join(b"%X;x=y\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks) + b"0\r\nA: b\r\n\r\n"
    body, content, taken = Body("chunked"), b"", 0
    for piece in in_pieces(wire + behind, cuts):
        length, found = body.feed(piece)
        content, taken = content + b"".join(found), taken + length
        assert length == len(piece) or body.done
    assert (body.done, content, taken) == (True, b"".join(chunks), len(wire))


@settings(max_examples=60)
@given(st.binary(max_size=60), st.lists(st.integers(0, 100), max_size=4))
def test_whatever_bytes_a_chunked_body_has_they_are_passed_or_refused(data, cuts):
    body = Body("chunked")
    try:
        for piece in in_pieces(data, cuts):
            assert 0 <= body.feed(piece)[0] <= len(piece)
    except NotHttp:
        pass


@settings(max_examples=60)
@given(st.binary(max_size=80))
def test_whatever_bytes_come_they_are_a_head_or_refused_or_not_whole(data):
    try:
        found = head_in(data)
    except NotHttp:
        return
    assert found is None or isinstance(found[0], Head)


# the endpoint of HTTP+SSE

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
GET = b"GET /sse HTTP/1.1\r\nHost: 127.0.0.1:8900\r\n\r\n"


def through(event, cuts=(), stream=STREAM):
    """What the client gets of a stream that begins so, its content told apart."""
    body, out = Body("chunked"), b""
    endpoint = Endpoint(head(GET), head(stream), "https://api.example")
    wire = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in (event, b"data: later\n\n")) + b"0\r\n\r\n"
    for piece in in_pieces(wire, cuts):
        length, content = body.feed(piece)
        out += endpoint.passed(piece[:length], content)
    out += endpoint.end(True)
    check, content = Body("chunked"), []
    assert check.feed(out)[0] == len(out) and check.done
    return out == wire, b"".join(Body("chunked").feed(out)[1])


@settings(max_examples=40)
@given(st.lists(st.integers(0, 200), max_size=6))
def test_an_endpoint_that_leads_past_the_tap_is_led_back_in_whatever_pieces_it_comes(cuts):
    same, content = through(b"event: endpoint\r\ndata: https://api.example/messages?s=1\r\n\r\n", cuts)
    assert not same
    assert content == b"event: endpoint\r\ndata: http://127.0.0.1:8900/messages?s=1\r\n\r\ndata: later\n\n"


@settings(max_examples=40)
@given(st.sampled_from([
    b"event: endpoint\ndata: /messages?s=1\n\n", b"event: message\ndata: https://api.example/x\n\n", b": ping\n\n",
    b"event: endpoint\ndata: https://api.example.evil/x\n\n", b"event: endpoint\nid: 1\ndata: https://api.example/\n\n",
]), st.lists(st.integers(0, 200), max_size=6))  # fmt: skip
def test_every_other_stream_passes_byte_by_byte(event, cuts):
    assert through(event, cuts) == (True, event + b"data: later\n\n")
