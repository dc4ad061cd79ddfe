"""Every question with what came of it: `python -m tests.quality [KB]`."""

import sys
import tempfile
from pathlib import Path

from tests.quality.asking import FOLDERS, counted, judged, rows
from veridic.knowledge.ingest import ingest
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import Settings

kb = sys.argv[1] if len(sys.argv) > 1 else str(Path(tempfile.mkdtemp()) / "kb.sqlite")
settings = Settings.load(kb=kb, docs="", model="extractive", write_back="off", sources=())
ingest([Path(folder) for folder in FOLDERS], open_knowledge_base(settings).corpus)
found = list(judged(open_resources(settings), rows("questions")))
out = sys.stdout.write
for row, result, verdict in found:
    gold = (row.get("parts") or row.get("items") or row["answers"]) if row["answerable"] else "-"
    read = " / ".join(f"{one['text']!r} {one['probability']:.2f}" for one in result["readings"])
    out(f"{verdict:<6} {row['id']} [{row['kind']}] {row['question']}\n       gold {gold}; read {read or 'nothing'}\n")
    out(f"       told {result['answer'][:240]!r}\n")
for name, share in counted(found).items():
    out(f"{name}: {share:.3f}\n")
