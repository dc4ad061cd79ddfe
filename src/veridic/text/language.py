"""Is this English prose? The shipped judges know no other language."""

import re

from veridic.text.quotes import unquoted

_FUNCTION_WORDS = frozenset(
    "the of and to in a is that it was for on are as with his they at be this from have or by one had not but what "
    "all were when we there can an your which their said if do will each about how up out them then she many some "
    "so these would other into has more her two him see could no than been who its now did get may only after where "
    "most through between under over also during such both used while since because until".split()
)
_ASCII_LETTERS = re.compile(r"[a-zA-Z]")
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-zA-ZÀ-ɏḀ-ỿ]")

_ENGLISH = frozenset(
    "the what who whom whose which when where why how does did do are were been being of and to with from by for this "
    "that these those there their they them she it its you your has have had can could will would should shall may "
    "might must if not about into between".split()
)
"""English function words that are words of none of the languages below."""

_OTHERS: dict[str, tuple[str, str]] = {
    "German": (
        "wer wann warum wieso welche welcher welches welchen wieviel ist sind waren wurde wurden wird werden haben "
        "hatte liegt viele kann können muss gibt heißt nicht ich wir und oder mit für auf bei nach über eine einen "
        "einem einer zum zur",
        "wo wie war hat sie ihr der die das den dem des von zu in im an es was ein",
    ),
    "French": (
        "qui quand où pourquoi comment combien quel quelle quels quelles quoi est sont était étaient été peut avez "
        "avoir coûte dans avec une nous vous je cette ces qu",
        "le la les de des et en un que a par pour sur au aux du ne pas ce fut sera ont",
    ),
    "Spanish": (
        "quién quiénes cuándo dónde cómo cuál cuáles cuánto cuánta cuántos cuántas qué quien cuando donde cual cuanto "
        "fue fueron está están tiene puede cuesta una hay",
        "el la los las de que en un lo como es son era con por para del al se su",
    ),
    "Italian": (
        "quando perché quale quali quanto quanti cosa è furono stata fondato hanno può una della delle degli nella "
        "alla sono trova",
        "chi dove il lo la le di in un come per con che si gli nel dal ha era fu stato",
    ),
    "Portuguese": (
        "quem quando onde porque qual quais quanto quantos quantas é são foi foram está não uma você",
        "a o os as de em um e que como era tem pode com por para do da dos das no na ao se",
    ),
    "Dutch": (
        "wanneer waar waarom hoeveel welke welk werd werden zijn heeft hebben wordt worden niet ik wij een het voor",
        "wie wat hoe kan de van is in en te was die dat met op bij ook naar",
    ),
    "Scandinavian": (
        "vem vad när varför vilken vilket hvem hvad hva hvornår når hvor hvorfor hvordan är inte ikke och på från",
        "en den det de hur var er blev ble har kan og som av af til till med för fra ett et",
    ),
    "Polish": (
        "kto kiedy gdzie dlaczego został ile który która które jest są był była było czy się nie",
        "co jak na do od",
    ),
    "Turkish": ("nerede neden nasıl kaç hangi bir ve için değil zaman", "kim ne mi mu ile var bu da de"),
    "Indonesian": ("siapa kapan mengapa bagaimana berapa adalah yang untuk dengan", "apa mana dan dari pada ini itu"),
}
"""Of each language words that tell it, and words that it shares with names and with English."""


def looks_english(text: str) -> bool:
    """Whether a text is probably English.

    Texts under eight words are given the benefit of the doubt when they are written in Latin
    letters: names and short questions hold few function words.
    """
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return True
    latin = len(_ASCII_LETTERS.findall(text)) / len(letters)
    words = re.findall(r"[^\W\d_]+", text.lower())
    if latin < 0.8:
        return False
    if len(words) < 8:
        return True
    return sum(word in _FUNCTION_WORDS for word in words) / len(words) >= 0.12


def is_foreign(text: str) -> bool:
    """Whether a text is plainly in another language than English, however short; what it quotes does not count.

    It is written in other than Latin letters; or it has no English function word and two of another language's, one
    of them telling. Words with a capital are taken for names, but for the first.
    """
    text = unquoted(text)
    letters = [character for character in text if character.isalpha()]
    if len(letters) >= 3 and len(_LATIN.findall(text)) < len(letters) / 2:
        return True
    first, *rest = _LETTERS.findall(text) or [""]
    words = {first.lower(), *(word for word in rest if word.islower())}
    return not words & _ENGLISH and any(
        words & set(telling.split()) and len(words & set(f"{telling} {shared}".split())) >= 2
        for telling, shared in _OTHERS.values()
    )
