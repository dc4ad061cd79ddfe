"""How much and how often, of a server that would answer anything."""

import asyncio

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from starlette.types import Message

from veridic.server.limits import Limits, Rate


async def read(request: Request) -> Response:
    return PlainTextResponse(str(len(await request.body())))


async def answer_first(request: Request) -> Response:
    return PlainTextResponse("answered before anything was read")


def limited(rate: str = "3/minute", most: int = 100) -> TestClient:
    paths = ("/read", "/veridic/health", "/veridic/page/main.js")
    routes = [*(Route(path, read, methods=["POST"]) for path in paths), Route("/first", answer_first, methods=["POST"])]
    return TestClient(Limits(Starlette(routes=routes), rate=Rate(rate), most=most))


def test_who_asks_too_often_waits_and_nobody_else() -> None:
    client = limited()
    anna, ben = {"authorization": "Bearer a"}, {"x-api-key": "b"}
    assert [client.post("/read", headers=anna).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert client.post("/read", headers=ben).status_code == 200
    told = client.post("/read", headers=anna).json()
    assert (told["error"], told["retryable"]) == ("TooManyRequests", True)
    assert "3 per 1 minute" in told["problem"]


def test_signs_of_life_and_the_page_are_not_counted() -> None:
    client = limited(rate="1/minute")
    for path in ("/veridic/health", "/veridic/page/main.js"):
        assert {client.post(path).status_code for _ in range(3)} == {200}


@pytest.mark.parametrize("size", [0, 99, 100])
def test_what_fits_is_passed_on_whole(size: int) -> None:
    assert limited().post("/read", content=b"x" * size).text == str(size)


def test_what_is_too_large_is_refused_announced_or_not() -> None:
    client = limited()
    for content in (b"x" * 101, iter([b"x" * 60, b"x" * 60])):
        answer = client.post("/read", content=content)
        assert (answer.status_code, answer.json()["error"]) == (413, "RequestTooLarge")


def test_what_comes_in_parts_is_counted_together() -> None:
    parts = iter([b"x" * 60, b"x" * 60])
    told: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": next(parts), "more_body": True}

    async def send(message: Message) -> None:
        told.append(message)

    app = Limits(Starlette(routes=[Route("/read", read, methods=["POST"])]), rate=Rate("3/minute"), most=100)
    scope = {"type": "http", "method": "POST", "path": "/read", "headers": [], "query_string": b"", "client": None}
    asyncio.run(app(scope, receive, send))
    assert told[0]["status"] == 413


def test_an_answer_that_needed_nothing_of_it_stands() -> None:
    assert limited().post("/first", content=iter([b"x" * 101])).status_code == 200
