// What the screens of a user share: the request to sign in, tables, and requests that can fail.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { failureText } from "./user.js";

/** Shown in place of a screen while nobody is signed in; `key` is that of the reason. */
export function signInPanel(context, key) {
    const { text } = context;
    return element("div", { class: "empty", "data-part": "sign-in" },
        element("p", {}, text(key)),
        element("button", { type: "button", class: "primary", onclick: () => context.signIn() },
            text("signIn")));
}

/** Does something that the server may refuse, and tells it. */
export async function attempt(context, action) {
    try {
        return await action();
    } catch (error) {
        context.notify(`${context.text("notSaved")}: ${failureText(error, context.text)}`);
        return undefined;
    }
}

/** A table whose rows keep their elements, by a key. */
export class Table {
    #body = element("tbody");
    #made = new Map();
    #makeRow;
    #keyOf;
    #labels;

    /**
     * @param {{caption: string, id: string, columns: [string, string][], keyOf: Function,
     *     makeRow: (row: object) => {element: HTMLElement, update: Function}}} options
     *     `columns`: name and heading of each
     */
    constructor({ caption, id, columns, keyOf, makeRow }) {
        this.#makeRow = makeRow;
        this.#keyOf = keyOf;
        this.#labels = new Map(columns);
        const heads = columns.map(([name, label]) => element("th",
            { scope: "col", class: name, "data-column": name }, label));
        this.element = element("table", { id, "data-part": id },
            element("caption", { class: "hidden-text" }, caption),
            element("thead", {}, element("tr", {}, ...heads)), this.#body);
    }

    /** Writes the rows; shows nothing without any. */
    show(rows) {
        setShown(this.element, rows.length > 0);
        const keys = new Set(rows.map(this.#keyOf));
        for (const [key, made] of this.#made) {
            if (keys.has(key)) continue;
            made.element.remove();
            this.#made.delete(key);
        }
        const focused = document.activeElement;
        rows.forEach((row, index) => {
            const key = this.#keyOf(row);
            const made = this.#made.get(key) ?? this.#made.set(key, this.#make(row)).get(key);
            made.update(row);
            const place = this.#body.children[index] ?? null;
            if (place !== made.element) this.#body.insertBefore(made.element, place);
        });
        // An element that moves loses the focus.
        if (focused !== document.activeElement && this.#body.contains(focused)) {
            focused.focus({ preventScroll: true });
        }
    }

    /** Cells have their heading, which narrow screens show beside them. */
    #make(row) {
        const made = this.#makeRow(row);
        for (const cell of made.element.querySelectorAll("td[data-column]")) {
            const name = cell.dataset.column;
            if (!["actions", "time", "content"].includes(name)) {
                cell.dataset.label = this.#labels.get(name);
            }
        }
        return made;
    }
}

/** A cell of a table. */
export function tableCell(name, ...children) {
    return element("td", { class: name, "data-column": name }, ...children);
}

/** Writes a signed figure with its direction. */
export function setSigned(node, text) {
    setText(node, text);
    const direction = text?.startsWith("-") ? "down" : /[1-9]/.test(text ?? "") ? "up" : "flat";
    setAttribute(node, "data-direction", direction);
}

/** `2026-11-20 12:00:05`, as the document has it. */
export function timeText(time) {
    return time ? time.slice(0, 19).replace("T", " ") : null;
}
