"""The words of --help. Those of an option that does the same are those of ./arraywire."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional


class Option(NamedTuple):
    name: str
    metavar: Optional[str]  # None for a switch
    text: str


class Parameter(NamedTuple):
    name: str
    text: str


class Page(NamedTuple):
    description: str
    options: List[Option]
    parameter: Optional[Parameter]
    footer: str


HELP = "Show this help message and exit."
VERSION = "Print version information and exit."
_TYPES = "float, int, double, long, short, char, byte, boolean, fp16, bf16, uint8, uint16, uint32, uint64"

_SHARED = [
    Option(
        "--transport",
        "TRANSPORT",
        "nio or stream. Both are the same here: Python moves bytes in one way. Default: nio.",
    ),
    Option(
        "--codec",
        "CODEC",
        "The encoding on the wire, by the name of the codec of ./arraywire that writes it: direct, direct-be, raw-le, raw-be,"
        " buffer-view, buffer-view-le, data-output, data-output-buffered, object-stream, protobuf. receive decodes all of them"
        " with and without it. Default: the first in each side's list that the other side can decode.",
    ),
    Option(
        "--plain",
        None,
        "Speak to a DataOutputStream: a big-endian int count, then the elements; no handshake, no shape, no acknowledgement.",
    ),
    Option("--tls", None, "Encrypt, and check who the peer is; both sides need it. See docs/tls.md."),
    Option(
        "--cert",
        "FILE",
        "This side's certificate and those of its issuers, as PEM. receive needs one; send needs one if the receiver asks for"
        " it.",
    ),
    Option("--key", "FILE", "The certificate's private key, as PEM (PKCS #8, not encrypted)."),
    Option("--ca", "FILE", "Trust peers that these authorities vouch for, as PEM. Default: those of the system."),
    Option(
        "--token-file",
        "FILE",
        "receive lets in only peers that show the token in this file; send shows it. White space around it does not count. To"
        " another host a token needs --tls.",
    ),
    Option("--json", None, "Write JSON lines instead of text."),
    Option("--verbose", None, "Print what the library logs, and the stack of a failure."),
]

_SEND = [
    *_SHARED,
    Option(
        "--compress",
        "ENCODING",
        "Compress the elements, for a link that is slower than memory: shuffle-zstd, bf16, fp16. bf16 and fp16 send floats as 16"
        " bits, and lose the others. shuffle-zstd needs the package zstandard, or Python 3.14. shuffle-lz4 is written by"
        " ./arraywire only. The receiver needs no option. Default: none; without a name shuffle-zstd.",
    ),
    Option("--to", "HOST:PORT", "Where the receiver listens. Also [::1]:PORT and unix:PATH. Required."),
    Option("--wait", "SECONDS", "Keep trying for this long if nobody listens there yet. Default: fail at once."),
    Option("--max-bytes", "SIZE", "The largest array to send, such as 512M; the receiver's limit holds too. Default: 16G."),
    Option("--repeat", "N", "Send each file N times. Default: 1."),
    Option(
        "--technique",
        "TECHNIQUE",
        "How the bytes get from the file to the socket: mapped (the file mapped, written from there), array (read before it is"
        " sent), heap or stream (read piece by piece, at a place or one behind the other). mapped reads piece by piece, too,"
        " with --tls, checksums, --compress, or a --codec of another byte order. direct and transfer are of ./arraywire only."
        " Default: mapped; array for booleans.",
    ),
    Option(
        "--raw",
        "TYPE",
        f"The files hold nothing but elements of this type: {_TYPES}. A .npy file is refused, since its header would become"
        " elements. Default: .npy files.",
    ),
    Option("--order", "ORDER", "With --raw, the byte order: little, big. Default: little."),
    Option(
        "--verify",
        None,
        "Have the receiver read each file that it has written and compare its SHA-256, before it acknowledges. The receiver"
        " needs --out with a file or a directory; its line says 'verified' then, and other receivers compare nothing.",
    ),
    Option(
        "--skip-existing",
        None,
        "Go on if the receiver already has a file of that name, whatever is in it. The array travels all the same. For"
        " directories and archives, whose names travel. Default: stop at the first such file.",
    ),
    Option(
        "--resume",
        None,
        "Send only what the receiver does not have. If the transfer breaks off, the receiver keeps what has come. The same"
        " command then sends the rest, once both sides have compared the SHA-256 of that part. A file that is there bit for bit"
        " is skipped. A single file arrives under its name. For files of 1 MiB or more, and a receiver with --out.",
    ),
]

_RECEIVE = [
    *_SHARED,
    Option(
        "--require-client-cert", None, "Refuse peers without a certificate that --ca vouches for."
    ),
    Option(
        "--listen", "HOST:PORT", "Where to listen; port 0 takes a free one. :PORT listens on all addresses of this host. Also [::1]:PORT and unix:PATH."
        " Required."
    ),
    Option("--type", "TYPE", f"With --plain, the element type: {_TYPES}."),
    Option(
        "--max-bytes",
        "SIZE",
        "The largest array to accept, such as 512M. One of 1 MiB or more goes straight into its file, but not with --out -,"
        " --discard and --plain. Other arrays take memory as their bytes arrive. Default: 1G.",
    ),
    Option(
        "--out",
        "FILE|DIR",
        "Where arrays go. A directory gets array-000001.npy and so on, numbered on from what is there, and files that come with"
        " a name. A name that ends in .npy gets one array: it must not exist, and implies --count 1. With - .npy files go to"
        " standard output, and all lines to standard error. Default: this directory.",
    ),
    Option(
        "--into",
        "FILE",
        "Take one array and put it straight into this file, which must not exist. A name that ends in .npy makes a .npy file, any"
        " other only the elements, in the byte order in which they come. However large it is, little of it is in memory at a"
        " time. In place of --out.",
    ),
    Option(
        "--technique",
        "TECHNIQUE",
        "With --into, how the bytes get from the socket into the file: buffer. mapped and transfer are of ./arraywire only."
        " Default: buffer.",
    ),
    Option("--discard", None, "Write no files. Not together with --out."),
    Option("--count", "N", "End after N arrays."),
    Option(
        "--stats",
        None,
        "Show on standard error what comes: arrays and MB per second, arrays in all, open connections, arrays that wait to be"
        " written. Arrays refused and connections failed are shown if there are any.",
    ),
    Option(
        "--stats-every",
        "SECONDS",
        "How often. Default: on a terminal 1, with one line that is drawn again; else 10, with a line each time.",
    ),
]

_STATUS = """exit status:
  0    done
  1    the transfer failed; one line on standard error says why
  2    the command line is wrong
  130  ended with Ctrl-C
"""

PAGES: Dict[str, Page] = {
    "send": Page(
        "Sends the arrays of .npy or raw files, and waits until the receiver has written them (not with --plain).",
        _SEND,
        Parameter(
            "FILE|DIR",
            "What to send: a file, a directory, an .npz archive, or - for standard input, which is read to its end first. The .npy"
            " and .npz files of a directory arrive in a directory of its name, and so do the members of an archive.",
        ),
        """An array in Fortran order arrives in C order. An array without dimensions, shape (), arrives with shape (1,).

  python -m arraywire send --to localhost:4711 weights.npy
  python -m arraywire send --to localhost:4711 --verify checkpoints/ model.npz
  python -m arraywire send --to localhost:4711 --resume large.npy

"""
        + _STATUS,
    ),
    "receive": Page(
        "Listens, and writes each array that arrives to a .npy file.",
        _RECEIVE,
        None,
        """The first line of output is 'listening on HOST:PORT'; then comes a line for each array. No file is ever overwritten.
Until an array is whole, its file is hidden: .NAME.XXXXXXXX.part. With send --resume it is kept if the transfer breaks off.

  python -m arraywire receive --listen localhost:4711 --out arrays
  python -m arraywire receive --listen localhost:4711 --discard --stats
  python -m arraywire receive --listen localhost:4711 --max-bytes 64G --into large.npy

"""
        + _STATUS,
    ),
}
