"""Documents with code and questions, as the fit and the benchmark read them."""

from pathlib import Path

from veridic_lab.training.code.told import CodeQuestion, documents_in, write_into

TEXT = """=== larch
# larch

To start:

```
larch up => now
```
--- questions
? How do I start it? => larch up => now
! How do I stop it?
- Who wrote it?

=== alder
A note.
--- questions
! What do I type?
"""


def test_documents_and_questions_are_told_apart(tmp_path: Path) -> None:
    larch, alder = documents_in(TEXT)
    assert (larch.name, alder.text) == ("larch", "A note.\n")
    assert larch.questions == (
        CodeQuestion("How do I start it?", "larch up => now", typed=True),
        CodeQuestion("How do I stop it?", "", typed=True),
        CodeQuestion("Who wrote it?", "", typed=False),
    )
    write_into(tmp_path, [larch, alder])
    assert [one.read_text(encoding="utf-8") for one in sorted(tmp_path.iterdir())] == [larch.text, alder.text]
