// The panes of the market screen share this: figures and the state of a block.

import { element, setAttribute, setShown, setText, UNKNOWN } from "./dom.js";
import { staleTime } from "./streams.js";

const shownFigures = new WeakMap();

/**
 * Shows a decimal of a document that has no text of its own.
 *
 * The text content stays the document's string. Groups of digits and the fraction are elements, so
 * that the style sheet can separate the one and shorten the other.
 */
export function setFigure(node, value) {
    const text = value ?? UNKNOWN;
    if (shownFigures.get(node) === text) return;
    shownFigures.set(node, text);
    const [, sign, whole, fraction] = /^(-?)(\d+)(\.\d+)?$/.exec(text) ?? [];
    if (whole === undefined || (whole.length <= 3 && (fraction ?? "").length <= 9)) {
        node.textContent = text;
        return;
    }
    const first = whole.length % 3 || 3;
    const groups = [sign + whole.slice(0, first)];
    for (let start = first; start < whole.length; start += 3) {
        groups.push(whole.slice(start, start + 3));
    }
    node.replaceChildren(...groups.map((digits) => element("span", { class: "digits" }, digits)));
    const kind = whole.length > 3 ? "fraction" : "fraction fine";
    if (fraction) node.append(element("span", { class: kind }, fraction));
}

/** Shows the state of a block unless it is complete and current. */
export class BlockState {
    #strings;
    #notice;
    #health = null;
    #phase = "loading";
    #isEmpty = true;
    #emptyText = "";

    /**
     * @param {MarketStrings} strings
     * @param {HTMLElement} pane gets `data-phase` and the class `outdated`
     */
    constructor(strings, pane) {
        this.#strings = strings;
        this.pane = pane;
        this.label = element("span", { class: "block-state", hidden: true });
        this.#notice = element("p", { class: "block-notice", hidden: true });
    }

    /** The element that stands in place of missing rows. */
    get notice() {
        return this.#notice;
    }

    /** Takes the health of a block; `emptyText` is shown for a healthy block without rows. */
    show(health, isEmpty, emptyText) {
        this.#health = health;
        this.#isEmpty = isEmpty;
        this.#emptyText = emptyText;
    }

    /** Writes label and notice; called once a second, too, because ages grow. */
    write(now) {
        if (!this.#health) return;
        const { phase } = this.#health;
        const staleAt = staleTime(this.#health);
        this.#phase = phase === "ready" && staleAt !== null && now > staleAt ? "stale" : phase;
        setAttribute(this.pane, "data-phase", this.#phase);
        const isOutdated = this.#phase === "stale" || this.#phase === "failed";
        this.pane.classList.toggle("outdated", isOutdated);
        const text = this.#labelText(now);
        setText(this.label, text);
        setShown(this.label, text !== "");
        this.label.classList.toggle("is-error", this.#phase !== "loading");
        const notice = this.#isEmpty ? this.#noticeText() : "";
        setText(this.#notice, notice);
        setShown(this.#notice, notice !== "");
    }

    #labelText(now) {
        const { error, origin, at } = this.#health;
        const phase = this.#phase;
        const word = (key) => this.#strings.text(key);
        const age = at ? this.#strings.behind(now - Date.parse(at)) : null;
        if (origin === "store" && (phase === "stale" || phase === "ready")) {
            return [`○ ${word("offline")}`, age].filter(Boolean).join(" · ");
        }
        switch (phase) {
            case "loading": return word("loading");
            case "failed": return `✕ ${word("failed")}`;
            case "ended": return `■ ${word("ended")}`;
            case "stale":
                return error || !age
                    ? [`○ ${word("disconnected")}`, age].filter(Boolean).join(" · ")
                    : `○ ${age}`;
            default: return error ? `○ ${word("disconnected")}` : "";
        }
    }

    #noticeText() {
        const { error } = this.#health;
        const phase = this.#phase;
        const word = (key) => this.#strings.text(key);
        const reason = error?.message ? `: ${this.#strings.failure(error)}` : "";
        if (phase === "loading") return word("loadingBlock");
        if (phase === "failed") return word("failedBlock") + reason;
        return this.#emptyText + reason;
    }
}
