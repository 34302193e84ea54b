// Helpers for elements. Text reaches the page as text nodes only.

const written = new WeakMap();

/** What stands in place of an unknown value. */
export const UNKNOWN = "–";

/**
 * Makes an element.
 *
 * @param {string} name
 * @param {object} attributes `on…` adds a listener; null and false leave an attribute out
 * @param {...(Node|string)} children strings become text nodes
 */
export function element(name, attributes = {}, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
        else setAttribute(node, key, value);
    }
    node.append(...children);
    return node;
}

/** Writes a text unless the element already has it; null shows a dash. */
export function setText(node, text) {
    const value = text === null || text === undefined ? UNKNOWN : String(text);
    if (written.get(node) === value) return false;
    written.set(node, value);
    if (node.firstChild?.nodeType === Node.TEXT_NODE && node.childNodes.length === 1) {
        node.firstChild.nodeValue = value;
    } else {
        node.textContent = value;
    }
    return true;
}

/** Sets or removes an attribute unless it is so already. */
export function setAttribute(node, name, value) {
    if (value === null || value === undefined || value === false) {
        if (node.hasAttribute(name)) node.removeAttribute(name);
        return;
    }
    const text = value === true ? "" : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Shows or hides an element. */
export function setShown(node, isShown) {
    if (node.hidden === isShown) node.hidden = !isShown;
}

/** Replaces the options of a select element and chooses one. */
export function setOptions(select, options, chosen) {
    const nodes = options.map(([value, label]) => element("option", { value }, label));
    select.replaceChildren(...nodes);
    select.value = chosen;
}

/**
 * The name of a key, the same under a Korean input method: `f` for `ㄹ`.
 *
 * @param {KeyboardEvent} event
 */
export function keyName(event) {
    const isLatin = event.key.length === 1 && event.key.codePointAt(0) < 128;
    if (isLatin) return /[A-Z]/.test(event.key) && !event.shiftKey
        ? event.key.toLowerCase() : event.key;
    const letter = /^Key([A-Z])$/.exec(event.code)?.[1];
    if (letter) return event.shiftKey ? letter : letter.toLowerCase();
    if (event.code === "Slash") return event.shiftKey ? "?" : "/";
    return event.key;
}

/** The search field of a list. */
export function searchInput(text, value) {
    const input = element("input", {
        id: "search", type: "search", "aria-label": text("search"), enterkeyhint: "search",
        placeholder: text("search.hint"), autocomplete: "off", spellcheck: "false",
    });
    input.value = value;
    return input;
}

/** Whether keys are text in this element. */
export function takesText(node) {
    return node instanceof HTMLElement
        && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));
}
