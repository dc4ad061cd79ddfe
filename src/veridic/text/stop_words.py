"""The words of English that lead, join and ask, and carry no meaning of their own: one list, by word class."""

ASKING = tuple("what when where which who why how whose whom".split())
ARTICLES = tuple("the a an this that these those my your our its his her their".split())
"""With what stands in their place, and says whose or which."""
DETERMINERS = tuple("each every any some all no another both other such".split())
AUXILIARIES = tuple(
    "is are was were be been being am do does did have has had can could will would shall should may might must "
    "cannot".split()
)
PREPOSITIONS = tuple(
    "of in on at by for from with to into about between over under during before after without above across along "
    "despite through against among around behind below beside beyond inside outside near per since till until towards "
    "upon via within onto as off up down out".split()
)
PRONOUNS = tuple("i you he she it we they me him us them his hers theirs there here one ones something nothing".split())
JOINING = tuple(
    "and or but if than then not while because whether unless also so although though however therefore "
    "according yes".split()
)
QUANTITIES = ("many", "much", "more", "most", "several")
REQUESTING = tuple("please tell give name called list".split())
"""What leads up to a question."""
FUNCTION_WORDS = tuple(
    dict.fromkeys(
        (
            *ASKING, *ARTICLES, *AUXILIARIES, *PREPOSITIONS, *PRONOUNS, *JOINING, *DETERMINERS, *QUANTITIES,
        )
    )
)  # fmt: skip
"""All of them; those that a slip of the pen more likely means stand first."""
STOP_WORDS = frozenset((*FUNCTION_WORDS, *REQUESTING))
