"""Writes digits.npy beside this script: python3 make-digits.py (needs scikit-learn 1.9.1 and NumPy)."""

import pathlib
import numpy as np
from sklearn.datasets import load_digits

np.save(pathlib.Path(__file__).parent / "digits.npy", load_digits().data.astype("<f4"))
