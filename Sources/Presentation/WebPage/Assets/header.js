// The header and the footer of every screen: navigation, source and state of the data, user.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { clock } from "./streams.js";

const PAGES = [
    ["market", "/"], ["transfers", "/deposits"], ["portfolio", "/portfolio"], ["alerts", "/alerts"],
];
/** States whose data have an age. */
const AGED = new Set(["loading", "stale", "offline"]);

/** Draws the header; made anew when the language changes. */
export class Header {
    #text;
    #links = new Map();
    #long = element("span", { class: "wide" });
    #short = element("span", { class: "narrow" });
    #feed = element("span", { id: "feed", class: "feed" }, this.#long, this.#short);
    #state = element("span", { id: "connection", class: "connection" });
    #retry;
    #unseen = element("span", { class: "badge", hidden: true });
    #unseenCount = element("span", { "aria-hidden": "true" });
    #unseenText = element("span", { class: "hidden-text" });
    #user;
    #connection = null;
    #isLive = false;
    #timer = null;

    /** @param {{text: Function, retry: Function, sign: Function, settings: Function,
     *      help: Function}} actions */
    constructor({ text, retry, sign, settings, help }) {
        this.#text = text;
        this.#retry = element("button", { type: "button", id: "retry", class: "small", hidden: true,
            onclick: retry }, text("retry"));
        this.#user = element("button", { type: "button", id: "sign", class: "plain",
            onclick: sign });
        this.#unseen.append(this.#unseenCount, this.#unseenText);
        const navigation = element("nav", { "aria-label": text("navigation") });
        for (const [name, path] of PAGES) {
            const link = element("a", { href: path, "data-page": name }, text(`page.${name}`));
            if (name === "alerts") link.append(" ", this.#unseen);
            this.#links.set(name, link);
            navigation.append(link);
        }
        this.element = element("header", { class: "top" },
            element("a", { class: "brand", href: "/" }, "hoga"), navigation,
            element("div", { class: "status" }, this.#feed, this.#state, this.#retry),
            element("div", { class: "tools" }, this.#user,
                element("button", { type: "button", id: "settings", class: "plain",
                    onclick: settings }, text("settings")),
                element("button", { type: "button", id: "help-button", class: "plain",
                    onclick: help }, text("help"))));
    }

    /** Marks the page that is open. */
    showPage(name) {
        for (const [page, link] of this.#links) {
            setAttribute(link, "aria-current", page === name ? "page" : null);
        }
    }

    /** Shows who is signed in and how many alerts are new. */
    showUser({ token, profile, unseen }) {
        const name = profile?.state.displayName ?? profile?.state.name;
        const action = this.#text(token ? "signOut" : "signIn");
        setText(this.#user, name ? `${name} · ${action}` : action);
        setText(this.#unseenCount, unseen);
        setText(this.#unseenText, this.#text("unseen", unseen));
        setShown(this.#unseen, unseen > 0);
    }

    /** Shows where the data come from and how old they are; no connection without a view. */
    showConnection(connection, feed) {
        this.#connection = connection;
        this.#isLive = feed === "live";
        if (feed) {
            setText(this.#long, this.#text(`feed.${feed}`));
            setText(this.#short, this.#text(`short.${feed}`));
            setAttribute(this.#feed, "data-feed", feed);
        }
        setShown(this.#feed, Boolean(feed));
        setShown(this.#state, connection !== null);
        setAttribute(this.#state, "data-state", connection?.state);
        if (!connection) {
            setShown(this.#retry, false);
            this.#stop();
            return;
        }
        setShown(this.#retry, connection.state === "offline" || connection.state === "failed");
        this.#write();
        const isTicking = AGED.has(connection.state) && connection.at !== null
            || connection.retryAt !== null;
        if (isTicking && !this.#timer) this.#timer = setInterval(() => this.#write(), 1_000);
        if (!isTicking) this.#stop();
    }

    /** Frees its timer. */
    close() {
        this.#stop();
    }

    #stop() {
        clearInterval(this.#timer);
        this.#timer = null;
    }

    #write() {
        const { state, at, retryAt } = this.#connection;
        const parts = [];
        // A simulated feed is never called live.
        const isSaid = state === "live" ? this.#isLive : state !== "stale" || at === null;
        if (isSaid) parts.push(this.#text(`state.${state}`));
        if (at !== null && AGED.has(state)) {
            parts.push(ageText(clock.now() - at, this.#text));
        }
        if (retryAt !== null) {
            const seconds = Math.max(Math.ceil((retryAt - Date.now()) / 1_000), 0);
            parts.push(this.#text("retryIn", seconds));
        }
        setText(this.#state, parts.join(" · "));
    }
}

/** How old data are, in the largest unit that is precise enough. */
export function ageText(milliseconds, text) {
    const seconds = Math.max(Math.floor(milliseconds / 1_000), 0);
    if (seconds < 600) return text("behind.seconds", seconds);
    if (seconds < 7_200) return text("behind.minutes", Math.floor(seconds / 60));
    if (seconds < 172_800) return text("behind.hours", Math.floor(seconds / 3_600));
    return text("behind.days", Math.floor(seconds / 86_400));
}

/** The footer: what the data are, and the version. */
export function footer(about) {
    const parts = about ? [element("p", {}, about.state.notice),
        element("p", {}, `hoga ${about.state.version}`)] : [];
    return element("footer", { class: "bottom" }, ...parts);
}
