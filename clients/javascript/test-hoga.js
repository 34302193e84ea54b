// Tests hoga.js with the vectors in clients/vectors and with scripted answers.
//
// usage: node --test clients/javascript/test-hoga.js

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { Client, MessageReader, PatchMismatch, Problem, applyPatch } from "./hoga.js";

const folder = new URL("../vectors/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
const bytes = (text) => new TextEncoder().encode(text);

const event = (type, data, id) =>
    `event: ${type}\n${id ? `id: ${id}\n` : ""}data: ${JSON.stringify(data)}\n\n`;
const numbered = (revision, number) => ({ schema: "s", revision, asOf: "a", state: { number } });
const patch = (number) => ({ asOf: "b", patches: [{ path: "number", value: number }] });

test("events lead from each document to its result, or do not fit", () => {
    assert.ok(files.length > 10);
    for (const file of files) {
        const vector = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
        const before = JSON.stringify(vector.document);
        const applied = () =>
            vector.events.reduce(
                (document, { event, id, data }) =>
                    event === "reset" ? data : applyPatch(document, data, id),
                vector.document,
            );
        if (vector.result === null) {
            assert.throws(applied, PatchMismatch, file);
        } else {
            assert.deepEqual(applied(), vector.result, file);
        }
        assert.equal(JSON.stringify(vector.document), before, "the old one is kept");
    }
});

test("pieces of any size are the same messages", () => {
    const stream = bytes(
        ': a comment\nretry: 1500\n\nevent: patch\nid: e-2\ndata: {"a":\ndata:1}\n\n' +
            "data: 가\r\n\r\nid: e-3\n\nevent: bye\ndata\n\ndata: unfinished\n",
    );
    for (let size = 1; size <= stream.length; size += 1) {
        const reader = new MessageReader();
        const messages = [];
        for (let start = 0; start < stream.length; start += size) {
            messages.push(...reader.read(stream.subarray(start, start + size)));
        }
        assert.deepEqual(
            messages.map(({ event, id, data }) => [event, id, data]),
            [["patch", "e-2", '{"a":\n1}'], ["message", undefined, "가"], ["bye", undefined, ""]],
        );
        assert.equal(reader.retry, 1_500);
    }
});

/** Follows scripted answers until some events were read. */
async function follow(answers, count, { token, start } = {}) {
    const requests = [];
    const waits = [];
    const fetch = async (address, { headers, signal }) => {
        requests.push({ address, headers });
        const { status = 200, fields = {}, pieces } = answers[requests.length - 1];
        signal.throwIfAborted();
        const body = new ReadableStream({
            start(controller) {
                for (const piece of pieces) controller.enqueue(bytes(piece));
                controller.close();
            },
        });
        return new Response(body, { status, headers: fields });
    };
    const client = new Client("http://host/", { token, fetch });
    const end = new AbortController();
    const options = { start, signal: end.signal, wait: async (delay) => waits.push(delay) };
    const question = { markets: ["A", "B"], lang: "en" };
    const events = [];
    for await (const each of client.follow("/v1/stream", question, options)) {
        events.push(each);
        if (events.length === count) end.abort();
    }
    return { events, requests, waits };
}

test("a broken stream is resumed from the last revision", async () => {
    const answers = [
        {
            pieces: [
                `retry: 3000\n\n${event("snapshot", numbered("e-1", 1), "e-1")}`,
                event("patch", patch(2), "e-2"),
                event("patch", patch(9), "e-3").slice(0, -7),
            ],
        },
        { pieces: [event("patch", patch(3), "e-3"), event("bye", {})] },
        { pieces: [event("reset", numbered("f-1", 4), "f-1"), event("bookmark", {}, "f-1")] },
    ];
    const { events, requests, waits } = await follow(answers, 6, { token: "secret" });
    assert.deepEqual(
        events.map(({ type, document }) => [type, document.state.number]),
        [["snapshot", 1], ["patch", 2], ["patch", 3], ["bye", 3], ["reset", 4], ["bookmark", 4]],
    );
    assert.deepEqual(
        requests.map(({ headers }) => headers["Last-Event-ID"]),
        [undefined, "e-2", "e-3"],
    );
    for (const { address, headers } of requests) {
        assert.equal(address, "http://host/v1/stream?markets=A%2CB&lang=en");
        assert.equal(headers.Authorization, "Bearer secret");
    }
    assert.ok(waits.slice(0, 2).every((wait) => wait >= 2_250 && wait <= 3_000), `${waits}`);
});

test("a stream continues a document that was read before", async () => {
    const answers = [{ pieces: [event("patch", patch(2), "e-2")] }];
    const { events, requests } = await follow(answers, 1, { start: numbered("e-1", 1) });
    assert.equal(requests[0].headers["Last-Event-ID"], "e-1");
    assert.equal(events[0].document.state.number, 2);
});

test("a patch that does not fit has the document read again", async () => {
    const wrong = { asOf: "b", patches: [{ path: "none", value: 1 }] };
    const answers = [
        { pieces: [event("snapshot", numbered("e-1", 1), "e-1"), event("patch", wrong, "e-2")] },
        { pieces: [event("snapshot", numbered("e-2", 2), "e-2")] },
    ];
    const { events, requests } = await follow(answers, 2);
    assert.equal(requests[1].headers["Last-Event-ID"], undefined);
    assert.equal(events[1].document.state.number, 2);
});

test("failures wait longer each time, and as long as the server asks", async () => {
    const answers = [
        { status: 429, fields: { "Retry-After": "50" }, pieces: ['{"retryable":true}'] },
        { status: 500, pieces: ["no JSON"] },
        { status: 503, pieces: [] },
        { pieces: [] },
        { pieces: [event("snapshot", numbered("e-1", 1), "e-1")] },
    ];
    const { waits } = await follow(answers, 1);
    assert.equal(waits[0], 50_000);
    [1, 2, 3].forEach((number) => {
        const longest = 2_000 * 2 ** number;
        assert.ok(waits[number] >= 0.75 * longest && waits[number] <= longest, `${waits}`);
    });
});

test("an answer that stays wrong is thrown", async () => {
    const problem = { code: "invalid_parameter", detail: "no", retryable: false };
    const answers = [{ status: 400, pieces: [JSON.stringify(problem)] }];
    await assert.rejects(follow(answers, 1), (error) => {
        assert.ok(error instanceof Problem);
        assert.deepEqual([error.status, error.document], [400, problem]);
        return true;
    });
});
