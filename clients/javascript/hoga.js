// Reads documents and event streams of `hoga serve`, in browsers and in Node.js 18 or newer.
//
//     import { Client } from "./hoga.js";
//     const client = new Client("http://127.0.0.1:8080");
//     const question = { documents: "order-book", market: "BTC_KRW" };
//     for await (const { type, document } of client.follow("/v1/stream", question)) {
//         console.log(type, document.revision);
//     }
//
// Documents are what `JSON.parse` makes of them: decimals stay strings, exact to the last digit.

/** The members that identify a row, one in each list. */
const ROW_KEYS = ["id", "openTime", "market", "asset"];
/** The server sends a bookmark every 15 s: a stream that is silent for longer is broken. */
const SILENCE_MILLISECONDS_MAX = 45_000;
const RETRY_MILLISECONDS_MAX = 60_000;
/** Until the server names a delay. */
const RETRY_MILLISECONDS = 2_000;

/** An answer of the server that is no document: RFC 9457 in `document`, if it sent one. */
export class Problem extends Error {
    /**
     * @param {number} status
     * @param {object} document
     * @param {number} retryAfter milliseconds to wait before the next request; 0 if unknown
     */
    constructor(status, document, retryAfter) {
        super(`${status} ${document.code ?? ""}: ${document.detail ?? ""}`);
        Object.assign(this, { name: "Problem", status, document, retryAfter });
    }

    /** Whether the same request can succeed later. */
    get isRetryable() {
        return this.document.retryable ?? (this.status === 429 || this.status >= 500);
    }
}

/** A patch does not fit the document: read the whole document again. */
export class PatchMismatch extends Error {
    constructor(message) {
        super(message);
        this.name = "PatchMismatch";
    }
}

/**
 * The next revision of a document.
 *
 * The document is not changed; the result shares what the patch does not name.
 *
 * @param {object} document the revision received last
 * @param {object} data the data of `event: patch`
 * @param {string} revision the id of the event
 * @throws {PatchMismatch}
 */
export function applyPatch(document, data, revision) {
    if (!Array.isArray(data?.patches) || typeof data.asOf !== "string") {
        throw new PatchMismatch("no patch");
    }
    let state = document.state;
    for (const patch of data.patches) {
        if (typeof patch.path !== "string") throw new PatchMismatch("a patch without a path");
        state = changed(state, patch.path.split("."), patch);
    }
    return { ...document, revision, asOf: data.asOf, state };
}

/** A value in which the place at a path is patched. */
function changed(value, [name, ...rest], patch) {
    if (name === undefined) return "value" in patch ? patch.value : changedRows(value, patch);
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) {
        throw new PatchMismatch(`no ${patch.path} in the document`);
    }
    return { ...value, [name]: changed(value[name], rest, patch) };
}

/** Removes, replaces where rows stand, puts new rows at the named end, then orders. */
function changedRows(rows, { upsert, remove, insert, order }) {
    if (![rows, upsert, remove].every(Array.isArray) || order === undefined) {
        throw new PatchMismatch("no list, or no patch of one");
    }
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    for (const key of remove) {
        if (!byKey.delete(key)) throw new PatchMismatch(`no row ${key} to remove`);
    }
    const added = new Map();
    for (const row of upsert) {
        const key = keyOf(row);
        // Setting a key that is there keeps its place.
        (byKey.has(key) ? byKey : added).set(key, row);
    }
    if (insert !== "first" && insert !== "last") {
        throw new PatchMismatch(`no end of a list: ${insert}`);
    }
    const all = new Map(insert === "first" ? [...added, ...byKey] : [...byKey, ...added]);
    if (order === null) return [...all.values()];
    const isPermutation = order?.length === all.size && new Set(order).size === all.size;
    if (!isPermutation || !order.every((key) => all.has(key))) {
        throw new PatchMismatch("the order does not name every row once");
    }
    return order.map((key) => all.get(key));
}

function keyOf(row) {
    const name = ROW_KEYS.find((name) => Object.hasOwn(row, name));
    if (name === undefined) throw new PatchMismatch("a row without a key");
    return row[name];
}

/** Parses a `text/event-stream` (WHATWG HTML, 9.2) from pieces of any size. */
export class MessageReader {
    /** The delay before a reconnection that the server asked for, in milliseconds; 0 if none. */
    retry = 0;
    #decoder = new TextDecoder();
    #pieces = [];
    #fields = {};

    /**
     * The messages that end in this piece.
     *
     * @param {Uint8Array} piece
     * @returns {Generator<{event: string, id?: string, data: string}>}
     */
    *read(piece) {
        const lines = this.#decoder.decode(piece, { stream: true }).split("\n");
        const rest = lines.pop();
        for (const end of lines) {
            const line = [...this.#pieces, end].join("").replace(/\r$/, "");
            this.#pieces = [];
            if (line !== "") {
                this.#take(line);
            } else {
                const fields = this.#fields;
                this.#fields = {};
                if ("data" in fields) yield { event: "message", ...fields };
            }
        }
        this.#pieces.push(rest);
    }

    #take(line) {
        const colon = line.includes(":") ? line.indexOf(":") : line.length;
        const name = line.slice(0, colon);
        let value = line.slice(colon + 1).replace(/^ /, "");
        if (name === "data" && "data" in this.#fields) value = `${this.#fields.data}\n${value}`;
        if (name === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
        this.#fields[name] = value;
    }
}

/** Reads a `hoga serve`. */
export class Client {
    #address;
    #headers;
    #fetch;

    /**
     * @param {string} address `http://127.0.0.1:8080`, or the `https` address of a proxy before it
     * @param {{token?: string, fetch?: typeof fetch}} options `token`: for documents of a user;
     *     sent in a header field only
     */
    constructor(address, { token, fetch = globalThis.fetch } = {}) {
        this.#address = address.replace(/\/$/, "");
        this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
        // A browser's fetch refuses another `this`.
        this.#fetch = (...parameters) => fetch(...parameters);
    }

    /**
     * The document at a path.
     *
     * @param {string} path
     * @param {object} parameters lists are joined by commas
     * @param {{signal?: AbortSignal}} options
     * @throws {Problem} or the error of `fetch`
     */
    async get(path, parameters = {}, { signal } = {}) {
        return (await this.#open(path, parameters, {}, signal)).json();
    }

    /**
     * The events of a stream, over any number of connections.
     *
     * Resumes with `Last-Event-ID` after each disconnection, and waits between attempts as the
     * server asks, longer after each failure. Ends when `signal` is aborted.
     *
     * @param {string} path `/v1/stream` or `/v1/me/stream`
     * @param {object} parameters
     * @param {{start?: object, signal?: AbortSignal, wait?: (milliseconds: number) => Promise}}
     *     options `start`: the answer to the same question, younger than a minute: the stream
     *     continues it; `wait`: takes the place of a timer between connections
     * @returns {AsyncGenerator<{type: string, document: object | null}>} `type`: snapshot, reset,
     *     patch, bookmark or bye; `document`: the newest one
     * @throws {Problem} for an answer that no later attempt can better
     */
    async *follow(path, parameters = {}, { start = null, signal, wait = pause } = {}) {
        const state = { document: start, retry: RETRY_MILLISECONDS, failures: 0 };
        while (!signal?.aborted) {
            let delay = 0;
            try {
                yield* this.#events(path, parameters, state, signal);
            } catch (error) {
                if (error instanceof Problem && !error.isRetryable) throw error;
                if (error instanceof PatchMismatch) state.document = null;
                // Any other error: the connection broke, or its bytes are no event stream.
                delay = error.retryAfter ?? 0;
            }
            const backoff = state.retry * 2 ** Math.min(state.failures, 6);
            state.failures += 1;
            const spread = Math.min(backoff * (0.75 + Math.random() / 4), RETRY_MILLISECONDS_MAX);
            if (!signal?.aborted) await wait(Math.max(delay, spread), signal);
        }
    }

    /** The events of one connection; changes the state of the stream. */
    async *#events(path, parameters, state, signal) {
        const headers = { Accept: "text/event-stream" };
        if (state.document) headers["Last-Event-ID"] = state.document.revision;
        const connection = new AbortController();
        const end = () => connection.abort();
        signal?.addEventListener("abort", end);
        try {
            const request = this.#open(path, parameters, headers, connection.signal);
            const answer = await inTime(request, end);
            const reader = new MessageReader();
            const body = answer.body.getReader();
            for (;;) {
                const { done, value } = await inTime(body.read(), end);
                if (done) return;
                for (const message of reader.read(value)) {
                    state.failures = 0;
                    state.document = next(state.document, message);
                    yield { type: message.event, document: state.document };
                }
                state.retry = reader.retry || state.retry;
            }
        } finally {
            signal?.removeEventListener("abort", end);
            end();
        }
    }

    async #open(path, parameters, headers, signal) {
        const query = new URLSearchParams(parameters).toString();
        const answer = await this.#fetch(this.#address + path + (query && `?${query}`), {
            headers: { ...this.#headers, ...headers },
            cache: "no-store",
            signal,
        });
        if (answer.status === 200) return answer;
        const document = await answer.json().catch(() => null);
        const after = Number(answer.headers.get("Retry-After")) || 0;
        throw new Problem(answer.status, document ?? {}, after * 1_000);
    }
}

/** The document after a message. */
function next(document, { event, id, data }) {
    if (event === "snapshot" || event === "reset") return JSON.parse(data);
    if (event !== "patch") return document;
    if (!document || id === undefined) {
        throw new PatchMismatch("a patch without a document or revision");
    }
    return applyPatch(document, JSON.parse(data), id);
}

/** What a promise gives; ends the connection if it takes longer than a stream may be silent. */
async function inTime(promise, end) {
    const timer = setTimeout(end, SILENCE_MILLISECONDS_MAX);
    try {
        return await promise;
    } finally {
        clearTimeout(timer);
    }
}

/** Waits; returns early once the signal is aborted. */
function pause(milliseconds, signal) {
    return new Promise((resolve) => {
        const end = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", end);
            resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal?.addEventListener("abort", end);
    });
}
