"""What a caller may send: anything with the buffer protocol whose elements the wire has a type for."""

from __future__ import annotations

import array
import struct
from typing import Any, Mapping, NamedTuple, Optional, Tuple, Union

from . import _blocks, _memory
from ._attributes import MAX_DIMENSIONS, MAX_NAME, MAX_PARTS, Part, product
from ._types import (
    BOOLEAN, BY_NAME, BYTE, DOUBLE, ENCODINGS, FLOAT, FP16, IN_BLOCKS, INT, LONG, MESSAGE, NATIVE, NATIVE_LITTLE, RAW_BE,
    RAW_LE, SHORT, UINT8, UINT16, UINT32, UINT64, ElementType, Encoding,
)  # fmt: skip
from .errors import ErrorCode, TargetMismatchError, UnsupportedArrayError

_SIGNED = {1: BYTE, 2: SHORT, 4: INT, 8: LONG}
_UNSIGNED = {1: UINT8, 2: UINT16, 4: UINT32, 8: UINT64}
_FLOATING = {"e": FP16, "f": FLOAT, "d": DOUBLE}
#: What holds elements and says so by its format; bytes and bytearray are elements of another type.
_PLAIN = frozenset((array.array, memoryview) if _memory.numpy is None else (array.array, memoryview, _memory.numpy.ndarray))
#: What needs no second look, by the format.
_NATIVE = {
    **_FLOATING,
    **{each: _SIGNED[struct.calcsize(each)] for each in "bhilq"},
    **{each: _UNSIGNED[struct.calcsize(each)] for each in "BHILQ"},
}


#: The name of an element type; of the parts of a message, names by name.
TypeNames = Union[str, Mapping[str, str], None]
#: The name of a codec; of the parts of a message, names by name, or one for all parts of types that it has.
CodecNames = Union[str, Mapping[str, str], None]
_NO_NAMES: Mapping[str, str] = {}
_new_tuple = tuple.__new__
_CODECS = {each.name: each for each in (*ENCODINGS.values(), *IN_BLOCKS.values())}


class Elements(NamedTuple):
    """An array to be sent. The bytes are shared with the caller unless they had to be copied."""

    type: ElementType
    length: int
    shape: Tuple[int, ...]  # empty for one dimension
    view: memoryview  # of bytes
    parts: Tuple[Part, ...] = ()  # of a message
    encoding: Optional[Encoding] = None  # of an array, if the program names one
    little: bool = NATIVE_LITTLE  # the byte order of the view

    def copied(self) -> "Elements":
        """The same, in memory of its own."""
        return self._replace(view=memoryview(bytes(self.view)))


def elements(
    obj: Any,
    type: TypeNames = None,
    shape: Optional[Tuple[int, ...]] = None,
    codec: CodecNames = None,
    raw: Encoding = NATIVE,
) -> Elements:
    """The elements of an object. C-contiguous memory in this host's byte order is not copied, all else is, once. Parts for
    which there is no codec are raw, in the order that is given."""
    if type is None and shape is None and codec is None and obj.__class__ in _PLAIN:
        known = _quickly(obj)
        if known is not None:
            return known
    if codec is not None:
        return _by_codec(obj, type, shape, codec, raw)
    if isinstance(obj, Mapping):
        return _message(obj, type, shape, _NO_NAMES, raw)
    if type is not None and not isinstance(type, str):
        raise ValueError("a type for each name is for a dict of arrays; an array has one type")
    view = _view(obj)
    own_type, foreign_order = _type_of(obj, view, type)
    own_shape = tuple(view.shape or ()) if view.ndim > 1 else ()
    flat = _memory.flat(view)
    if flat is None:
        flat = memoryview(view.tobytes())
    if foreign_order:
        flat = _memory.swapped(flat, own_type.size)
    count = flat.nbytes // own_type.size
    return Elements(own_type, count, own_shape if shape is None else _given_shape(shape, count), flat)


def _quickly(obj: Any) -> Optional[Elements]:
    """Those of a plain array, which need no second look; None of any other."""
    try:
        view = memoryview(obj)
    except ValueError:  # NumPy has types that the buffer protocol does not name
        return None
    type = _NATIVE.get(view.format)
    if type is None or view.ndim != 1 or not view.nbytes or not view.c_contiguous:
        return None
    flat = view if type is UINT8 else view.cast("B")
    # A tuple made so takes a third of the time.
    return _new_tuple(Elements, (type, len(view), (), flat, (), None, NATIVE_LITTLE))


def _by_codec(
    obj: Any, type: TypeNames, shape: Optional[Tuple[int, ...]], codec: Union[str, Mapping[str, str]], raw: Encoding
) -> Elements:
    if isinstance(obj, Mapping):
        made = _message(obj, type, shape, codec, raw)
        if isinstance(codec, str) and all(each.encoding.name != codec for each in made.parts):
            raise ValueError(f"the codec has the type of no part (codec={codec})")
        return made
    if not isinstance(codec, str):
        raise ValueError("a codec for each name is for a dict of arrays; an array has one codec")
    made = elements(obj, type, shape)
    return made._replace(encoding=_codec(codec, made.type))


def encoding_named(name: str) -> Encoding:
    return _CODECS[name]


def _codec(name: str, type: ElementType) -> Encoding:
    encoding = _CODECS.get(name)
    if encoding is None:
        raise ValueError(f"there is no such codec (codec={name!r}, codecs={' '.join(_CODECS)})")
    if not encoding.has(type):
        raise ValueError(f"the codec does not have the element type; name another codec (codec={name}, type={type.name})")
    if encoding.in_blocks:
        _blocks.check_writable(encoding)
    return encoding


def _codec_of_part(name: str, type: ElementType, codecs: Union[str, Mapping[str, str]], raw: Encoding) -> Encoding:
    if isinstance(codecs, str):
        wanted = _CODECS.get(codecs)
        return _in_table(_codec(codecs, type)) if wanted is None or wanted.has(type) else raw
    named = codecs.get(name)
    return raw if named is None else _in_table(_codec(named, type))


def _in_table(encoding: Encoding) -> Encoding:
    if not encoding.in_blocks and encoding not in (RAW_LE, RAW_BE):
        raise ValueError(
            "the parts of a message are raw-le, raw-be or in an encoding in blocks; name a codec of these, or none"
            f" (codec={encoding.name})"
        )
    return encoding


def _message(
    parts: "Mapping[str, Any]",
    types: TypeNames,
    shape: Optional[Tuple[int, ...]],
    codecs: Union[str, Mapping[str, str]],
    raw: Encoding,
) -> Elements:
    """The parts of a message, copied together, each in the order that its encoding has, and followed by zeros up to a multiple
    of 8. Blocks are made of this when they are sent."""
    types = _NO_NAMES if types is None else types
    if isinstance(types, str) or shape is not None:
        raise ValueError(
            "each part of a message has a type and a shape of its own; give none for the whole, and name types by a dict,"
            " as in type={'mask': 'boolean'}"
        )
    for what, names in (("type", types), ("codec", codecs)):
        unknown = [] if isinstance(names, str) else sorted(set(names) - set(parts))
        if unknown:
            raise ValueError(f"a {what} is given for a part that is not there (names={' '.join(map(repr, unknown))})")
    if not 0 < len(parts) <= MAX_PARTS:
        raise ValueError(f"a message has 1 to {MAX_PARTS} parts (parts={len(parts)})")
    made = []
    payload = bytearray()
    for name, obj in parts.items():
        if len(name.encode()) > MAX_NAME or len(parts) == 1 and not name:
            raise ValueError(f"a name has 1 to {MAX_NAME} bytes, and may be empty beside others (name={name!r})")
        one = elements(obj, types.get(name))
        if len(one.shape) > MAX_DIMENSIONS:
            raise ValueError(f"a part has too many dimensions (name={name!r}, dimensions={len(one.shape)})")
        encoding = _codec_of_part(name, one.type, codecs, raw)
        made.append(Part(name, one.type, encoding, one.length, one.shape, len(payload)))
        turned = encoding.little != NATIVE_LITTLE and one.type.size > 1
        payload += _memory.swapped(one.view, one.type.size) if turned else one.view
        payload += bytes(-len(payload) % 8)
    return Elements(MESSAGE, len(payload), (), memoryview(payload).toreadonly(), tuple(made))


def _given_shape(shape: Tuple[int, ...], count: int) -> Tuple[int, ...]:
    shape = tuple(int(each) for each in shape)
    if product(shape) != count or min(shape, default=0) < 0 or len(shape) > MAX_DIMENSIONS:
        raise ValueError(
            f"the shape does not hold the elements; at most {MAX_DIMENSIONS} dimensions (shape={shape}, elements={count})"
        )
    return shape


def _view(obj: Any) -> memoryview:
    try:
        return memoryview(obj)
    except (TypeError, ValueError) as cause:
        refused: Exception = cause
    if _memory.numpy is not None and (hasattr(obj, "__array__") or hasattr(obj, "__dlpack__")):
        made = _memory.numpy.asarray(obj) if hasattr(obj, "__array__") else _memory.numpy.from_dlpack(obj)
        try:
            return memoryview(made)
        except (TypeError, ValueError) as cause:
            refused = cause
        raise _refusal(
            "the elements have no type on the wire; view their bits as integers, as in send(x.view('i8')), and name those"
            " that have a name, as in send(x.view('u2'), type='bf16')",
            dtype=made.dtype,
        ) from refused
    raise _refusal(
        "only objects with the buffer protocol can be sent; make an array of it, such as"
        " numpy.asarray(x, dtype='f4') or array.array('f', x)",
        object=obj.__class__.__name__,
    ) from refused


def _refusal(text: str, **facts: Any) -> UnsupportedArrayError:
    return UnsupportedArrayError(None, text, **facts)


def _type_of(obj: Any, view: memoryview, wanted: Optional[str]) -> Tuple[ElementType, bool]:
    """The element type, and whether the bytes are in the other order."""
    format = view.format
    order, kind = ("@", format) if format[:1] not in tuple("@=<>!") else (format[0], format[1:])
    foreign = view.itemsize > 1 and (order == "<" and not NATIVE_LITTLE or order in ">!" and NATIVE_LITTLE)
    if wanted is not None:
        named = BY_NAME.get(wanted)
        if named is None:
            raise _refusal("there is no such element type", type=wanted, types=" ".join(BY_NAME))
        if named.size != view.itemsize:
            raise _refusal(
                "the elements have another size than the type", type=wanted, size=named.size, itemsize=view.itemsize
            )
        if named is BOOLEAN and kind != "?":
            raise _refusal("only bool arrays are sent as boolean; convert it with x != 0", format=format)
        return named, foreign
    if isinstance(obj, (bytes, bytearray)):
        return BYTE, False  # what Java's byte[] is for
    if kind in _FLOATING:
        return _FLOATING[kind], foreign
    if kind in tuple("bhilqn"):
        return _SIGNED[view.itemsize], foreign
    if kind in tuple("BHILQN"):
        return _UNSIGNED[view.itemsize], foreign
    if kind == "?":
        raise _refusal(
            "bool arrays are sent by name: type='boolean' for a boolean[] of Java, or x.view('i1') for a byte[]",
            format=format,
        )
    if kind[:1] == "Z":
        raise _refusal(
            "complex numbers have no type on the wire; send x.view(x.real.dtype), real and imaginary parts side by"
            " side, or each part by itself",
            format=format,
        )
    if kind[:1] == "T":
        raise _refusal(
            "structured arrays have no type on the wire; send each field by itself, as in send(x['name'])",
            format=format,
        )
    raise _refusal(
        "the elements have no type on the wire; convert them, as in x.astype('f4')", format=format
    )


def target(buffer: Any) -> Tuple[memoryview, ElementType, bool]:
    """A caller's own memory to receive into: its bytes, their type, and whether bits of the same size may come, too."""
    view = memoryview(buffer)
    flat = None if view.readonly else _memory.flat(view)
    if flat is None:
        raise TargetMismatchError(
            ErrorCode.TARGET_MISMATCH,
            "a buffer to receive into must be writable and C-contiguous",
            readonly=view.readonly,
            contiguous=view.c_contiguous,
        )
    if view.format == "?":
        return flat, BOOLEAN, False
    type, foreign = _type_of(None, view, None)
    if foreign:
        raise TargetMismatchError(
            ErrorCode.TARGET_MISMATCH, "a buffer to receive into must have this host's byte order", format=view.format
        )
    return flat, type, view.format.lstrip("@=<>!") in tuple("BHILQN")
