# Sends arrays to `arraywire receive --plain --type float`: python3 plain_send.py PORT FILE.npy...
import socket, struct, sys
import numpy as np

with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as peer:
    for name in sys.argv[2:]:
        array = np.load(name)
        peer.sendall(struct.pack(">i", array.size) + array.astype(">f4").tobytes())
