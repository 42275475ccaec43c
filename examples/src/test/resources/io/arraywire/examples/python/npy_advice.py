# Makes files of types that no primitive Java array holds, or follows advice for them:
#   python3 npy_advice.py make DIR            prints their names
#   python3 npy_advice.py follow DIR ADVICE   prints those of which something was lost
import sys
import numpy as np


def arrays():
    for order in "<>":
        name = "le" if order == "<" else "be"
        for size in (8, 16):
            yield f"c{size}-{name}", np.array([[1 + 2j, -0.1 + 1e30j], [float("nan"), 3.3j]], f"{order}c{size}")
        yield f"U-{name}", np.array(["a", "bcd", "\U0001f600"], f"{order}U3")
        yield f"M8-{name}", np.array(["1970-01-01", "2262-04-11", "NaT"], f"{order}M8[ns]")
        yield f"m8-{name}", np.array([1, -1, 2 ** 62 + 1], f"{order}m8[s]")
    yield "fortran-c8", np.asfortranarray(np.array([[1 + 2j, 2], [3, 4j]], "<c8"))
    yield "one-c16", np.array(1 + 2j, "<c16")
    yield "longdouble", np.array([np.longdouble(1) / 3, np.finfo(np.longdouble).max], np.longdouble)
    yield "clongdouble", np.array([np.longdouble(1) / 3 + 1j], np.clongdouble)
    yield "S", np.array([b"a", b"bcd", b"\xff"], "S3")
    yield "V", np.array([b"abc", b"\x00\xff"], "V3")
    yield "objects", np.array([0.1, 1e300, -2.5], object)


def same(a, b):
    """Whether b has every value of a, or every bit of it in the same order."""
    if a.dtype.kind == "O":
        return b.tolist() == a.tolist()
    # Values must be what NumPy reads from the same bytes: a wrong byte order would show here.
    parts = a.real.dtype if a.dtype.kind == "c" and b.dtype.kind == "f" else None
    if parts is not None and b.dtype != parts:
        return False
    if b.dtype.itemsize > 1 and a.dtype.byteorder in "<>" and b.dtype.str[0] != a.dtype.str[0]:
        return False
    return np.ascontiguousarray(a).tobytes() == b.tobytes()


def made():
    for name, array in arrays():
        # Where a long double is a double, it is not refused.
        if array.dtype.str[1:] not in ("f8", "c16") or name.startswith(("c16", "one")):
            yield name, array


folder = sys.argv[2]
if sys.argv[1] == "make":
    for name, array in made():
        np.save(f"{folder}/{name}.npy", array, allow_pickle=True)
        print(name)
else:
    advice = dict(line.rstrip("\n").split("\t") for line in open(sys.argv[3]))
    for name, array in made():
        a = np.load(f"{folder}/{name}.npy", allow_pickle=True)
        np.save(f"{folder}/{name}-advised.npy", eval(advice[name]))
        if not same(a, np.load(f"{folder}/{name}-advised.npy")):
            print(name, advice[name])
