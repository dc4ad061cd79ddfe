"""The first layers of an ONNX file, cut from its bytes: what a later layer would do is not computed.

An ONNX file is a protocol buffer; here only what is needed of that format is read, so that no library for it has to
be installed.
"""

from __future__ import annotations

from collections.abc import Iterator

from veridic.errors import WeightsDamaged

_GRAPH = 7
_NODE, _INITIALIZER, _OUTPUT = 1, 5, 12
_INPUT_NAME, _OUTPUT_NAME = 1, 2
_TENSOR_NAME = 8
_LENGTH_DELIMITED = 2
_FIXED = {1: 8, 5: 4}


def prefix_of(model: bytes, state: str) -> bytes:
    """The model up to the node that computes `state`, which becomes its only output.

    Raises `WeightsDamaged` when there is no such node, or the bytes are no such file.
    """
    try:
        return b"".join(
            _field(_GRAPH, _cut(content, state)) if number == _GRAPH else raw for number, content, raw in _fields(model)
        )
    except IndexError as error:
        raise WeightsDamaged("A model's file breaks off.", "Reinstall veridic.") from error


def _cut(graph: bytes, state: str) -> bytes:
    """The graph's nodes until `state` is computed, with the weights that they use."""
    nodes, needed = list[bytes](), set[bytes]()
    for content, raw in ((content, raw) for number, content, raw in _fields(graph) if number == _NODE):
        nodes.append(raw)
        names = list(_fields(content))
        needed.update(name for number, name, _ in names if number == _INPUT_NAME)
        if any(number == _OUTPUT_NAME and name == state.encode() for number, name, _ in names):
            break
    else:
        raise WeightsDamaged(f"A model's file computes no {state}.", "Reinstall veridic.")
    rest = (
        raw
        for number, content, raw in _fields(graph)
        if number not in (_NODE, _OUTPUT) and (number != _INITIALIZER or _named(content) in needed)
    )
    return b"".join([*nodes, *rest, _field(_OUTPUT, _field(1, state.encode()))])


def _named(tensor: bytes) -> bytes:
    return next((content for number, content, _ in _fields(tensor) if number == _TENSOR_NAME), b"")


def _fields(message: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The fields of a message: number, content, and the bytes of number and content together."""
    at = 0
    while at < len(message):
        tag, inside = _varint(message, at)
        kind = tag & 7
        if kind == _LENGTH_DELIMITED:
            length, inside = _varint(message, inside)
            end = inside + length
        elif kind in _FIXED:
            end = inside + _FIXED[kind]
        else:
            _, end = _varint(message, inside)
        yield tag >> 3, message[inside:end], message[at:end]
        at = end


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _field(number: int, content: bytes) -> bytes:
    return _number(number << 3 | _LENGTH_DELIMITED) + _number(len(content)) + content


def _number(value: int) -> bytes:
    told = bytearray()
    while value > 0x7F:
        told.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*told, value])
