# Checks that every line of a file is a JSON object, prints a member of each, then what a .npy file holds:
#   python3 json_lines.py MEMBER FILE.json FILE.npy
import json, sys
import numpy as np

with open(sys.argv[2]) as lines:
    for line in lines:
        print(json.loads(line)[sys.argv[1]])
array = np.load(sys.argv[3])
print(array.shape, array.dtype)
