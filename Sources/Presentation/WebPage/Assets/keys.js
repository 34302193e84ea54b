// The keys of the page, those of the view first, and its links.

import { keyName, takesText } from "./dom.js";

const MOVES = new Set(["j", "k", "ArrowDown", "ArrowUp", "PageDown", "PageUp"]);
const SCREENS = { 1: "/", 2: "/deposits", 3: "/portfolio", 5: "/alerts" };

/**
 * Listens to keys.
 *
 * @param {{view: () => object|null, settings: object, navigate: Function, help: Function,
 *     back: Function, search: Function}} page
 */
export function listenToKeys({ view, settings, navigate, help, back, search }) {
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || event.isComposing) return;
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (document.querySelector("dialog[open]") || takesText(event.target)) return;
        const name = keyName(event);
        // Single characters can be turned off: WCAG 2.1.4.
        if (name.length === 1 && settings.get("shortcuts") === "off") return;
        if (["Enter", " "].includes(name) && isControl(event.target)) return;
        // A held key moves, and does nothing else.
        if (event.repeat && !MOVES.has(name)) return;
        if (view()?.key(event) || pageKey(name)) event.preventDefault();
    });

    function pageKey(name) {
        if (Object.hasOwn(SCREENS, name)) navigate(SCREENS[name]);
        else if (name === "4" || name === "?") help();
        else if (name === "/") search();
        else if (name === "Escape") back();
        else return false;
        return true;
    }
}

function isControl(node) {
    return node instanceof Element && node.closest("a, button, summary") !== null;
}

/** Follows links of this page without loading it again. */
export function listenToLinks(navigate) {
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href]");
        if (!link || event.defaultPrevented || event.button !== 0 || link.target) return;
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        if (link.origin !== location.origin || link.hash) return;
        event.preventDefault();
        navigate(link.href);
    });
}
