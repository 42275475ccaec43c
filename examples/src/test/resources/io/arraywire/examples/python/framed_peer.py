"""A peer in framed mode, written from docs/protocol.md alone.

    python3 framed_peer.py PORT ENCODING CASE [TOKEN]

CASE is "echo", which sends arrays to a listener that sends them back and compares; "unchecked-echo", the same without
wanting checksums; "blocks", an array and a message whose floats are in blocks of 16 bits; or "wrong", which does one after the other what a peer must not do and prints what it is told.
"""
import socket, struct, sys
import numpy as np

ARRAY, CHUNK, ACK, CREDIT, PING, PONG, ERROR, GOODBYE, ABORT, REJECTED, CANCEL = range(1, 12)
SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED = range(12, 16)
SUBSCRIPTION = 1 << 31  # in the field for the channel
VERSION = 2
HAS_CHECKSUM, ACKNOWLEDGES = 1, 2
ENCODINGS = {"raw-le": 1, "raw-be": 2, "java-object": 3, "protobuf": 4, "no-such": 200}
HALVES = {"bf16": 24, "fp16": 25}  # in blocks
TYPES = {  # code: (numpy's name, letter and serialVersionUID of the Java serialization form)
    1: ("f4", b"F", "0b9c818922e00c42"), 2: ("i4", b"I", "4dba602676eab2a5"),
    3: ("f8", b"D", "3ea68c14ab635a1e"), 4: ("i8", b"J", "782004b512b17593"),
    5: ("i2", b"S", "ef832e06e55db0fa"), 6: ("u2", b"C", "b02666b0e25d84ac"),
    7: ("i1", b"B", "acf317f8060854e0"), 8: ("?", b"Z", "578f203914b85de2"),
    # Not in that form; of bf16, which NumPy does not know, the bits.
    9: ("f2", b"", ""), 10: ("u2", b"", ""), 11: ("u1", b"", ""), 12: ("u2", b"", ""), 13: ("u4", b"", ""), 14: ("u8", b"", "")}
PREAMBLE = struct.Struct("<4sBBHIII")  # all but its checksum
HEADER = struct.Struct("<4sBBBBHHIQQQQIII")  # all but its checksum
MAX_FRAME = 1 << 16
PLENTY = 1 << 62  # what it lets the other side send
ARRAY_COST = 256


def crc32c(data, table=[]):
    for byte in () if table else range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def varint(value):
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + varint(value >> 7)


def varints(data):
    """The first varint, and what follows it."""
    if data[0] < 0x80:
        return data[0], data[1:]
    high, rest = varints(data[1:])
    return data[0] & 0x7F | high << 7, rest


def field(number, value):
    """A protobuf field: an int as a varint; bytes with their length before them."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(message):
    """A protobuf message as number -> values."""
    found = {}
    while message:
        key, message = varints(message)
        value, message = varints(message)
        if key & 7 == 2:
            value, message = message[:value], message[value:]
        found.setdefault(key >> 3, []).append(value)
    return found


def section(kind, entries, content):
    """A section of attributes, which ends at a multiple of 8."""
    content += bytes(-len(content) % 8)
    return struct.pack("<HHI", kind, entries, 8 + len(content)) + content


def shape(*dimensions):
    return section(1, len(dimensions), struct.pack("<%dQ" % len(dimensions), *dimensions))


def strings(**texts):
    return section(2, len(texts), b"".join(
        struct.pack("<HH", len(key), len(text)) + key.encode() + text.encode() for key, text in texts.items()))


def prefix(encoding, code, count):
    kind, letter, uid = TYPES[code]
    if encoding == "java-object":
        return b"\xac\xed\0\5ur\0\2[" + letter + bytes.fromhex(uid) + b"\2\0\0xp" + struct.pack(">i", count)
    return b"\x0a" + varint(count * np.dtype(kind).itemsize) if encoding == "protobuf" and count else b""


def narrowed(encoding, floats):
    """What a block of floats holds."""
    if encoding == HALVES["fp16"]:
        return floats.astype("<f2").tobytes()
    bits = floats.view("<u4")
    return (bits + 0x7FFF + (bits >> 16 & 1) >> 16).astype("<u2").tobytes()


def widened(encoding, halves):
    if encoding == HALVES["fp16"]:
        return np.frombuffer(halves, "<f2").astype("<f4")
    return (np.frombuffer(halves, "<u2").astype("<u4") << 16).view("<f4")


def entries(attributes):
    """Encoding, bytes of an element and number of elements of each part in a table."""
    kind, count, size = struct.unpack_from("<HHI", attributes)
    if kind != 3:
        return entries(attributes[size:])
    found, at = [], 8
    for _ in range(count):
        code, encoding, dimensions, name, zero, elements = struct.unpack_from("<BBBBIQ", attributes, at)
        found.append((encoding, np.dtype(TYPES[code][0]).itemsize, elements))
        at += 16 + 8 * dimensions + name + -name % 8
    return found


def plain(payload, parts, done):
    """The plain bytes that a payload stands for, where so many came before. Parts are encoding, width and elements."""
    made, table, end = b"", len(parts[0]) == 3, 0
    for encoding, width, count, *_ in parts:
        last = end + width * count
        end = last + (-last % 8 if table else 0)
        while payload and (here := done + len(made)) < end:
            if encoding not in HALVES.values():
                made, payload = made + payload[:end - here], payload[end - here:]
                continue
            word, elements = struct.unpack_from("<II", payload)
            size = word & 0x7FFFFFFF
            zeros = -size % 8 if table else 0
            assert 0 < size and 0 < width * elements <= min(last - here, 1 << 16) and len(payload) >= 8 + size + zeros
            assert payload[8 + size:8 + size + zeros] == bytes(zeros)
            block, payload = payload[8:8 + size], payload[8 + size + zeros:]
            made += block if word >> 31 else widened(encoding, block).tobytes()
            assert done + len(made) == here + width * elements and (word >> 31 or size < width * elements)
            made += bytes(end - last) if done + len(made) == last else b""
    assert not payload
    return made


class Peer:
    def __init__(self, port, encoding, checksums=True, token=b"", halves=False):
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.encoding, self.order = encoding, ">" if encoding in ("raw-be", "java-object") else "<"
        self.sent = self.received = self.acknowledged = 0
        self.pongs, self.early = [], []
        name = field(1, ENCODINGS[encoding]) + field(2, encoding.encode())
        more = b"".join(field(1, field(1, code) + field(2, also.encode())) for also, code in HALVES.items() if halves)
        hello = (field(1, name) + more + field(2, bytes(TYPES)) + field(3, 1) + field(4, 1 << 30) + field(5, MAX_FRAME)
                 + field(6, int(checksums)) + field(7, token) + field(8, b"framed_peer.py")
                 + field(11, 1) + field(12, PLENTY) + field(13, PLENTY) + field(14, 0) + field(21, 0))
        message = field(1, hello)
        preamble = PREAMBLE.pack(b"\xf1AWH", VERSION, VERSION, 0, len(message), crc32c(message), 0)
        self.stream.sendall(preamble + struct.pack("<I", crc32c(preamble)) + message)
        answer = self.read(24)
        magic, least, most, zero, size, checksum, zeros = PREAMBLE.unpack_from(answer)
        assert magic == b"\xf1AWH" and struct.pack("<I", crc32c(answer[:20])) == answer[20:]
        assert size <= 4096 and zero == zeros == 0 and least <= VERSION <= most
        message = self.read(size)
        assert crc32c(message) == checksum
        body = fields(message)
        if 3 in body:
            raise ConnectionError("reject %d" % fields(body[3][0])[1][0])
        welcome = fields(body[2][0])
        assert welcome[10] == [VERSION] and name in welcome[1] and 7 not in welcome and welcome[11][0] >= 1
        self.allowed, self.charged = [welcome[12][0], welcome[13][0]], 0  # on channel 0, and on all; since the beginning
        self.half = min(self.allowed) // 2
        assert self.half >= 2048
        most = {"protobuf": 4, "java-object": 8}.get(encoding, 14)
        self.types = [code for code in TYPES if code in welcome[2][0] and code <= most]
        self.portion = min(10_000, welcome[5][0]) // 8 * 8
        self.checksums = checksums or welcome.get(6) == [1]

    def read(self, size):
        data = b""
        while len(data) < size:
            more = self.stream.recv(size - len(data))
            if not more:
                raise EOFError("the stream ended")
            data += more
        return data

    def left(self):
        """The credit that is left."""
        return min(self.allowed) - self.charged

    def await_credit(self, cost):
        """Waits until a frame may be sent, or one that is smaller: for no more than half of the first credit."""
        while self.left() < min(cost, self.half):
            kind, *rest = self.frame()
            if kind in (ARRAY, CHUNK):
                self.early.append((kind, *rest))

    def send(self, kind, payload=b"", attributes=b"", encoding=0, code=0, sequence=0, tag=0, count=0, size=0, damage=0,
             channel=0, cost=None):
        """Sends a frame; every one but ACK carries the acknowledgement of what was received."""
        flags = HAS_CHECKSUM * (self.checksums and kind in (ARRAY, CHUNK)) + ACKNOWLEDGES * (kind != ACK)
        checksum = crc32c(attributes + payload) ^ damage if flags & HAS_CHECKSUM else 0
        header = HEADER.pack(b"\xf1AWF", VERSION, kind, encoding, code, flags, len(attributes), channel, sequence, tag, count, size,
                             len(payload), checksum, self.received & 0xFFFFFFFF if flags & ACKNOWLEDGES else 0)
        cost = len(payload) if cost is None else cost
        self.charged += (kind in (ARRAY, CHUNK)) * cost + (kind == ARRAY) * (ARRAY_COST + len(attributes))
        self.stream.sendall(header + struct.pack("<I", crc32c(header)) + attributes + payload)

    def send_array(self, code, array, tag=0, attributes=b"", between=lambda: True):
        """Sends an array in chunks; between() is called after the first frame and says whether to go on."""
        head = prefix(self.encoding, code, array.size)
        data = array.astype(array.dtype.newbyteorder(self.order)).tobytes()
        same = dict(encoding=ENCODINGS[self.encoding], code=code, tag=tag, count=array.size)
        self.send_elements(head, data, array.dtype.itemsize, same, attributes, between)

    def send_message(self, parts, tag, attributes, between):
        """Sends parts, which are names, types and arrays, as one; bytes are cut anywhere."""
        table = data = b""
        for name, code, array in parts:
            table += struct.pack("<BBBBIQ", code, ENCODINGS[self.encoding], 0, len(name), 0, array.size)
            table += name.encode() + bytes(-len(name) % 8)
            data += array.astype(array.dtype.newbyteorder(self.order)).tobytes()
            data += bytes(-len(data) % 8)
        attributes += section(3, len(parts), table)
        same = dict(tag=tag, count=sum(array.size for name, code, array in parts))
        self.send_elements(b"", data, 1, same, attributes, between)
        return data, attributes

    def send_in_blocks(self, parts, tag):
        """Sends a message whose parts are names, types, encodings and arrays, in a frame for each block or piece of a raw part.
        One part without a name is an array. Returns what it is where it is plain."""
        table, pieces, whole, step = b"", [], b"", 1000
        for name, code, encoding, array in parts:
            table += struct.pack("<BBBBIQ", code, encoding, 0, len(name), 0, array.size) + name.encode() + bytes(-len(name) % 8)
            for at in range(0, array.size, step):
                some = array[at:at + step]
                content = kept = some.tobytes()
                if encoding in HALVES.values():
                    raw = at // step % 3 == 1
                    block = content if raw else narrowed(encoding, some)
                    kept = content if raw else widened(encoding, block).tobytes()
                    content = struct.pack("<II", len(block) | raw << 31, some.size) + block
                    content += bytes(-len(block) % 8) if name else b""
                if name and at + step >= array.size:
                    rest = bytes(-(array.nbytes) % 8)
                    kept, content = kept + rest, content + (rest if encoding not in HALVES.values() else b"")
                pieces.append((content, kept))
        _, code, encoding, array = parts[0]
        same = dict(tag=tag, count=sum(each[3].size for each in parts), sequence=self.sent + 1)
        if parts[0][0]:
            attributes, width = section(3, len(parts), table), 1
        else:
            attributes, width = b"", array.itemsize
            same.update(encoding=encoding, code=code)
        self.sent += 1
        size = sum(len(kept) for _, kept in pieces)
        for content, kept in pieces:
            first = not whole
            self.await_credit(len(kept) + (ARRAY_COST + len(attributes) if first else 0))
            self.send(ARRAY if first else CHUNK, content, attributes if first else b"",
                      size=size if first else len(whole) // width, cost=len(kept), **same)
            whole += kept
        return whole

    def send_elements(self, head, elements, width, same, attributes, between):
        data = head + elements
        self.sent += 1
        same["sequence"] = self.sent

        def portion(cost, left):
            """As much as may be sent now, in whole elements."""
            self.await_credit(cost + min(self.portion, left))
            return min(self.portion, left, (self.left() - cost) // width * width)

        cost = ARRAY_COST + len(attributes) + len(head)
        at = len(head) + portion(cost, len(data) - len(head))
        self.send(ARRAY, data[:at], attributes, size=len(data), **same)
        while between() and at < len(data):
            more = portion(0, len(data) - at)
            self.send(CHUNK, data[at:at + more], size=(at - len(head)) // width, **same)
            at += more

    def frame(self):
        """Reads a frame: its type, header, attributes and payload."""
        raw = self.read(64)
        assert raw[:4] == b"\xf1AWF" and struct.pack("<I", crc32c(raw[:60])) == raw[60:]
        header = dict(zip("magic version type encoding code flags attributes channel sequence tag count size payload"
                          " checksum acknowledged".split(), HEADER.unpack_from(raw)))
        assert header["version"] == VERSION and header["flags"] & ~3 == 0 and header["channel"] == 0
        attributes, payload = self.read(header["attributes"]), self.read(header["payload"])
        kind = header["type"]
        if kind in (ARRAY, CHUNK):
            assert bool(header["flags"] & HAS_CHECKSUM) == self.checksums and len(payload) <= MAX_FRAME
        if header["flags"] & HAS_CHECKSUM:
            assert crc32c(attributes + payload) == header["checksum"]
        if header["flags"] & ACKNOWLEDGES or kind == ACK:
            low = header["sequence"] if kind == ACK else header["acknowledged"]
            self.acknowledged = max(self.acknowledged, low)  # fewer than 2^32 arrays
        if kind == CREDIT:
            now = [header["tag"], header["count"]]
            assert now[0] >= self.allowed[0] and now[1] >= self.allowed[1]
            self.allowed = now
        elif kind == PING:
            self.send(PONG, tag=header["tag"])
        elif kind == PONG:
            self.pongs.append(header["tag"])
        elif kind in (ERROR, REJECTED):
            raise ConnectionError("%s %d" % ("error" if kind == ERROR else "rejected", fields(payload)[1][0]))
        return kind, header, attributes, payload

    def receive_array(self):
        """The next array, its tag and its attributes."""
        data = head = about = None
        while True:
            kind, header, attributes, payload = self.early.pop(0) if self.early else self.frame()
            if kind == ARRAY:
                assert data is None and header["sequence"] == self.received + 1
                about, body, data = header, attributes, payload
                parts = header["code"] == 0
                layout = entries(attributes) if parts else None
                if header["encoding"] in HALVES.values():
                    layout = [(header["encoding"], 4, header["count"], "alone")]
                assert header["encoding"] == (0 if parts else layout[0][0] if layout else ENCODINGS[self.encoding])
                head = b"" if layout else prefix(self.encoding, header["code"], header["count"])
                assert data.startswith(head)
                data = plain(payload, layout, 0) if layout else data
            elif kind == CHUNK:
                width = 1 if about["code"] == 0 else np.dtype(TYPES[about["code"]][0]).itemsize
                assert payload and header["size"] * width == len(data) - len(head) and header["sequence"] == about["sequence"]
                data += plain(payload, layout, len(data)) if layout else payload
            if data is not None and len(data) == about["size"]:
                self.received += 1
                self.code = about["code"]
                if self.code == 0:
                    return data, about["tag"], body
                dtype = np.dtype(TYPES[about["code"]][0])
                array = np.frombuffer(data[len(head):], dtype.newbyteorder(self.order)).astype(dtype)
                assert array.size == about["count"]
                return array, about["tag"], body

    def close(self):
        """Says goodbye, waits for the peer's, ends the output and reads to the end."""
        self.send(GOODBYE)
        while self.frame()[0] != GOODBYE:
            pass
        self.stream.shutdown(socket.SHUT_WR)
        assert self.stream.recv(1) == b""
        self.stream.close()


def echo(peer):
    def ping():
        peer.send(PING, tag=peer.sent)
        return True

    def withdraw():
        peer.send(ABORT, sequence=peer.sent)

    random = np.random.default_rng(1)
    for code in peer.types:
        dtype = np.dtype(TYPES[code][0])
        for count in (0, 1, 20_011):
            raw = random.bytes(count * dtype.itemsize)  # of floats, all sorts of NaN
            array = np.frombuffer(raw, dtype) if code != 8 else np.frombuffer(raw, "u1") > 127
            peer.send_array(code, np.ones(20_011, dtype), between=withdraw)
            attributes = shape(count, 1) + strings(about="it")
            peer.send_array(code, array, 1 << 63 | count, attributes, ping)
            back, tag, said = peer.receive_array()
            assert peer.code == code and back.dtype == dtype and back.tobytes() == array.tobytes(), (code, count)
            assert tag == 1 << 63 | count and said == attributes
    if peer.encoding in ("raw-le", "raw-be"):
        parts = [("ids", 2, np.arange(20_011, dtype="i4")), ("", 9, np.ones(3, "f2")), ("none", 3, np.ones(0, "f8"))]
        sent = peer.send_message(parts, 5, strings(unit="K"), ping)
        back, tag, said = peer.receive_array()
        assert peer.code == 0 and (back, said) == sent and tag == 5
    peer.send(ACK, sequence=peer.received)
    while peer.acknowledged < peer.sent or peer.pongs[-1] < peer.sent:
        peer.frame()
    peer.close()
    print("echoed", peer.received, "arrays of", len(peer.types), "types")


def blocks(peer):
    floats = np.random.default_rng(1).standard_normal(20_011).astype("f4")
    for tag, (name, encoding) in enumerate(HALVES.items()):
        sent = peer.send_in_blocks([("", 1, encoding, floats)], tag)
        back, told, _ = peer.receive_array()
        assert told == tag and np.allclose(back, np.frombuffer(sent, "f4"), rtol=2**-8, atol=2**-24), name
    parts = [("ids", 2, 1, np.arange(1501, dtype="i4")), ("scores", 1, 25, floats), ("none", 1, 24, floats[:0]),
             ("few", 1, 24, floats[:3]), ("last", 7, 1, np.ones(5, "i1"))]
    sent = peer.send_in_blocks(parts, 7)
    back, told, about = peer.receive_array()
    assert told == 7 and [each[1:] for each in entries(about)] == [(each[3].itemsize, each[3].size) for each in parts]
    assert len(back) == 6008 + 80_048 + 16 + 8
    assert back == sent
    peer.send(ACK, sequence=peer.received)
    while peer.acknowledged < peer.sent:
        peer.frame()
    peer.close()
    print("echoed", peer.received, "in blocks")


ONE = dict(encoding=1, code=1, sequence=1, count=1, size=4)
WRONG = {
    "stranger": lambda peer: peer.stream.sendall(b"GET / HTTP/1.1\r\n" * 4),
    "damaged": lambda peer: peer.send(ARRAY, bytes(4), damage=1, **ONE),
    "credit": lambda peer: peer.send(CREDIT, tag=peer.allowed[0], count=1),
    "channel": lambda peer: peer.send(ARRAY, bytes(4), channel=1, **ONE),
    "subscription": lambda peer: peer.send(SUBSCRIBE, field(1, b"x") + field(2, 1) + field(3, 1), channel=SUBSCRIPTION),
    "subscribe": lambda peer: peer.send(SUBSCRIBE, field(1, b"x") + field(2, 1) + field(3, 1)),
    "cancel": lambda peer: peer.send(CANCEL, tag=1),
    "session": lambda peer: peer.send(ARRAY, bytes(4), section(16, 1, struct.pack("<Q", 1)), **ONE),
    "published": lambda peer: peer.send(ARRAY, bytes(4), section(20, 1, struct.pack("<Q", 1)), **ONE),
    "huge": lambda peer: peer.send(ARRAY, bytes(4), **dict(ONE, count=1 << 40, size=1 << 42)),
    "negative": lambda peer: peer.send(ARRAY, bytes(4), **dict(ONE, count=1 << 63)),
    "uneven": lambda peer: peer.send(ARRAY, bytes(4), **dict(ONE, count=2)),
    "table": lambda peer: peer.send(ARRAY, bytes(8), section(3, 1, struct.pack("<BBBBIQ8s", 2, 1, 0, 1, 0, 2, b"x")), sequence=1,
                                    count=1, size=8),
    "shape": lambda peer: peer.send(ARRAY, bytes(4), shape(2), **ONE),
    "gap": lambda peer: peer.send(ARRAY, bytes(4), **dict(ONE, sequence=2)),
    "loose": lambda peer: peer.send(CHUNK, bytes(4), **ONE),
    "future": lambda peer: peer.send(ACK, sequence=1),
    "unwanted": lambda peer: peer.send(ARRAY, bytes(4), **dict(ONE, tag=666)),
}


def tell(what, attempt):
    try:
        attempt()
    except (ConnectionError, EOFError) as told:
        print(what, told, sep=": ")


def wrong(peer, mistake):
    mistake(peer)
    while True:
        peer.frame()


def main(port, encoding, case, token=""):
    def connect():
        return Peer(int(port), encoding, case != "unchecked-echo", token.encode(), case == "blocks")

    if case == "wrong":
        for what, mistake in WRONG.items():
            tell(what, lambda: wrong(connect(), mistake))
    else:
        tell("refused", lambda: (blocks if case == "blocks" else echo)(connect()))


if __name__ == "__main__":
    main(*sys.argv[1:])
