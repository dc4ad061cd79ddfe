"""Where the reader's rows come from: licences, and what it never learns from. Goes into its card."""

from __future__ import annotations

from collections.abc import Mapping

from veridic_lab.training.reading.mixture import MEASURED, UNSHIPPED

LICENCES: Mapping[str, str] = {
    "squadshifts_new_wiki": "CC BY 4.0 (SQuADShifts, Miller et al. 2020, by its card), text CC BY-SA (Wikipedia)",
    "squadshifts_amazon": "CC BY 4.0 (SQuADShifts, Miller et al. 2020, by its card), reviews by their writers",
    "squadshifts_reddit": "CC BY 4.0 (SQuADShifts, Miller et al. 2020, by its card), posts by their writers",
    "qamr": "MIT (QAMR, Michael et al. 2018)",
    "timeqa": "BSD 3-Clause (TimeQA, Chen et al. 2021), text CC BY-SA (Wikipedia)",
    "nq_gold": "CC BY-SA 3.0 (Natural Questions)",
    "qed": "CC BY-SA 3.0, GFDL (QED)",
    "boolq": "CC BY-SA 3.0 (BoolQ)",
    "condaqa": "Apache-2.0 (CondaQA), text CC BY-SA (Wikipedia)",
    "strategyqa": "MIT (StrategyQA)",
    "stated": "statements of mnli, snli, scifact, factcheck_gpt and contract_nli, asked about: as in the judge's card",
    "cut out": "made by rules: rows of the sets of spans without the sentences that answer",
    "cut before": "made by rules: rows of the sets of spans that stop before the answer",
    "altered": "made by rules: questions of the sets of spans about another year, number, name, order or role",
    "alike": "made by rules: questions and texts of the sets of spans with another name in both",
    "left open": "made by rules: rows of boolq, condaqa and strategyqa without the sentences nearest to the question",
    "elsewhere": "questions of squadshifts_new_wiki, nq_gold, qed, timeqa and boolq beside texts of other questions",
    "contrasts": "written for this: texts in which several things have a value, and questions after one of them",
    "beside": "made by rules: rows of the sets of spans whose sentence is told of another name too",
    "written": "written for this: documents as people have them, with questions that they answer and near misses",
    "recurring": "passages of hotpotqa (CC BY-SA 4.0), 2wiki (Apache-2.0) and musique (CC BY 4.0) that answer none of "
    "their questions: sentences with a name masked that another passage has",
}

NEVER = ("xquad_en", "pubmedqa", "mtrag", *MEASURED, *UNSHIPPED)
"""Never learned from; the last ones for want of a stated licence."""

HELD_OUT = (
    "A tenth of the keys of every set, by a hash of the key: the normalised question of nq_gold and qed, as for the "
    "judge, else the group (article, passage, page). Questions of the sets that measure are dropped everywhere."
)
