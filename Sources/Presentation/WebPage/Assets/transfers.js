// The screen 입출금: whether coins can be deposited and withdrawn.

import { element, keyName, searchInput, setAttribute, setShown, setText } from "./dom.js";
import { nameOf } from "./strings.js";
import { VirtualRows, columnHead, nextSort, showSort } from "./virtual-rows.js";

const SEARCH_MILLISECONDS = 200;
const STANDARD = { sort: "name", direction: "asc" };
const FILTERS = ["all", "normal", "suspended"];
const SIGNS = { normal: "●", suspended: "○" };

/** One coin. */
class TransferRow {
    #language;
    #link = element("a", { class: "main", tabindex: "-1" });
    #symbol = element("span", { class: "symbol" });
    #cells = {};

    constructor({ settings }) {
        this.#language = settings.language;
        const cell = (name, ...children) => {
            const node = element("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
            this.#cells[name] = node;
            return node;
        };
        this.element = element("div", { class: "row", role: "row" },
            cell("name", this.#link, this.#symbol), cell("deposit"), cell("withdrawal"));
    }

    /** Writes a row. */
    update(row) {
        setText(this.#link, nameOf(row, this.#language));
        setAttribute(this.#link, "href", addressOf(row));
        setText(this.#symbol, row.asset);
        for (const name of ["deposit", "withdrawal"]) {
            const sign = SIGNS[row[name]];
            const words = row[`${name}Text`];
            setText(this.#cells[name], sign ? `${sign} ${words}` : words);
            setAttribute(this.#cells[name], "data-transfer", row[name]);
        }
        setAttribute(this.element, "data-asset", row.asset);
    }
}

/** The screen 입출금. */
export class TransfersView {
    #context;
    #choice;
    #rows;
    #head;
    #search;
    #filters = new Map();
    #empty;
    #timer = null;
    #document = null;

    constructor(context, { query }) {
        this.#context = context;
        const state = query.get("state");
        const sort = query.get("sort");
        const isSort = ["name", "deposit", "withdrawal"].includes(sort);
        this.#choice = {
            state: FILTERS.includes(state) ? state : "all",
            sort: isSort ? sort : STANDARD.sort,
            direction: query.get("direction") === "desc" ? "desc" : "asc",
            q: (query.get("q") ?? "").trim(),
        };
        this.#build();
        this.#showChoice();
    }

    get title() {
        return this.#context.text("transfers.title");
    }

    get question() {
        const { q, ...choice } = this.#choice;
        const lang = this.#context.settings.language;
        return { documents: "assets", ...choice, lang, ...(q && { q }) };
    }

    get personalQuestion() {
        return null;
    }

    show(document) {
        if (document === this.#document) return;
        this.#document = document;
        this.element.removeAttribute("aria-busy");
        const { rows, counts, health } = document.state;
        const { text } = this.#context;
        this.#rows.show(rows);
        for (const [name, button] of this.#filters) {
            setText(button, text(`filter.${name}`, counts[name]));
        }
        setShown(this.#empty, rows.length === 0);
        if (rows.length > 0) return;
        const key = { loading: "empty.assets", failed: "empty.assetsFailed" }[health.phase];
        setText(this.#empty, text(key ?? (this.#choice.q ? "empty.noMatch" : "empty.none")));
    }

    /** The view is in the page. */
    shown() {
        this.#rows.selectedKey = this.#context.memory.get("asset") ?? null;
    }

    key(event) {
        const name = keyName(event);
        if (this.#rows.key(name)) return true;
        const row = this.#rows.selected;
        if (name === "/") this.#search.focus();
        else if (name === "Escape" && this.#choice.q) this.#searchFor("");
        else if (name === "Enter" && row) this.#open(row);
        else if (name === "v") this.#speak();
        else return false;
        return true;
    }

    close() {
        clearTimeout(this.#timer);
        this.#context.memory.set("asset", this.#rows.selectedKey);
        this.#rows.close();
    }

    #build() {
        const { text } = this.#context;
        this.#search = searchInput(text, this.#choice.q);
        this.#search.addEventListener("input", () => {
            clearTimeout(this.#timer);
            const search = () => this.#searchFor(this.#search.value);
            this.#timer = setTimeout(search, SEARCH_MILLISECONDS);
        });
        this.#search.addEventListener("keydown", (event) => {
            if (event.isComposing || !["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
            this.#rows.element.focus({ preventScroll: true });
            if (event.key === "ArrowDown") this.#rows.move(1);
            event.preventDefault();
            event.stopPropagation();
        });
        const filters = element("div", { class: "group", role: "group",
            "aria-label": text("filter") });
        for (const state of FILTERS) {
            const button = element("button", { type: "button", "data-filter": state,
                onclick: () => this.#choose({ state }) }, text(`filter.${state}`, "").trim());
            this.#filters.set(state, button);
            filters.append(button);
        }
        const speak = element("button", { type: "button", id: "speak", class: "keyboard-only",
            "aria-keyshortcuts": "v", onclick: () => this.#speak() }, text("speak"));
        this.#empty = element("p", { id: "empty", class: "empty" }, text("empty.assets"));
        this.#buildRows();
        this.element = element("section", { class: "transfers" },
            element("h1", { class: "hidden-text" }, this.title),
            element("div", { class: "toolbar" }, this.#search, filters, speak),
            this.#rows.element, this.#empty);
    }

    #buildRows() {
        const { text } = this.#context;
        const sort = (key) => this.#choose(nextSort(this.#choice, key, "asc", STANDARD));
        this.#head = element("div", { class: "row head", role: "row" },
            columnHead({ name: "name", key: "name", sort, label: text("column.asset") }),
            columnHead({ name: "deposit", key: "deposit", sort, label: text("column.deposit") }),
            columnHead({ name: "withdrawal", key: "withdrawal", sort,
                label: text("column.withdrawal") }));
        this.#rows = new VirtualRows({
            label: this.title, className: "assets", columns: 3, head: this.#head,
            keyOf: (row) => row.asset,
            makeRow: () => new TransferRow(this.#context),
            open: (row) => this.#open(row),
        });
    }

    #choose(change) {
        const isSame = Object.entries(change).every(([key, value]) => this.#choice[key] === value);
        if (isSame) return;
        Object.assign(this.#choice, change);
        this.#showChoice();
        this.#rows.scrollTop = 0;
        setAttribute(this.element, "aria-busy", "true");
        const { q, ...choice } = this.#choice;
        const query = new URLSearchParams({ ...(q && { q }), ...choice });
        this.#context.navigate(`/deposits?${query}`, { replace: true });
        this.#context.reopen();
    }

    #showChoice() {
        for (const [state, button] of this.#filters) {
            setAttribute(button, "aria-pressed", state === this.#choice.state ? "true" : "false");
        }
        showSort(this.#head, this.#choice.sort, this.#choice.direction);
    }

    #searchFor(value) {
        clearTimeout(this.#timer);
        if (this.#search.value !== value) this.#search.value = value;
        if (this.#choice.q !== value.trim()) this.#choose({ q: value.trim() });
    }

    #open(row) {
        this.#rows.selectedKey = row.asset;
        this.#context.navigate(addressOf(row));
    }

    #speak() {
        const { text } = this.#context;
        this.#context.announce(this.#rows.selected?.spokenText ?? text("noSelection"));
    }
}

function addressOf({ asset }) {
    return `/m/${encodeURIComponent(`${asset}_KRW`)}`;
}
