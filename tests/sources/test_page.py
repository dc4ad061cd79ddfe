import pytest

from veridic.sources.faults import fault

WALLS = {
    "Just a moment...": "Checking your browser before accessing the site. This may take a few seconds.",
    "Security check": "Please verify you are human by completing the action below. Ray ID: 7d1f",
    "Robot check": "Our systems have detected unusual traffic from your computer network today.",
    "Site": "Please enable JavaScript and cookies to continue to the page you asked for.",
}
CONSENT = {
    "Before you continue to Search": "Sign in. We use data to deliver and maintain services.",
    "News": "We value your privacy. Accept all cookies or manage your choices here now.",
}
ERRORS = {
    "404 Not Found": "The requested address was not found on this server at all.",
    "Error": "HTTP 503 Service Unavailable, please come back to this page later.",
    "Denied": "Access denied. You do not have permission to see this page today.",
    "Oops": "Page not found. It may have moved or never have been there.",
}
EVIDENCE = {
    "CAPTCHA": "A CAPTCHA is a challenge used in computing to tell whether the user is human.",
    "HTTP 404": "In computing a status of 404 tells the client that the server did not find the resource.",
    "HTTP cookie": "Cookies are small blocks of data a web server has the browser keep for it.",
    "Warsaw": "Warsaw is the capital of Poland.",
}


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        *((*page, "bot wall") for page in WALLS.items()),
        *((*page, "consent page") for page in CONSENT.items()),
        *((*page, "error page") for page in ERRORS.items()),
        ("Nothing", "", "empty page"),
        ("Nearly nothing", " \n two words", "empty page"),
    ],
)
def test_what_is_no_evidence(title: str, text: str, kind: str) -> None:
    assert fault(title, text) == kind


@pytest.mark.parametrize(("title", "text"), EVIDENCE.items())
def test_what_may_be_evidence(title: str, text: str) -> None:
    assert fault(title, text) is None


def test_a_long_article_may_speak_of_walls() -> None:
    assert fault("Bot walls", "Verify you are human, says the page. " + "It is an old story. " * 60) is None
