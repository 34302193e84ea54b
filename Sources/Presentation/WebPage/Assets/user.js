// The signed-in user: the token, the favorites, and requests that change the user's data.

import { Problem } from "./hoga.js";

const TOKEN = "hoga.token";
/** A stream shows a change within a second; until then the page's own one counts. */
const SETTLE_MILLISECONDS = 1_500;

/** Holds the token of this tab, in sessionStorage and in header fields only. */
export class User {
    /** The document `me`, or null. */
    profile = null;
    unseen = 0;
    #favorites = new Set();
    #pending = new Map();
    /** The newest request for each market, settled or not. */
    #requests = new Map();
    #changed;
    #token = null;

    /** @param {() => void} changed called when favorites or the number of alerts change */
    constructor(changed) {
        this.#changed = changed;
        try {
            this.#token = sessionStorage.getItem(TOKEN);
        } catch {
            // Storage is off: the token lives as long as the page.
        }
    }

    get token() {
        return this.#token;
    }

    set token(token) {
        this.#token = token;
        this.profile = null;
        this.unseen = 0;
        this.#favorites.clear();
        this.#pending.clear();
        this.#requests.clear();
        try {
            if (token) sessionStorage.setItem(TOKEN, token);
            else sessionStorage.removeItem(TOKEN);
        } catch {
            // See the constructor.
        }
        this.#changed();
    }

    setProfile(profile) {
        this.profile = profile;
        this.#changed();
    }

    /**
     * The question of the personal stream: favorites and alerts on every screen, and what the view
     * adds. Null without a token.
     */
    question(settings, view) {
        if (!this.#token) return null;
        const lang = settings.language;
        const { documents = "", ...parameters } = view?.personalQuestion ?? {};
        const names = new Set(["market-list", "alerts", ...documents.split(",").filter(Boolean)]);
        return {
            documents: [...names].join(","),
            "market-list.tab": "favorites",
            "market-list.period": settings.get("period"),
            "market-list.lang": lang,
            "alerts.lang": lang,
            ...parameters,
        };
    }

    /** Whether a market is a favorite; null without a token. */
    isFavorite(market) {
        if (!this.#token) return null;
        return this.#pending.get(market) ?? this.#favorites.has(market);
    }

    /** Takes what the personal stream says. */
    show(state) {
        const list = state["market-list"];
        const isWhole = list && list.query.q === null && list.rows.length === list.total;
        const names = isWhole ? list.rows.map((row) => row.market) : null;
        const unseen = state.alerts?.unseen ?? this.unseen;
        const isSame = (!names || (names.length === this.#favorites.size
            && names.every((name) => this.#favorites.has(name)))) && unseen === this.unseen;
        if (isSame) return;
        if (names) this.#favorites = new Set(names);
        this.unseen = unseen;
        this.#changed();
    }

    /**
     * Adds or removes a favorite, shown at once and taken back if the server refuses it.
     *
     * @returns {Promise<boolean|null>} the new state; null without a token
     * @throws {Problem} or the error of `fetch`
     */
    async toggleFavorite(market) {
        if (!this.#token) return null;
        const isFavorite = !this.isFavorite(market);
        const path = `/v1/me/favorites/${encodeURIComponent(market)}`;
        const headers = { Authorization: `Bearer ${this.#token}` };
        const send = () => this.send(isFavorite ? "PUT" : "DELETE", path, null, headers);
        // One request at a time: the last press decides.
        const request = (this.#requests.get(market) ?? Promise.resolve()).then(send, send);
        this.#requests.set(market, request);
        this.#pending.set(market, isFavorite);
        this.#changed();
        const forget = () => {
            if (this.#requests.get(market) !== request) return;
            this.#requests.delete(market);
            this.#pending.delete(market);
            this.#changed();
        };
        try {
            await request;
        } catch (error) {
            forget();
            throw error;
        }
        setTimeout(forget, SETTLE_MILLISECONDS);
        return isFavorite;
    }

    /**
     * Sends a change.
     *
     * @param {string} method
     * @param {string} path
     * @param {object|null} body
     * @param {object} headers
     * @returns {Promise<object|null>} the answer's document, if it has one
     * @throws {Problem} or the error of `fetch`
     */
    async send(method, path, body = null, headers = {}) {
        const answer = await fetch(path, {
            method,
            headers: {
                Authorization: `Bearer ${this.#token}`,
                ...(body ? { "Content-Type": "application/json" } : {}),
                ...headers,
            },
            body: body ? JSON.stringify(body) : null,
            cache: "no-store",
            credentials: "omit",
        });
        const document = await answer.json().catch(() => null);
        if (!answer.ok) throw new Problem(answer.status, document ?? {}, 0);
        return document;
    }
}

/** What to tell of a failed request: the words of the page, or the server's detail. */
export function failureText(error, text) {
    if (!(error instanceof Problem)) return text("unreachable");
    if (error.status === 401) return text("token.invalid");
    const { code } = error.document;
    if (["forbidden_scope", "read_only"].includes(code)) return text(`refused.${code}`);
    return problemText({ status: error.status, ...error.document }, text);
}

/** What to tell of a problem of the service, whose own words are English. */
export function problemText({ code, detail, title, status }, text) {
    const words = detail ?? title ?? String(status);
    const key = `problem.${code}`;
    const told = text(key, words);
    return told === key ? words : told;
}
