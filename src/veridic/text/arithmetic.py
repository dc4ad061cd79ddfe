"""Sums: told from other questions by their form, and computed exactly or not at all."""

import ast
import operator
import re
from collections.abc import Callable
from fractions import Fraction

LONGEST = 200
"""Characters; what is longer is not read as a sum."""

SHOWN = 12
"""Digits after the point of a result that has more."""

_LEAD = re.compile(
    r"^(?:please\s+)?(?:(?:can|could)\s+you\s+)?(?:what(?:['’]?s|\s+is|\s+does)|how\s+much\s+is|calculate|compute)\b[:\s]*",
    re.IGNORECASE,
)
_TAIL = re.compile(r"(?:=|\bequals?\b|\bmake\b|\bplease\b|[\s?!.,])+$", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PERCENT = re.compile(r"(?<=\d)\s*(?:%|per ?cent)\s*of\b", re.IGNORECASE)
_SIGNS = str.maketrans("×·÷−–", "**/--")
_WRITTEN = frozenset("0123456789.+-*/() \t")
"""Characters of a sum."""


def is_sum(message: str) -> bool:
    """Whether a message is a sum and nothing else."""
    return len(message) <= LONGEST and _parsed(_asked(message)) is not None


def computed(message: str) -> str | None:
    """A sum with its result; None of a division by zero, and of what has other signs than `+ - * /`."""
    asked = _asked(message)
    tree = _parsed(asked)
    try:
        return f"{asked} {_written(_value(tree))}" if tree else None
    except ArithmeticError:
        return None


def _asked(message: str) -> str:
    """The message without the words around the sum."""
    return " ".join(_TAIL.sub("", _LEAD.sub("", message.strip())).split())


def _parsed(asked: str) -> ast.expr | None:
    """The sum; None when it is not one."""
    text = _PERCENT.sub("/100*", _THOUSANDS.sub("", asked)).translate(_SIGNS)
    # without blanks it may be a date, a span of years, a telephone number, or what is known by two numbers
    is_name = all(map(str.isdecimal, text.replace("-", "/").split("/")))
    if is_name or not _WRITTEN.issuperset(text):
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, MemoryError, RecursionError):
        return None
    return tree if any(isinstance(one, ast.BinOp) for one in ast.walk(tree)) else None


def _value(node: ast.expr) -> Fraction:
    """The exact value. Raises `ArithmeticError`."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return Fraction(str(number))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATIONS:
            return _OPERATIONS[type(sign)](_value(left), _value(right))
    raise ArithmeticError(f"{type(node).__name__} is no arithmetic.")


_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _written(number: Fraction) -> str:
    """`= 391`, `= 3.5`; rounded, and marked so, where the digits do not end in time."""
    scaled = round(abs(number) * 10**SHOWN)
    whole, rest = divmod(scaled, 10**SHOWN)
    minus = "-" if number < 0 else ""
    digits = f"{minus}{whole:,}.{rest:0{SHOWN}d}".rstrip("0").rstrip(".")
    return f"{'=' if Fraction(digits.replace(',', '')) == number else '≈'} {digits}"
