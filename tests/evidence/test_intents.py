"""Which messages are no questions for the documents; where there is doubt, they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages
from veridic.ports.shapes.messages import Intent
from veridic.runtime.intents import intent_of, kind_of

JUDGE = OnnxMessages(OnnxEmbedder())

MESSAGES: dict[Intent, list[str]] = {
    "small talk": [
        "hi",
        "Hello there!",
        "thanks a lot",
        "Thank you very much!",
        "good morning",
        "What can you do?",
        "what do you know?",
        "who are you?",
        "ok, thanks",
        "Hi, who are you?",
        "What’s up?",
        "Help!",
        "thanks for your help, bye 👋",
        "That was very helpful.",
    ],
    "arithmetic": ["What is 17 * 23?", "12% of 250", "(3+4)/2", "what is 5 + 7", "17*23", "9**9**9", "1 / 0"],
    "document list": [
        "What documents do you have?",
        "list the documents",
        "which files are indexed?",
        "How many documents are there?",
        "What's in the knowledge base?",
        "Can you show me your files?",
        "list the titles of your documents",
        "show me the documents that are indexed",
        "What sources do you use?",
    ],
    "summary": [
        "Summarise the document about visitor tickets",
        "summarize visitor-guide.md",
        "Can you give me a short summary of the history document, please?",
        "what is visitor-guide.md about?",
        "Summarise the war years",
        "tl;dr night-safety.txt",
        "What do you know about Halden?",
        "Tell me more about the south dome.",
    ],
    "other language": [
        "Wann wurde die Brücke eröffnet?",
        "Chi ha dato il nome all'ossigeno?",
        "Que país tem a maior parte da floresta amazónica?",
        "Ilu katolików mieszkało w Warszawie w 1901 roku?",
        "IPCC'nin şu anki başkanı kim?",
        "Was ist die Hauptstadt von Deutschland?",
        "Quelle est la capitale de la France ?",
        "¿Cuándo se abrió el puente?",
        "cuanto cuesta la entrada",
        "Quando è stato aperto il ponte?",
        "Onde fica a estação e quando foi aberta?",
        "Wanneer werd de brug geopend?",
        "Hvornår blev broen åbnet?",
        "Kiedy został zbudowany most i kto go zbudował?",
        "Мост был открыт когда?",
        "桥是什么时候开的？",
        "متى افتتح الجسر؟",
    ],
    "question": [
        "Great Fire of London?",
        "Help desk opening hours?",
        "Thanks to whom was the bridge built?",
        "Hi-fi warranty period?",
        "OK Computer release date?",
        "Good Morning Vietnam director?",
        "Hello Kitty creator",
        "Hi, when was the Alder Bridge opened?",
        "hi, what does the K40 cost?",
        "thanks! and the K40-X?",
        "n the weekend",
        "who gets it",
        "and on sundays then",
        "How are you doing the backup?",
        "What is 1984?",
        "How many people live in 2 + 2 Street?",
        "What is 9/11?",
        "1914-1918",
        "2020-10-12",
        "1-800-555-1234",
        "What is 2 + 2 in binary?",
        "What documents do I need for a visa?",
        "List the documents required for registration",
        "What documents did the director sign?",
        "What files are there in /etc?",
        "What is the film about?",
        "What is relativity about?",
        "Who summarised the document about tickets?",
        "Summarise",
        "Who wrote Der Zauberberg?",
        "Who was Jürgen Groß?",
        "Das Boot release date",
        "El Niño effects",
        "Sur La Table return policy",
        "Los Angeles de la Cruz biography",
        "vietnam war hat museum",
        "Wat Pho temple location",
        "What does 'je ne sais quoi' mean?",
        "What does 桥 mean?",
        "SELECT name FROM users WHERE id = 3",
        "docker run -p 8080:80 nginx exec format error",
        "pip3 install foo && ls -la",
        "waht caused teh blak deth",
        "Niger population",
        "Zanzibar?",
        "1932?",
        "Σ?",
    ],
}


@pytest.mark.parametrize(
    ("message", "intent"), [(message, intent) for intent, messages in MESSAGES.items() for message in messages]
)
def test_the_kind_of_a_message(message: str, intent: Intent) -> None:
    assert intent_of(message, JUDGE) == intent


@given(st.text())
def test_any_text_has_a_kind(message: str) -> None:
    assert intent_of(message, JUDGE) in MESSAGES


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Hello!", "greeting"),
        ("Hi, what can you do?", "about"),
        ("ok, thanks", "thanks"),
        ("thanks, bye", "farewell"),
        ("Great!", "assent"),
        ("When?", "question"),
        ("Sure.", "assent"),
        ("Sure?", "question"),
    ],
)
def test_the_last_phrase_of_small_talk_counts(message: str, kind: str) -> None:
    assert kind_of(message, JUDGE) == kind
