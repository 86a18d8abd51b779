"""Packages as symbols join by them: the name normalised, the version left out (scale.md R7)."""

from __future__ import annotations

from typing import NamedTuple

from codetrail.model import symbols


class PackageKey(NamedTuple):
    """What must be equal for two symbols to be of the same package."""

    scheme: str
    manager: str
    name: str


def package_key(package: symbols.Package) -> PackageKey:
    """Return the key under which a package joins."""
    name = symbols.normal_package_name(package.manager, package.name)
    return PackageKey(package.scheme, package.manager, name)
