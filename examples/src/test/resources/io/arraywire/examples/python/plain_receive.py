# Receives what `arraywire send --plain` sends: python3 plain_receive.py FILE.npy
import socket, struct, sys
import numpy as np

with socket.create_server(("127.0.0.1", 0)) as server:
    print("listening on", "127.0.0.1:%d" % server.getsockname()[1], flush=True)
    with server.accept()[0].makefile("rb") as peer:
        count, = struct.unpack(">i", peer.read(4))
        np.save(sys.argv[1], np.frombuffer(peer.read(4 * count), ">f4").astype("<f4"))
        assert peer.read() == b""
