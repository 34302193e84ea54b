// Modal dialogs: forms, questions, settings, help.

import { element, keyName, setOptions, setShown, setText } from "./dom.js";
import { valuesOf } from "./settings.js";
import { failureText } from "./user.js";

let count = 0;

/** Opens a modal dialog; it is removed once closed. */
export function openDialog({ text }, title, ...children) {
    count += 1;
    const heading = element("h2", { id: `dialog-title-${count}` }, title);
    const close = element("button", { type: "button", class: "plain", "data-action": "close" },
        text("close"));
    const dialog = element("dialog", { "aria-labelledby": heading.id },
        element("div", { class: "dialog-head" }, heading, close), ...children);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return dialog;
}

/**
 * Asks for values until they are accepted.
 *
 * @param {object} context
 * @param {{title: string, note?: string, action?: string, fields: object[],
 *     submit: (values: object, signal: AbortSignal) => Promise}} options the dialog shows why
 *     `submit` fails; `signal` is aborted once the dialog is closed
 */
export function openForm(context, { title, note, action, fields, submit }) {
    const { text } = context;
    const error = element("p", { class: "error", role: "alert", hidden: true });
    const inputs = fields.map((field) => inputOf(field));
    const button = element("button", { type: "submit", class: "primary" }, action ?? text("save"));
    const form = element("form", { class: "stack", novalidate: true },
        ...(note ? [element("p", { class: "note" }, note)] : []),
        ...inputs.map(({ row }) => row), error, element("div", { class: "buttons" }, button));
    const dialog = openDialog(context, title, form);
    const control = new AbortController();
    dialog.addEventListener("close", () => control.abort());
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (button.disabled) return;
        button.disabled = true;
        try {
            const values = inputs.map(({ name, input }) => [name, input.value.trim()]);
            await submit(Object.fromEntries(values), control.signal);
            dialog.close();
        } catch (failure) {
            setText(error, failure.isMessage ? failure.message : failureText(failure, text));
            setShown(error, true);
        } finally {
            button.disabled = false;
        }
    });
    (inputs.find(({ input }) => !input.readOnly)?.input ?? button).focus();
    return dialog;
}

/** An error whose message the form shows as it is. */
export function refusal(message) {
    return Object.assign(new Error(message), { isMessage: true });
}

function inputOf({ name, label, value = "", ...attributes }) {
    const id = `field-${name}`;
    const input = element("input", {
        id, name, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        ...attributes,
    });
    input.value = value;
    return { name, input, row: element("div", { class: "field" },
        element("label", { for: id }, label), input) };
}

/** Asks a question. @returns {Promise<boolean>} */
export function ask(context, question, action) {
    return new Promise((resolve) => {
        const yes = element("button", { type: "button", class: "primary", "data-action": "yes" },
            action);
        const no = element("button", { type: "button", "data-action": "no" },
            context.text("cancel"));
        const dialog = openDialog(context, question, element("div", { class: "buttons" }, no, yes));
        let isAccepted = false;
        yes.addEventListener("click", () => {
            isAccepted = true;
            dialog.close();
        });
        no.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => resolve(isAccepted));
        no.focus();
    });
}

/** Opens the settings of this browser. */
export function openSettings(context) {
    const { settings, text } = context;
    const rows = ["language", "theme", "colors", "shortcuts"].map((name) => {
        const select = element("select", { id: `setting-${name}`, name });
        const options = valuesOf(name).map((value) => [value, text(`${name}.${value}`)]);
        setOptions(select, options, settings.get(name));
        select.addEventListener("change", () => settings.set(name, select.value));
        return element("div", { class: "field" },
            element("label", { for: select.id }, text(name)), select);
    });
    const content = element("div", { class: "stack" }, ...rows);
    const dialog = openDialog(context, text("settings"), content);
    // A dialog in the language that is no longer chosen opens again in the new one.
    const end = settings.subscribe((name) => {
        if (name !== "language") return;
        dialog.close();
        openSettings(context).querySelector("#setting-language").focus();
    });
    dialog.addEventListener("close", () => {
        end();
        // A change of language made a new header.
        const isLost = document.activeElement === document.body;
        if (isLost) document.querySelector("#settings")?.focus();
    });
    return dialog;
}

const KEYS = [
    [["/"], "key.search"], [["j", "k", "↓", "↑"], "key.move"],
    [["PageDown", "PageUp"], "key.pages"], [["Home", "End"], "key.ends"],
    [["Enter"], "key.open"], [["Esc"], "key.back"], [["f"], "key.favorite"],
    [["i", "I", "]", "["], "key.intervals"], [["g", "G"], "key.steps"],
    [["a"], "key.add"], [["c"], "key.cash"], [["v"], "key.speak"],
    [["1", "2", "3", "5"], "key.screens"], [["4", "?"], "key.help"],
];

/** Opens the keys, the data notice, the version and the licenses. */
export function openHelp(context, about) {
    const { text } = context;
    const keys = element("dl", { class: "keys" });
    for (const [names, key] of KEYS) {
        const term = element("dt");
        term.append(...names.map((name) => element("kbd", {}, name)));
        keys.append(element("div", {}, term, element("dd", {}, text(key))));
    }
    const children = [element("h3", {}, text("keys")), keys];
    if (about) {
        const { notice, version, commit, licenses } = about.state;
        children.push(element("h3", {}, text("about")), element("p", {}, notice),
            element("p", { class: "note" }, `hoga ${version} (${commit ?? "–"})`));
        const items = licenses.map((item) => element("li", {},
            [item.name, item.version, item.license].filter(Boolean).join(" · ")));
        const library = "lightweight-charts · 4.1.3 · Apache-2.0 · © TradingView, Inc.";
        items.push(element("li", {}, library));
        children.push(element("details", {}, element("summary", {}, text("licenses")),
            element("ul", {}, ...items)));
    }
    const content = element("div", { class: "stack" }, ...children);
    const dialog = openDialog(context, text("help"), content);
    dialog.id = "help";
    dialog.addEventListener("keydown", (event) => {
        const isOn = context.settings.get("shortcuts") === "on";
        if (isOn && ["4", "?"].includes(keyName(event))) dialog.close();
    });
    return dialog;
}
