"""Compares how hoga and nginx read requests: which they accept, and the method, path and parameters
of each request of a connection, which shows where they see its body end."""

import random
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import unquote_to_bytes

CONFIGURATION = """
daemon off; master_process off; worker_processes 1; pid {folder}/pid; error_log /dev/null;
events {{ worker_connections 64; }}
http {{
    access_log off; merge_slashes off; ignore_invalid_headers off;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    server {{
        listen unix:{folder}/socket;
        client_max_body_size 65536; keepalive_requests 100000; lingering_close off;
        client_header_buffer_size 8k; large_client_header_buffers 4 8k;
        add_header X-Request "$request_method $request_uri";
        return 204;
    }}
}}
"""
# Read as chunks, as a body of some length, or as the next request.
TAILS = [
    b"5\r\nhello\r\n0\r\n\r\n",
    b"3;a=b\r\nabc\r\n0\r\nX: 1\r\n\r\n",
    b"hello",
    b"",
    b"0\r\n\r\n",
    b"5\nhello\n0\n\n",
    b"5 \r\nhello\r\n0\r\n\r\n",
    b"-5\r\nhello\r\n0\r\n\r\n",
    b"5\r\nhelloX0\r\n\r\n",
]
LAST = b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

METHODS = ["GET", "GET", "POST", "PUT", "HEAD", "DELETE", "BREW", "get", "G ET", "G@T", "",
           "A" * 33]
TARGETS = [
    "/", "/a/b", "/a?b=c&d", "/%41%2f%2F", "/a//b", "http://h/p?q=1", "http://h", "HTTP://h:80/x",
    "/%00", "/%zz", "/a%20b?c+d=%26", "*", "a", "/\u00e9", "/a#b", "https://h/p", "/a;b", "/?",
    "/a b", "http:///x", "http://[::1]/y", "/%ff", "/a?b=%", "/[a]", "/a\x7f", "/a\tb", "/a|b^c",
]
VERSIONS = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/1.10",
            "HTTP/01.1", "http/1.1", "HTTP/1", "HTTP/0.9", "", "HTTP/1.1 "]
FIELDS = [
    "Host: a", "Host: a:80", "Host: [::1]", "Host:", "Host: a b", "Host: a/b", "Host: a@b",
    "Host: b", "Host: %41", "Content-Length: 5", "Content-Length: 5", "Content-Length: 0",
    "Content-Length: 05", "Content-Length: +5", "Content-Length: 5, 5", "Content-Length:",
    "Content-Length: 5 ", "Content-Length: 0x5", "Content-Length: 99999999999999999999",
    "Content-Length: 6", "Content-Length: 70000", "Transfer-Encoding: chunked",
    "Transfer-Encoding: Chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity",
    "Transfer-Encoding: chunked, chunked", "Transfer-Encoding:\tchunked",
    "Transfer-Encoding : chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding:\x0bchunked",
    "Transfer-Encoding:", "Connection: close", "Connection: keep-alive", "X: y", "X:", ": y",
    "X y: z", " X: y", "X", "X: a\x00b", "X: a\x01b", "X: \u00e9", "X_Y: z", "X(: y", "X: a\rb",
    "Upgrade:\x00x", "Connection:\x00close", "Content_Length: 5",
    "Content-Length\t: 5", "Upgrade: websocket", "Expect: 100-continue",
    "Expect: other",
]


def make(source):
    """A head and what follows it, mostly well formed."""
    parts = [source.choice(METHODS[:6] if source.random() < 0.9 else METHODS)]
    parts.append(source.choice(TARGETS[:6] if source.random() < 0.7 else TARGETS))
    parts.append(source.choice(VERSIONS[:4] if source.random() < 0.9 else VERSIONS))
    lines = [" ".join(parts)]
    if source.random() < 0.9:
        lines.append("Host: a")
    lines += source.choices(FIELDS, k=source.choice([0, 1, 1, 2, 3]))
    source.shuffle(tail := lines[1:])
    end = "\n" if source.random() < 0.03 else "\r\n"
    head = bytearray((end.join([lines[0], *tail]) + end * 2).encode())
    if source.random() < 0.15:
        place = source.randrange(len(head))
        cut = source.choice([0, 1])
        head[place : place + cut] = source.choice([b"", b" ", b"\t", b"\r", b"\n", b":", b"\x00",
                                                   b"\xff", bytes([source.randrange(256)])])
    return bytes(head) + source.choice(TAILS)


def exchange(address, data):
    """Sends bytes and a last request; returns what came of each request, until a refusal."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    with socket.socket(family) as client:
        client.settimeout(5)
        client.connect(address)
        received = b""
        try:
            client.sendall(data + LAST)
            client.shutdown(socket.SHUT_WR)
            while piece := client.recv(65536):
                received += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
    return answers(received)


def answers(received):
    found = []
    while received:
        head, _, received = received.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.[01] (\d\d\d)", head)
        status = int(match[1]) if match else 0
        if status == 100:
            continue
        if status != 204:
            return found + ["refused"]
        value = re.search(rb"\r\nX-Request: ([^\r]*)", head + b"\r")
        found.append(value[1] if value else b"")
    return found


def of_hoga(value):
    words = [b"" if word == b"-" else bytes.fromhex(word.decode()) for word in value.split(b" ")]
    return words[0], words[1], words[2:]


def of_nginx(value):
    """Decodes what nginx passes on as it was sent."""
    method, _, target = value.partition(b" ")
    path, _, query = target.partition(b"?")
    path = re.sub(rb"%(2[fF])", rb"%25\1", path)
    words = []
    for part in query.split(b"&"):
        if part:
            name, _, text = part.partition(b"=")
            words += [unquote_to_bytes(side.replace(b"+", b" ")) for side in (name, text)]
    # The absolute form without a path stands for the root.
    return method, unquote_to_bytes(path) or b"/", words


# Where hoga is stricter than nginx, on purpose: what nginx accepts, and why hoga does not.
STRICTER = [
    ("single line feed", rb"(?<!\r)\n"),
    ("no host, or none that is one", rb"(?i)(?s)^(?!.*\r\nhost:[ \t]*[^ \t\r@/\\]+[ \t]*\r\n)"),
    ("two hosts", rb"(?i)(?s)\r\nhost:.*\r\nhost:"),
    ("host with other characters", rb"(?i)\r\nhost:[ \t]*[^\r]*[^\r0-9a-z.:\[\]_~!$&'()*+,;=%-]"),
    ("port or percent sign of a host", rb"(?i)\r\nhost:[^\r]*(:[^\r\]]*[^0-9\r\]]|%)"),
    ("target that is not UTF-8, or has a zero byte or wrong escape",
     rb"^[^ ]* [^ \r]*(%(?![0-9a-fA-F]{2})|%00|%[89a-fA-F]|[\x80-\xff])"),
    ("target with a fragment or another scheme", rb"^[^ ]* (/?[^ ]*#|https:)"),
    ("control character in a target or value", rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"),
    ("version of a later protocol", rb"^[^\r]* HTTP/(?!1\.[01]\r)"),
    ("method longer than 32 bytes", rb"^[^ ]{33}"),
    ("CR inside of a line", rb"\r(?!\n)"),
    ("other transfer coding", rb"(?i)\r\ntransfer-encoding:(?![ \t]*chunked[ \t]*\r)"),
    ("repeated or empty length or coding", rb"(?i)(?s)\r\n(content-length|transfer-encoding):.*\r\n"
     rb"(content-length|transfer-encoding):"),
    ("coding of HTTP/1.0", rb"(?s)(?i)^[^\r]*HTTP/1\.0.*\r\ntransfer-encoding:"),
    ("name that is no token", rb"\r\n[^\r:]*[^\r:0-9A-Za-z!#$%&'*+.^_`|~-][^\r:]*:"),
    ("several spaces in the first line", rb"^[^\r]*(  | \r)"),
    ("blank around a size, or LF alone, in chunks",
     rb"(?s)(?i)\r\ntransfer-encoding:.*\r\n\r\n5[ \n]"),
]
# Where nginx is stricter than hoga, and what hoga does there.
LAXER = [
    ("method of other characters, answered with 405", rb"(^|\n)[A-Z_-]*[^A-Z_ \r\n-][^ \r\n]* "),
    ("TRACE and CONNECT, answered with 405", rb"^(TRACE|CONNECT) "),
    ("HTTP/1.1 in other spellings", rb"^[^\r]* HTTP/(?!1\.[01]\r)"),
    ("path that leaves its root, not normalized", rb"^[^ ]* [^ ?]*\.\."),
    ("length with spaces", rb"(?i)\r\ncontent-length:[^\r]* \r"),
    ("Expect is ignored unless 100-continue", rb"(?i)\r\nexpect:"),
    ("name with an underscore or another sign of a token", rb"\r\n[A-Za-z0-9-]*[!#$%&'*+.^_`|~]"),
]


def difference(data, hoga, nginx):
    """What differs without being intended; None for nothing."""
    for place in range(max(len(hoga), len(nginx))):
        ours = hoga[place] if place < len(hoga) else "closed"
        theirs = nginx[place] if place < len(nginx) else "closed"
        if isinstance(ours, bytes) and isinstance(theirs, bytes):
            if of_hoga(ours) != of_nginx(theirs):
                return f"hoga read {of_hoga(ours)}, nginx {of_nginx(theirs)}"
            continue
        if isinstance(ours, str) and isinstance(theirs, str):
            return None
        reasons = STRICTER if isinstance(ours, str) else LAXER
        if any(re.search(pattern, data + LAST) for _, pattern in reasons):
            return None
        ours, theirs = (
            side if isinstance(side, str) else "accepted" for side in (ours, theirs)
        )
        return f"request {place + 1}: hoga {ours}, nginx {theirs}"
    return None


def compare(name, fuzzer, seed, end):
    """Compares until a time; returns a line of the summary, and whether nothing differs."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    source = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="hoga-fuzz-") as folder:
        (Path(folder) / "conf").write_text(CONFIGURATION.format(folder=folder))
        nginx = subprocess.Popen([program, "-p", folder, "-c", f"{folder}/conf"],
                                 stderr=subprocess.DEVNULL)
        hoga = subprocess.Popen([str(fuzzer), "serve"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE)
        try:
            port = int(hoga.stdout.readline())
            while not Path(f"{folder}/socket").exists():
                time.sleep(0.05)
            count = 0
            while time.monotonic() < end:
                data = make(source)
                count += 1
                ours = exchange(("127.0.0.1", port), data)
                theirs = exchange(f"{folder}/socket", data)
                if wrong := difference(data, ours, theirs):
                    text = f"{name}: FAILED after {count} heads of seed {seed}"
                    return f"{text}\n  input: {data!r}\n  {wrong}", False
        finally:
            nginx.terminate()
            nginx.wait(10)
            hoga.stdin.close()
            hoga.wait(10)
    return f"{name}: {count} heads, seed {seed}, no difference but those that are listed", True
