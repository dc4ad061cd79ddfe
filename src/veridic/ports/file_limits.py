"""What one file may cost to read, with what is said of one that would cost more; how long a reply or a text may be."""

from dataclasses import dataclass

from veridic.errors import DocumentUnreadable


@dataclass(frozen=True)
class FileLimits:
    """The most that reading one file may take; each is the setting of its name after `file_`."""

    bytes: int = 50_000_000
    unpacked_bytes: int = 300_000_000
    """Of all that is packed in an archive (zip, docx, pptx, xlsx, odt, epub), and drawn on the pages of a PDF."""
    pages: int = 10_000
    """Of a PDF; slides; members of an archive."""
    characters: int = 20_000_000
    """Of text."""
    seconds: float = 120.0
    memory_bytes: int = 2_000_000_000
    """Of the process that reads, where the platform can hold one to that."""

    def beyond(self, name: str, counted: str = "") -> DocumentUnreadable:
        """The refusal of a file that has more than the limit `name` allows, of what is called `counted`."""
        told = counted or name.replace("_", " ").replace("unpacked bytes", "bytes unpacked")
        return DocumentUnreadable(f"It has more than {getattr(self, name):,} {told}.", self._mend(name))

    def too_long(self) -> DocumentUnreadable:
        """The refusal of a file that was not read in time."""
        return DocumentUnreadable(f"Reading it took more than {self.seconds:g} seconds.", self._mend("seconds"))

    def too_large(self) -> DocumentUnreadable:
        """The refusal of a file that took more memory."""
        return DocumentUnreadable(
            f"Reading it took more than {self.memory_bytes:,} bytes of memory.", self._mend("memory_bytes")
        )

    def _mend(self, name: str) -> str:
        return f"Split it, or allow more with VERIDIC_FILE_{name.upper()}."


DEFAULT_LIMITS = FileLimits()

LONGEST_TEXT = 200_000
"""Characters of a text that is checked, at most: a short book."""

CHECK_SECONDS = 600.0
"""For checking a text, unless the run chose otherwise."""

CHARACTERS_PER_TOKEN = 4
"""By which tokens are estimated where nobody counted them."""


def room(max_tokens: int) -> int:
    """The most characters of a reply that was to have so many tokens: four times as long as it would be."""
    return 4 * CHARACTERS_PER_TOKEN * max_tokens


RETRIEVED = 500_000
"""Characters that are taken of one document of a retriever that was handed in: a novel."""


def taken_of(characters: int) -> str:
    """What is said of a document of so many characters, of which fewer are taken; empty where all are."""
    return f"in the first {RETRIEVED:,} of its {characters:,} characters" if characters > RETRIEVED else ""
