// What the page tells: notices that are seen, and texts for screen readers only.

import { element, setShown, setText } from "./dom.js";

/** How long a notice is shown. */
const NOTICE_MILLISECONDS = 6_000;

/** Two polite live regions; prices are in neither unless somebody asks. */
export class Messages {
    #notice = element("p", { id: "notice", class: "notice", role: "status", hidden: true });
    #live = element("p", { id: "announcer", class: "hidden-text", "aria-live": "polite" });
    #timer = null;
    #isBroken = null;

    get elements() {
        return [this.#notice, this.#live];
    }

    /** Tells screen readers a text, also one that is the same again. */
    announce(text) {
        this.#live.textContent = "";
        requestAnimationFrame(() => {
            this.#live.textContent = text;
        });
    }

    /** Shows a text for a while. */
    notify(text) {
        clearTimeout(this.#timer);
        setShown(this.#notice, true);
        setText(this.#notice, text);
        this.#timer = setTimeout(() => setShown(this.#notice, false), NOTICE_MILLISECONDS);
    }

    /** Tells a lost and a found connection, once each. */
    tellState(state, text) {
        const isBroken = ["offline", "failed", "ended"].includes(state);
        if (this.#isBroken !== null && this.#isBroken !== isBroken) {
            this.announce(text(isBroken ? `state.${state}` : "state.found"));
        }
        this.#isBroken = isBroken;
    }
}
