"""Links what a wheel requires, and nothing else, from one environment into another: `… WHEEL FROM TO`.

What is required is what the wheel's own metadata say, and those of what they name; a requirement that is not there, or
not in a version that is asked for, is an error. FROM and TO are folders of packages.
"""

import sys
from collections import Counter
from importlib.metadata import Distribution, distributions
from pathlib import Path
from zipfile import ZipFile

from packaging.metadata import Metadata
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def required_by(wheel: Path, held: dict[str, Distribution]) -> set[str]:
    """The names of all that the wheel needs."""
    with ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        waiting = [(one, frozenset[str]()) for one in Metadata.from_email(archive.read(name)).requires_dist or []]
    seen = set[tuple[str, frozenset[str]]]()
    while waiting:
        requirement, extras = waiting.pop()
        if not applies(requirement, extras):
            continue
        name = canonicalize_name(requirement.name)
        if name not in held or not requirement.specifier.contains(held[name].version, prereleases=True):
            sys.exit(f"{requirement} is required and not there")
        wanted = (name, frozenset(requirement.extras))
        if wanted not in seen:
            seen.add(wanted)
            waiting += [(Requirement(text), wanted[1]) for text in held[name].requires or []]
    return {name for name, _ in seen}


def applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    """Whether it is required here, of something that is wanted with these extras."""
    return requirement.marker is None or any(requirement.marker.evaluate({"extra": one}) for one in {"", *extras})


def files_of(distribution: Distribution) -> set[Path]:
    """Its files in the folder of packages, relative to it; what it put elsewhere, as commands, is none of them."""
    return {Path(file) for file in distribution.files or () if not {"..", "__pycache__"} & set(file.parts)}


def main() -> None:
    wheel, origin, target = map(Path, sys.argv[1:])
    held = {canonicalize_name(one.metadata["Name"]): one for one in distributions(path=[str(origin)])}
    files = {name: files_of(one) for name, one in held.items()}
    owners = Counter(top for each in files.values() for top in {file.parts[0] for file in each})
    for name in required_by(wheel, held):
        for one in {Path(file.parts[0]) if owners[file.parts[0]] == 1 else file for file in files[name]}:
            (target / one).parent.mkdir(parents=True, exist_ok=True)
            (target / one).symlink_to(origin / one)


if __name__ == "__main__":
    main()
