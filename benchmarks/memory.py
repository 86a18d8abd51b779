"""Read how much memory this process holds and has held at most, from Linux's own books.

``ru_maxrss`` will not do: a fresh process inherits its parent's peak there.
"""

from __future__ import annotations


def resident() -> int:
    """Return the bytes of memory that this process holds now."""
    return _field("VmRSS")


def peak() -> int:
    """Return the most bytes of memory that this process has held since it was started."""
    return _field("VmHWM")


def _field(name: str) -> int:
    with open("/proc/self/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
    raise RuntimeError(f"this system does not tell {name}")
