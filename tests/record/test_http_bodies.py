"""Compressed bodies in whatever pieces: the content comes out, and what is no compression is given as it came."""

import gzip
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flowgen.record._http_decoder import CHUNK, Decoder


def decoded(coding, data, size=7):
    decoder = Decoder(coding)
    content = b"".join(piece for at in range(0, len(data), size) for piece in decoder.feed(data[at : at + size]))
    return content + decoder.end(), decoder.cut


def raw_deflate(data):
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(data) + deflate.flush()


@pytest.mark.parametrize(
    ("coding", "compress"),
    [("gzip", gzip.compress), ("x-gzip", gzip.compress), ("deflate", zlib.compress), ("deflate", raw_deflate)],
)
@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_the_content_comes_out_whatever_the_pieces(coding, compress, size):
    content = b'{"jsonrpc": "2.0"}' * 2000
    assert decoded(coding, compress(content), size) == (content, False)


def test_a_body_that_ends_early_is_cut():
    content, cut = decoded("gzip", gzip.compress(b"x" * 1000)[:-6])
    assert cut and content == b"x" * 1000


@pytest.mark.parametrize("coding", [None, "", "identity", "br", "zstd", "gzip, br"])
def test_codings_that_we_did_not_ask_for_stay_as_they_are(coding):
    assert decoded(coding, b"\x1f\x8bwhatever") == (b"\x1f\x8bwhatever", False)


def test_what_follows_a_compressed_body_is_not_lost():
    assert decoded("gzip", gzip.compress(b"one") + b"two", 1000)[0] == b"onetwo"


def test_a_small_body_that_becomes_huge_is_given_in_pieces():
    decoder = Decoder("gzip")
    pieces = decoder.feed(gzip.compress(b"\0" * (64 << 20)))
    assert all(len(piece) <= CHUNK for piece, _ in zip(pieces, range(50), strict=False))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate"]), st.integers(1, 50))
def test_no_bytes_raise_and_what_is_no_compression_is_kept(data, coding, size):
    content, _ = decoded(coding, data, size)
    looks_compressed = data[:2] == b"\x1f\x8b" or int.from_bytes(data[:2], "big") % 31 == 0
    assert content == data or coding == "deflate" or looks_compressed
