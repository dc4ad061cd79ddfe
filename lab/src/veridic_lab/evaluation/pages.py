"""The passages of several sets as the whole pages they come from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.suite import Recipe
from veridic_lab.evaluation.world.corpus import normalized

OPENING = 8
"""Words of the text that stand for a title where there is none."""


@dataclass(frozen=True)
class Page:
    """Every passage of one title, over all sets."""

    title: str
    paper: bool
    passages: tuple[Text, ...]

    @property
    def url(self) -> str:
        """What a citation of the page says: the source's own address, the same wherever the world is served."""
        if self.paper:
            return f"http://arxiv.org/abs/{self.passages[0].url}v1"
        return f"https://en.wikipedia.org/wiki/{quote(self.title.replace(' ', '_'))}"

    @property
    def whole(self) -> Text:
        """The page with each of its passages once."""
        return Text(self.url, self.title, "\n\n".join(dict.fromkeys(one.text for one in self.passages)))


def read_pages(folder: Path, recipe: Recipe) -> list[Page]:
    """The pages of a recipe's sets, in the order of the files; a title names one page."""
    found: dict[str, list[Text]] = defaultdict(list)
    papers: dict[str, bool] = {}
    for name in (*recipe.sets, *recipe.near):
        for passage in passages_of(folder, (name,)):
            title = normalized(passage.title or " ".join(passage.text.split()[:OPENING]))
            if papers.setdefault(title, name in recipe.papers) != (name in recipe.papers):
                title = f"{title} ({passage.url})"
                papers[title] = name in recipe.papers
            found[title].append(passage)
    return [Page(title, papers[title], tuple(passages)) for title, passages in found.items()]
