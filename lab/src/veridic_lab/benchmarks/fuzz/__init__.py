"""What a stranger may send, made at random: files and questions.

Run from a checkout: `python -m veridic_lab.benchmarks.fuzz [--minutes 10] [--only files,questions] [--seed N] [--out
DIR]`. With `VERIDIC_DATA` questions are made of its naughty strings too. One table is printed; the input of what failed
lies under `--out` and is tried again by `--replay FILE`.
"""
