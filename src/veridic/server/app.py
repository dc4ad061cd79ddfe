"""The routes beside LangGraph's own: `http.app` of `langgraph.json`, and all that `veridic serve` serves."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import Mount, Route

from veridic.errors import VeridicError
from veridic.resources import own_settings
from veridic.server import asking, condition, jobs, review, static_page, uploads
from veridic.server.limits import Limits, rate_of
from veridic.server.requests import failed, not_routed

Application: Callable[..., Starlette] = Starlette
try:
    from fastapi import FastAPI
except ModuleNotFoundError:
    pass
else:
    Application = partial(FastAPI, openapi_url=None)
    """What Aegra takes, which brings FastAPI along; without the pages of its own."""

ROUTES: Mapping[str, Mapping[str, Any]] = {
    "/ask": {"POST": asking.ask},
    "/check": {"POST": asking.check},
    "/runs": {"GET": review.runs},
    "/runs/{run_id}": {"GET": review.run},
    "/feedback": {"POST": review.say},
    "/documents": {"GET": uploads.documents, "POST": uploads.upload},
    "/documents/{document_id}": {"GET": uploads.document, "DELETE": uploads.removed},
    "/jobs": {"GET": jobs.jobs},
    "/jobs/{job_id}/retry": {"POST": jobs.tried_again},
    "/records": {"GET": review.records},
    "/records/{record_id}": {"GET": review.record},
    "/records/{record_id}/approve": {"POST": review.approved},
    "/records/{record_id}/reject": {"POST": review.rejected},
    "/health": {"GET": condition.health},
    "/ready": {"GET": condition.ready},
    "/condition": {"GET": condition.condition},
    "/choices": {"GET": condition.choices},
}

_settings = own_settings()

app = Application(
    routes=[
        Route("/veridic", static_page.moved),
        Mount(
            "/veridic",
            routes=[
                *(
                    Route(path, endpoint, methods=[method])
                    for path, methods in ROUTES.items()
                    for method, endpoint in methods.items()
                ),
                *static_page.ROUTES,
            ],
            # Of ours alone: as the app's own it would answer for LangGraph's routes too.
            middleware=[
                Middleware(ExceptionMiddleware, handlers={VeridicError: failed, HTTPException: not_routed}),
            ],
        ),
    ],
    middleware=[Middleware(Limits, rate=rate_of(_settings), most=_settings.request_bytes)],
    exception_handlers={VeridicError: failed},
)
