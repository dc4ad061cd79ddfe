"""Files that were queued: how they are, and tried again."""

from dataclasses import asdict
from typing import cast, get_args

from starlette.requests import Request
from starlette.responses import Response

from veridic.api.queueing import queue_status, retry_jobs
from veridic.errors import DocumentMissing, UsageError
from veridic.ports.jobs import JobState
from veridic.server.requests import manager_of, settings_of, told
from veridic.server.review import limit_of


def jobs(request: Request) -> Response:
    """GET `?state=&limit=`: how the queue of the caller's namespace is, and its newest jobs."""
    settings = settings_of(manager_of(request))
    state = request.query_params.get("state")
    if state is not None and state not in get_args(JobState):
        raise UsageError(f"state: {state!a} is none of a job.", f"Send one of {', '.join(get_args(JobState))}.")
    found = queue_status(state=cast("JobState | None", state), limit=limit_of(request), settings=settings)
    return told(asdict(found))


def tried_again(request: Request) -> Response:
    """POST: the job, which failed, waits again."""
    settings = settings_of(manager_of(request))
    given = request.path_params["job_id"]
    if not given.isdecimal() or not retry_jobs([int(given)], settings=settings):
        raise DocumentMissing(f"No job {given!a} has failed.", "GET /veridic/jobs?state=failed names those that have.")
    return told({"id": int(given)})
