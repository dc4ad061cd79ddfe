"""The first layers of an ONNX file, cut from its bytes: what a later layer would do is not computed.

An ONNX file is a protocol buffer. Only what is needed of that format is read here, so that no library for it has to
be installed; onnxruntime itself drops the weights that nothing uses any more.
"""

from collections.abc import Iterator

from veridic.errors import WeightsDamaged

_GRAPH = 7
_NODE, _OUTPUT = 1, 12
_NODE_OUTPUT = 2
_FIXED = {1: 8, 5: 4}
"""Bytes of the kinds of field that have neither a length nor a variable one."""


def prefix_of(model: bytes, state: str) -> bytes:
    """The model up to the node that computes `state`, which becomes its only output.

    Raises `WeightsDamaged` when there is no such node, or the bytes are no such file.
    """
    try:
        fields = _fields(memoryview(model))
        parts = [_field(_GRAPH, _cut(held, state)) if number == _GRAPH else raw for number, held, raw in fields]
    except IndexError as error:
        raise WeightsDamaged("A model's file breaks off.", "Reinstall veridic.") from error
    return b"".join(parts)


def _cut(graph: memoryview, state: str) -> bytes:
    """The graph without the nodes behind the one that computes `state`."""
    nodes, rest, found = list[memoryview](), list[memoryview](), False
    for number, held, raw in _fields(graph):
        if number == _NODE and not found:
            nodes.append(raw)
            found = any(part == _NODE_OUTPUT and name == state.encode() for part, name, _ in _fields(held))
        elif number not in (_NODE, _OUTPUT):
            rest.append(raw)
    if not found:
        raise WeightsDamaged(f"A model's file computes no {state}.", "Reinstall veridic.")
    return b"".join([*nodes, *rest, _field(_OUTPUT, _field(1, state.encode()))])


def _fields(message: memoryview) -> Iterator[tuple[int, memoryview, memoryview]]:
    """The fields of a message: number, content, and the bytes of number and content together."""
    at = 0
    while at < len(message):
        tag, inside = _varint(message, at)
        size, begin = (_FIXED[tag & 7], inside) if tag & 7 in _FIXED else _varint(message, inside)
        end = begin + size if tag & 7 else begin
        yield tag >> 3, message[begin:end], message[at:end]
        at = end


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _field(number: int, content: bytes) -> bytes:
    """A field that has a length."""
    return _number(number << 3 | 2) + _number(len(content)) + content


def _number(value: int) -> bytes:
    told = bytearray()
    while value > 0x7F:
        told.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*told, value])
