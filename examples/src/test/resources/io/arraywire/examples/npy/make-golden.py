"""Writes the .npy files beside this script: python3 make-golden.py (NumPy 2.4.6 made those in the repository).

NpyReaderTest knows the values: six elements of each type, the extremes among them, shape (2, 3).
"""

import pathlib
import numpy as np

here = pathlib.Path(__file__).parent


def integers(bits, signed):
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return [low, high, 0, 1, high - 1, low + 1]


floats = [0.0, -0.0, 1.5, -2.25, np.inf, np.nan]
values = {
    "f4": floats, "f8": floats,
    "i1": integers(8, True), "i2": integers(16, True), "i4": integers(32, True), "i8": integers(64, True),
    "u1": integers(8, False), "u2": integers(16, False), "u4": integers(32, False), "u8": integers(64, False),
    "f2": floats,
    "b1": [True, False, False, True, True, False],
}
for name, six in values.items():
    for order, word in (("|", "one"),) if name[1] == "1" else (("<", "le"), (">", "be")):
        np.save(here / f"{name}-{word}.npy", np.array(six, order + name).reshape(2, 3))

six = np.array(values["i4"], "<i4")
for version in (1, 2, 3):
    with open(here / f"version{version}.npy", "wb") as file:
        np.lib.format.write_array(file, six.reshape(2, 3), (version, 0))

np.save(here / "no-dimensions.npy", np.float32(7.5))
np.save(here / "empty.npy", np.zeros((3, 0, 2), "<f8"))
np.save(here / "one-dimension.npy", six)

np.save(here / "fortran.npy", np.asfortranarray(six.reshape(2, 3)))
# What ml_dtypes writes for bfloat16: the upper half of a float.
bf16 = (np.array(floats, "<f4").view("<u4") >> 16).astype("<u2")
np.save(here / "bf16.npy", bf16.view("V2").reshape(2, 3))
for name in ("c8", "S3", "U3", "M8[s]"):
    np.save(here / f"refused-{name[:2]}.npy", np.zeros(3, "<" + name))
np.save(here / "refused-records.npy", np.zeros(3, [("x", "<f4"), ("y", "<f4")]))
np.save(here / "refused-objects.npy", np.array([{"a": 1}, None], object), allow_pickle=True)
