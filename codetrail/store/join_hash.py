"""The number under which symbols are found across shards."""

from __future__ import annotations

from hashlib import blake2b


def hash_of(join_key: str) -> int:
    """Return symhash.h of a text from ``symbols.join_key`` (schema.HASH_FUNCTION)."""
    digest = blake2b(join_key.encode("utf-8"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
