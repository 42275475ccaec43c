"""Certificates for tests: those of docs/tls.md, made by its own lines, and some that must be refused."""

import pathlib
import shutil
import subprocess

from conftest import ROOT

_STRANGERS = """
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 3650 -subj "/CN=another authority" \
  -addext keyUsage=critical,keyCertSign -keyout other-ca.key -out other-ca.pem
openssl x509 -req -in server.csr -CA other-ca.pem -CAkey other-ca.key -days 90 -extfile server.ext -out stranger.pem
openssl x509 -req -in client.csr -CA other-ca.pem -CAkey other-ca.key -days 90 -out strange-client.pem
printf "subjectAltName=DNS:elsewhere.example.org" > elsewhere.ext
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -days 90 -extfile elsewhere.ext -out elsewhere.pem
mkdir demo && touch demo/index.txt && echo 01 > demo/serial
printf "[ca]\\ndefault_ca=d\\n[d]\\ndir=demo\\ndatabase=demo/index.txt\\nserial=demo/serial\\nnew_certs_dir=demo\\n\
default_md=sha256\\npolicy=p\\n[p]\\ncommonName=supplied\\n" > demo.cnf
openssl ca -config demo.cnf -batch -notext -in server.csr -cert ca.pem -keyfile ca.key -extfile server.ext \
  -startdate 20200101000000Z -enddate 20200102000000Z -out expired.pem
"""


def make(folder: pathlib.Path) -> pathlib.Path:
    assert shutil.which("openssl"), "the tests of TLS make certificates with openssl; install it"
    page = (ROOT / "docs/tls.md").read_text()
    lines = page.split("```sh\n")[1].split("```")[0]
    made = subprocess.run(["sh", "-e", "-c", lines + _STRANGERS], cwd=folder, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder
