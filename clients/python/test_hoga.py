#!/usr/bin/env python3
"""Tests hoga.py with the vectors in clients/vectors and with a server that plays a script."""

import http.server
import json
import random
import threading
import unittest
import zlib
from pathlib import Path

import hoga

VECTORS = sorted((Path(__file__).resolve().parents[1] / "vectors").glob("*.json"))


def event(kind, data, revision=None, end="\n"):
    """An event as the server sends it."""
    lines = [f"event: {kind}", *([f"id: {revision}"] if revision else []),
             f"data: {json.dumps(data)}", "", ""]
    return end.join(lines).encode()


def document(revision, number):
    return {"schema": "s", "version": 1, "revision": revision, "asOf": "a", "source": {},
            "state": {"number": number}}


def patch(number):
    return {"asOf": "b", "patches": [{"path": "number", "value": number}]}


class VectorTests(unittest.TestCase):
    def test_events_lead_from_each_document_to_its_result_or_do_not_fit(self):
        self.assertGreater(len(VECTORS), 10)
        for path in VECTORS:
            with self.subTest(path.name):
                vector = json.loads(path.read_text(encoding="utf-8"))
                before = json.dumps(vector["document"])
                if vector["result"] is None:
                    with self.assertRaises(hoga.PatchMismatch):
                        self.applied(vector)
                else:
                    self.assertEqual(self.applied(vector), vector["result"])
                self.assertEqual(json.dumps(vector["document"]), before, "the old one is kept")

    @staticmethod
    def applied(vector):
        current = vector["document"]
        for each in vector["events"]:
            current = each["data"] if each["event"] == "reset" else hoga.apply_patch(
                current, each["data"], each["id"])
        return current


class MessageReaderTests(unittest.TestCase):
    STREAM = (b": a comment\nretry: 1500\n\nevent: patch\nid: e-2\ndata: {\"a\":\ndata:1}\n\n"
              b"data: \xea\xb0\x80\r\n\r\nid: e-3\n\nevent: bye\ndata\n\ndata: unfinished\n")
    MESSAGES = [{"event": "patch", "id": "e-2", "data": "{\"a\":\n1}"},
                {"event": "message", "data": "가"}, {"event": "bye", "data": ""}]

    def test_pieces_of_any_size_are_the_same_messages(self):
        for seed in range(200):
            generator = random.Random(seed)
            reader, messages, rest = hoga.MessageReader(), [], self.STREAM
            while rest:
                count = generator.randint(1, 9)
                messages += reader.read(rest[:count])
                rest = rest[count:]
            messages = [{name: each[name] for name in ("event", "id", "data") if name in each}
                        for each in messages]
            self.assertEqual(messages, self.MESSAGES, seed)
            self.assertEqual(reader.retry, 1.5)


class StreamTests(unittest.TestCase):
    def follow(self, answers, count, token=None, start=None):
        """Follows a stream of scripted answers: the first events, and what was asked."""
        requests, waits = [], []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append((self.path, dict(self.headers)))
                status, fields, pieces = answers[min(len(requests), len(answers)) - 1]
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                self.end_headers()
                for piece in pieces:
                    self.wfile.write(piece)
                    self.wfile.flush()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            client = hoga.Client(f"http://127.0.0.1:{server.server_port}/", token=token,
                                 wait=lambda closed, seconds: waits.append(seconds))
            stream = client.follow("/v1/stream", start=start, markets=["A", "B"], lang="en")
            events = []
            for each in stream:
                events.append(each)
                if len(events) == count:
                    stream.close()
            return events, requests, waits, stream
        finally:
            server.shutdown()
            thread.join()
            server.server_close()

    def test_a_broken_stream_is_resumed_from_the_last_revision(self):
        cut = event("patch", patch(9), "e-3")[:-7]
        answers = [
            (200, {}, [b"retry: 3000\n\n" + event("snapshot", document("e-1", 1), "e-1"),
                       event("patch", patch(2), "e-2"), cut]),
            (200, {}, [event("patch", patch(3), "e-3", "\r\n"), event("bye", {})]),
            (200, {}, [event("reset", document("f-1", 4), "f-1"),
                       event("bookmark", {}, "f-1")]),
        ]
        events, requests, waits, stream = self.follow(answers, 6, token="secret")
        self.assertEqual([each.type for each in events],
                         ["snapshot", "patch", "patch", "bye", "reset", "bookmark"])
        self.assertEqual([each.document["state"]["number"] for each in events],
                         [1, 2, 3, 3, 4, 4])
        self.assertEqual([headers.get("Last-Event-ID") for _, headers in requests],
                         [None, "e-2", "e-3"])
        self.assertEqual({path for path, _ in requests}, {"/v1/stream?markets=A%2CB&lang=en"})
        self.assertTrue(all(headers["Authorization"] == "Bearer secret"
                            and headers["Accept-Encoding"] == "gzip" for _, headers in requests))
        self.assertTrue(all(2.25 <= wait <= 3 for wait in waits[:2]), waits)
        self.assertEqual((stream.mismatches, stream.connections), (0, 3))

    def test_a_stream_continues_a_document_that_was_read_before(self):
        answers = [(200, {}, [event("patch", patch(2), "e-2")])]
        events, requests, _, _ = self.follow(answers, 1, start=document("e-1", 1))
        self.assertEqual(requests[0][1]["Last-Event-ID"], "e-1")
        self.assertEqual(events[0].document["state"]["number"], 2)

    def test_a_patch_that_does_not_fit_has_the_document_read_again(self):
        wrong = {"asOf": "b", "patches": [{"path": "none", "value": 1}]}
        answers = [
            (200, {}, [event("snapshot", document("e-1", 1), "e-1"),
                       event("patch", wrong, "e-2")]),
            (200, {}, [event("snapshot", document("e-2", 2), "e-2")]),
        ]
        events, requests, _, stream = self.follow(answers, 2)
        self.assertEqual(events[-1].document["state"]["number"], 2)
        self.assertNotIn("Last-Event-ID", requests[1][1])
        self.assertEqual(stream.mismatches, 1)

    def test_a_compressed_stream_is_read_as_it_arrives(self):
        packer = zlib.compressobj(wbits=16 + zlib.MAX_WBITS)
        pieces = [packer.compress(each) + packer.flush(zlib.Z_FULL_FLUSH) for each in (
            event("snapshot", document("e-1", 1), "e-1"), event("patch", patch(2), "e-2"))]
        events, _, _, _ = self.follow([(200, {"Content-Encoding": "gzip"}, pieces)], 2)
        self.assertEqual(events[-1].document["state"]["number"], 2)

    def test_failures_wait_longer_each_time_and_as_long_as_the_server_asks(self):
        problem = json.dumps({"code": "rate_limited", "retryable": True}).encode()
        answers = [
            (429, {"Retry-After": "50"}, [problem]), (500, {}, [b"no JSON"]),
            (503, {}, [b""]), (200, {}, []), (200, {}, [event("snapshot", document("e-1", 1))]),
        ]
        _, _, waits, _ = self.follow(answers, 1)
        self.assertEqual(waits[0], 50)
        for number, wait in enumerate(waits[1:4], 1):
            self.assertTrue(1.5 * 2 ** number <= wait <= 2 * 2 ** number, waits)

    def test_an_answer_that_stays_wrong_is_raised(self):
        problem = {"code": "invalid_parameter", "detail": "no", "retryable": False}
        with self.assertRaises(hoga.Problem) as raised:
            self.follow([(400, {}, [json.dumps(problem).encode()])], 1)
        self.assertEqual((raised.exception.status, raised.exception.document), (400, problem))


if __name__ == "__main__":
    unittest.main()
