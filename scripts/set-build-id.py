#!/usr/bin/python3 -B
"""Makes a linked program independent of the folder in which it was built.

usage: scripts/set-build-id.py PROGRAM

Clears the section .swift_modhash, in which the compiler keeps hashes of its command line for its
next run, and replaces the linker's build id by one of the bytes of the file. strip could remove
both sections, but then drops PT_GNU_RELRO too. Exit status: 0 success, 1 not such a program.
"""

import hashlib
import struct
import sys
from pathlib import Path

HASHES = b".swift_modhash"
BUILD_ID = b".note.gnu.build-id"
# Sizes of the note's header and of its name, "GNU".
NOTE_HEADER, NOTE_NAME = 12, 4


def sections(data):
    """The ranges of the sections of a 64-bit little-endian ELF file by their names."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit("set-build-id: not a 64-bit ELF program")
    table, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", data, table + size * n) for n in range(count)]
    strings = headers[names][4]
    return {
        bytes(data[strings + header[0]:data.index(0, strings + header[0])]): header[4:6]
        for header in headers
    }


def main():
    if len(sys.argv) != 2:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        sys.exit(64)
    path = Path(sys.argv[1])
    data = bytearray(path.read_bytes())
    found = sections(data)
    if BUILD_ID not in found:
        sys.exit(f"set-build-id: {path} has no build id")
    if HASHES in found:
        start, size = found[HASHES]
        data[start:start + size] = bytes(size)
    start, size = found[BUILD_ID]
    start, size = start + NOTE_HEADER + NOTE_NAME, size - NOTE_HEADER - NOTE_NAME
    data[start:start + size] = bytes(size)
    data[start:start + size] = hashlib.sha512(data).digest()[:size]
    path.write_bytes(data)


main()
