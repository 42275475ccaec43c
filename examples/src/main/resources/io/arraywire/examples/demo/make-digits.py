"""Writes digits.npy.gz beside this script: python3 make-digits.py (needs scikit-learn 1.9.1 and NumPy)."""

import gzip
import io
import pathlib
import numpy as np
from sklearn.datasets import load_digits

npy = io.BytesIO()
np.save(npy, load_digits().data.astype("<f4"))
(pathlib.Path(__file__).parent / "digits.npy.gz").write_bytes(gzip.compress(npy.getvalue(), 9, mtime=0))
