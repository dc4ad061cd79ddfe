import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.prompts.splitting import missing_numbers
from veridic.text.facts import missing_names


@pytest.mark.parametrize(
    ("sentence", "evidence", "missing"),
    [
        ("It opened in 1949.", "It opened in 1948.", {"1949"}),
        ("It has 90,000 books.", "It has 90000 books.", set()),
        ("Take 20mg at 9pm.", "Take 10mg at 5pm.", {"20", "9"}),
        ("Take 10 mg.", "Take 10mg.", set()),
        ("It lost $9m.", "It lost $5m.", {"9"}),
        ("It has 3 domes.", "It has three domes.", set()),
        ("It grew by 3.50 percent.", "It grew by 3.5%.", set()),
        ("It was the 2nd.", "It was the second.", set()),
        ("Two people came.", "People came.", set()),
        ("In 12 of 14 cases.", "In 12 cases.", {"14"}),
        ("2. Take the second exit.", "Take the second exit.", set()),
        ("Growth factor 21 protects.", "FGF21 protects.", set()),
        ("Growth factor 2 protects.", "FGF21 protects.", {"2"}),
    ],
)
def test_a_number_is_missing_when_the_evidence_has_it_in_no_form(
    sentence: str, evidence: str, missing: set[str]
) -> None:
    assert missing_numbers(sentence, evidence) == missing


@pytest.mark.parametrize(
    ("sentence", "evidence", "missing"),
    [
        ("It was opened by Clara Voss.", "Mayor Clara Voss opened it.", set()),
        ("It was opened by Emil Voss.", "Mayor Clara Voss opened it.", {"emil"}),
        ("Bridges were built.", "They built bridges.", set()),
        ("Curie's lab moved.", "The laboratory of Marie Curie moved.", set()),
        ("However it failed.", "It failed.", set()),
        ("The United Nations met.", "UNESCO met.", {"united", "nations"}),
        ("It lies in Austria.", "It lies in Australia.", {"austria"}),
        ("It lies in Niger.", "It lies in Nigeria.", {"niger"}),
        ("He met Paul.", "He met Paula.", {"paul"}),
        ("The Apache License asks for it.", "Apache-2.0\nThe License asks for it.", set()),
    ],
)
def test_a_name_is_missing_when_the_evidence_does_not_speak_of_it(
    sentence: str, evidence: str, missing: set[str]
) -> None:
    assert missing_names(sentence, evidence) == missing


@given(st.text())
def test_a_text_never_lacks_its_own_numbers_and_names(text: str) -> None:
    assert not missing_numbers(text, text)
    assert not missing_names(text, text)
