"""Documents: listed, opened, uploaded, removed."""

import shutil
from contextlib import closing
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.documents import ingest, list_documents, remove
from veridic.errors import DocumentMissing, DocumentUnreadable, UsageError
from veridic.exporting.outgoing import for_a_line
from veridic.resources import held_knowledge_base
from veridic.server.callers import Caller
from veridic.server.requests import caller_of, manager_of, settings_of, told, told_error, told_to, uploads_of

LONGEST_NAME = 200
"""Characters of a file's name."""


def documents(request: Request) -> Response:
    """GET: the documents of the caller's namespace, oldest first."""
    caller = caller_of(request)
    held = list_documents(settings=settings_of(caller))
    return told_to(caller, [asdict(one) for one in held if one.kind != "generated"])


def document(request: Request) -> Response:
    """GET: a document's stored text, the one that citations' offsets count in, with its title and address."""
    caller = caller_of(request)
    with closing(held_knowledge_base(settings_of(caller))) as knowledge:
        found = knowledge.corpus.document(request.path_params["document_id"])
    return told_to(caller, {"url": found.url, "title": found.title, "text": found.text})


async def upload(request: Request) -> Response:
    """POST, as a form's files: takes documents in; those of the same name are replaced. 422 where none could be."""
    caller = await run_in_threadpool(manager_of, request)
    async with request.form(max_files=100) as form:
        files = [one for _, one in form.multi_items() if isinstance(one, UploadFile) and one.filename]
        if not files:
            raise UsageError("No file was sent.", "Send one or more as multipart/form-data.")
        return await run_in_threadpool(_taken_in, files, caller)


def removed(request: Request) -> Response:
    """DELETE: the document leaves, with what rests on it and the file that was uploaded."""
    caller = manager_of(request)
    report = remove(request.path_params["document_id"], settings=settings_of(caller))
    if report.unknown:
        raise DocumentMissing("There is no such document.", "The list of documents names those that there are.")
    for one in report.removed:
        uploaded = Path(one.url)
        if uploaded.is_relative_to(uploads_of(caller)):  # one that lies elsewhere is not ours
            uploaded.unlink(missing_ok=True)
    return told({"removed": [asdict(one) for one in report.removed], "withdrawn": report.withdrawn})


def _taken_in(files: list[UploadFile], caller: Caller) -> Response:
    """Keep and ingest the files; of what is not taken in, the file that was there before is there again."""
    folder = uploads_of(caller)
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder, prefix=".before-") as earlier:
        paths = [_kept(one, folder, Path(earlier)) for one in files]
        report = ingest(*paths, settings=settings_of(caller))
        refused = [*(one.path for one in report.unreadable), *report.skipped]
        for path in map(Path, refused):
            path.unlink(missing_ok=True)
            if (before := Path(earlier) / path.name).exists():
                before.replace(path)
    if len(refused) < len(paths):
        return told(asdict(report))
    why = {**report.reasons, **{one.path: one.reason for one in report.unreadable}}
    named = " ".join(f"{Path(path).name}: {reason}" for path, reason in why.items())
    none = DocumentUnreadable(f"No file was taken in. {named}", "docs/how-to/ingest.md lists what is read.")
    return told({**told_error(none), **asdict(report)}, 422)


def _kept(file: UploadFile, folder: Path, earlier: Path) -> Path:
    """The uploaded file in the folder, under its own name. Raises `UsageError` for one that is none."""
    name = for_a_line(PurePosixPath((file.filename or "").replace("\\", "/")).name)
    if name.startswith(".") or not 0 < len(name) <= LONGEST_NAME:
        raise UsageError(f"{file.filename!a} is no name of a file.", "Send it under another.")
    path = folder / name
    if path.exists():
        path.replace(earlier / name)
    with path.open("wb") as out:
        shutil.copyfileobj(file.file, out)
    return path
