"""Where training pairs come from: licences, what is held out, what was never seen. Goes into the card."""

from __future__ import annotations

from collections.abc import Mapping

LICENCES: Mapping[str, str] = {
    "mnli": "OANC terms, with CC BY 3.0 and CC BY-SA 3.0 for some fiction (MultiNLI dev, matched and mismatched)",
    "snli": "CC BY-SA 4.0 (SNLI dev and test)",
    "scifact": "claims CC BY 4.0, abstracts ODC-By 1.0 (SciFact train)",
    "factcheck_gpt": "Apache-2.0 (Factcheck-GPT)",
    "contract_nli": "Apache-2.0 (ContractNLI dev)",
    "fever_nli": "CC BY-SA 3.0 with Wikipedia (FEVER), without claims and premises of fever_symmetric",
    "fool_me_twice": "Apache-2.0 (Fool Me Twice), text CC BY-SA (Wikipedia)",
    "conjnli": "MIT (ConjNLI), text CC BY-SA (Wikipedia)",
    "answered": "statements made of the reader's sets of spans: with their answer, with another of the same passage",
    "attribution_bench": "Apache-2.0 (AttributionBench dev)",
    "begin": "CC BY 4.0, CDLA-Sharing 1.0 (BEGIN dev)",
    "halueval_qa": "MIT, knowledge CC BY-SA 4.0 (HaluEval QA)",
    "clapnq": "Apache-2.0, text CC BY-SA (ClapNQ dev: sentences, passages, answers)",
    "qnli": "CC BY-SA 4.0 (QNLI dev, from SQuAD)",
    "selqa": "Apache-2.0 (SelQA)",
    "stackexchange": "CC BY-SA 3.0 and 4.0 (Stack Exchange: cardano, beer, quantumcomputing, matheducators, ai, genai)",
    "musique": "CC BY 4.0 (MuSiQue)",
    "2wiki": "Apache-2.0 (2WikiMultihopQA)",
    "hotpotqa": "CC BY-SA 4.0 (HotpotQA)",
    "qed": "CC BY-SA 3.0, GFDL (QED)",
    "nq_gold": "CC BY-SA 3.0 (Natural Questions)",
    "swapped": "questions of qnli, selqa, musique, 2wiki, hotpotqa, clapnq and qed, changed by rules",
    "rules": "made by rules from passages of nq_gold, hotpotqa, musique, 2wiki and stackexchange",
    "other_hops": "near misses of hotpotqa, musique and 2wiki",
    "answer_strips": "strips of nq_gold, hotpotqa, musique and 2wiki with and without the answer",
    "retrieved": "what questions of nq_gold, clapnq, hotpotqa, 2wiki and musique retrieve, with their gold and without",
    "also_useful": "pairs of qnli, selqa, clapnq, qed, stackexchange, nq_gold, swapped, other_hops and retrieved",
    "unlabelled": "sentences of mnli and snli beside each other, judged by a teacher (all-mpnet-base-v2, Apache-2.0)",
}

HELD_OUT = (
    "A tenth of the keys of every set, by a hash of the key: the normalised question where rows have one, else the "
    "group. Half of ClapNQ's questions, the same ones in its sentences, passages and answers, and half "
    "of those that retrieve. Half of ContractNLI's contracts. SciFact's dev split. "
    "QNLI rows whose question XQuAD asks, or whose sentence stands in its passages, are dropped. Of the held-out rows "
    "those of ClapNQ and of squadshifts_new_wiki also fit the thresholds of passages; a part of every set's fits the "
    "scales, and sentences of AttributionBench, BEGIN, HaluEval, ClapNQ, Factcheck-GPT and new_wiki those of sentences."
)

UNSEEN = (
    "breaking_nli",
    "med",
    "fever_symmetric",
    "mtrag",
    "xquad_en",
    "ramdocs",
    "pubmedqa",
    "chunking_eval",
    "poisonedrag",
    "truthfulqa",
)
