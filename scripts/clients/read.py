"""Reads a simulated exchange with ccxt and pybithumb, and compares what they read with its REST.

usage: read.py PORT

ccxt reads both generations of the API and their streams, pybithumb the first one's REST. The market
is held still while they read REST, so every number must agree. What a client cannot read, or reads
differently, ends the program with exit status 1 and the reason.
"""

import sys

import ccxt

import generation1
import generation2
import pybithumb_rest
import streams
from simulated import Exchange


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    exchange = Exchange(int(sys.argv[1]))
    exchange.pause()
    try:
        generation1.read(exchange)
        generation2.read(exchange)
        pybithumb_rest.read(exchange)
        streams.read(exchange)
    except (
        AssertionError, ccxt.BaseError, KeyError, IndexError, TypeError, TimeoutError
    ) as error:
        sys.exit(f"clients: {type(error).__name__}: {error}")
    print("clients: every number that ccxt and pybithumb read is the one that was sent")


if __name__ == "__main__":
    main()
