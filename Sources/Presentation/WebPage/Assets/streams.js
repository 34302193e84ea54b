// Event streams of this tab: their newest document and the state of the connection.

import { Problem } from "./hoga.js";

/** The server continues from a revision that is younger. */
const RESUME_MILLISECONDS = 55_000;
/** How long after its time is over a document counts as stale: the next one may be on its way. */
const LATE_MILLISECONDS = 2_000;

/** The clock of the server, from the Date fields of its answers. */
export const clock = {
    ahead: 0,
    now() {
        return Date.now() + this.ahead;
    },
};

/** A `fetch` that keeps the clock and sends no cookies. */
export async function fetchWithClock(address, options) {
    const answer = await fetch(address, { ...options, credentials: "omit" });
    const date = Date.parse(answer.headers.get("Date"));
    if (!Number.isNaN(date)) clock.ahead = date + 500 - Date.now();
    return answer;
}

/**
 * What a page says of its data.
 *
 * @typedef {{state: "idle"|"loading"|"live"|"stale"|"offline"|"ended"|"failed",
 *     at: number|null, retryAt: number|null, problem: object|null, feed: string|null}} Connection
 *     `at`: time of the data, in milliseconds of the server's clock; `retryAt`: by this clock
 */

/** Follows one question at a time. */
export class Stream {
    document = null;
    /** @type {Connection} */
    connection = connectionOf(null);
    #path;
    #listener;
    #control = null;
    #key = null;
    #kept = null;
    #staleAt = null;
    #skipWait = null;

    /**
     * @param {string} path
     * @param {(stream: Stream) => void} listener called for each event and each new state
     */
    constructor(path, listener) {
        this.#path = path;
        this.#listener = listener;
    }

    /** Follows a question, or nothing if it is null; goes on if it is the same. */
    open(client, question) {
        const key = question && JSON.stringify(question);
        if (this.#control && key === this.#key) return;
        this.close();
        const isSame = key !== null && key === this.#key;
        this.#key = key;
        if (!isSame) this.#kept = null;
        const kept = isSame && this.#kept && Date.now() - this.#kept.at < RESUME_MILLISECONDS
            ? this.#kept.document : null;
        this.document = isSame ? this.document : null;
        // What is shown is as old as it was, until the first event.
        const shown = this.document ? connectionOf(this.document) : {};
        this.#set({ ...shown, state: question ? "loading" : "idle" });
        if (question) this.#run(client, question, kept);
    }

    /** Closes the connection, e.g. of a hidden tab. The document is kept. */
    close() {
        this.#control?.abort();
        this.#control = null;
    }

    /** Forgets what was received, e.g. for another user. */
    forget() {
        this.close();
        this.#key = null;
        this.#kept = null;
        this.document = null;
    }

    /** Connects at once instead of at the end of the wait. */
    retry(client, question) {
        if (this.#skipWait) return this.#skipWait();
        if (this.connection.state !== "failed") return;
        this.close();
        this.open(client, question);
    }

    /** Says that the data are stale once their time is over: nothing tells of a silent network. */
    check() {
        if (this.connection.state !== "live" || this.#staleAt === null) return;
        if (clock.now() > this.#staleAt) this.#set({ ...this.connection, state: "stale" });
    }

    async #run(client, question, start) {
        const control = new AbortController();
        this.#control = control;
        const { signal } = control;
        const wait = (milliseconds) => this.#wait(milliseconds, signal);
        try {
            const events = client.follow(this.#path, question, { start, signal, wait });
            for await (const event of events) {
                if (signal.aborted) return;
                this.#take(event);
            }
        } catch (error) {
            if (signal.aborted) return;
            const problem = error instanceof Problem
                ? { status: error.status, ...error.document } : { detail: String(error.message) };
            const state = problem.status === 401 ? "idle" : "failed";
            this.#set({ ...this.connection, state, problem, retryAt: null });
        }
    }

    #take({ type, document }) {
        if (!document) return;
        this.#kept = { document, at: Date.now() };
        if (type === "bye") return;
        const isNew = this.document !== document;
        this.document = document;
        this.#staleAt = staleTime(healthOf(document.state));
        const isWaiting = ["offline", "loading"].includes(this.connection.state);
        if (isNew || isWaiting) this.#set(connectionOf(document));
        this.check();
    }

    #wait(milliseconds, signal) {
        return new Promise((resolve) => {
            const end = () => {
                clearTimeout(timer);
                signal.removeEventListener("abort", end);
                this.#skipWait = null;
                resolve();
            };
            const timer = setTimeout(end, milliseconds);
            signal.addEventListener("abort", end);
            this.#skipWait = end;
            const retryAt = Date.now() + milliseconds;
            this.#set({ ...this.connection, state: "offline", retryAt });
        });
    }

    #set(connection) {
        this.connection = { at: null, retryAt: null, problem: null, feed: null, ...connection };
        this.#listener(this);
    }
}

/** The state of a connection that delivered a document. */
export function connectionOf(document) {
    if (!document) return { state: "loading", at: null, retryAt: null, problem: null, feed: null };
    const health = healthOf(document.state);
    const states = { ready: "live", loading: "loading", stale: "stale", ended: "ended" };
    return {
        state: health ? states[health.phase] ?? "failed" : "live",
        at: health?.at ? Date.parse(health.at) : null,
        retryAt: null,
        problem: health?.phase === "failed" ? { error: health.error } : null,
        feed: document.source?.feed ?? null,
    };
}

/** When the data of a block count as stale, by the server's clock; null for never. */
export function staleTime(health) {
    const time = Date.parse(health?.staleAfter ?? "");
    return Number.isNaN(time) ? null : time + LATE_MILLISECONDS;
}

/** The health of a document's first block that has one. */
function healthOf(state) {
    if (state.health) return state.health;
    const blocks = Object.values(state).filter((block) => block?.health);
    return (state.header ?? blocks[0])?.health ?? null;
}

/** The connection of the first stream, unless another one is broken. */
export function worse([first, ...others]) {
    const isBroken = ({ connection }) => ["offline", "failed"].includes(connection.state);
    return (isBroken(first) ? first : others.find(isBroken) ?? first).connection;
}
