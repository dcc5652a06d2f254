"""Bytes to messages and back: newline framing, JSON that keeps what the wire can hold, JSON-RPC kinds and ids."""
