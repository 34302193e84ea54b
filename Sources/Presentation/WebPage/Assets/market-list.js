// The market list: tabs, period, search, sorting, favorites.

import {
    element, keyName, searchInput, setAttribute, setOptions, setShown, setText,
} from "./dom.js";
import {
    STANDARD, addressOf, choiceOf, isOwnOrder, personalQuestion, publicQuestion,
} from "./market-choice.js";
import { MarketRow } from "./market-row.js";
import { valuesOf } from "./settings.js";
import { VirtualRows, columnHead, nextSort, showSort } from "./virtual-rows.js";

const SEARCH_MILLISECONDS = 200;
const COLUMNS = [
    ["favorite"], ["rank", "popularity"], ["name", "name"], ["price", "price"],
    ["changeRate", "changeRate"], ["changeAmount"], ["tradeValue", "tradeValue"],
];

/** The screen 거래소. */
export class MarketListView {
    #context;
    #choice;
    #rows;
    #head;
    #search;
    #count;
    #empty;
    #coverage;
    #tabs = new Map();
    #period;
    #signIn;
    #timer = null;
    #document = null;

    constructor(context, { query }) {
        this.#context = context;
        this.#choice = choiceOf(query, context.settings);
        this.#build();
        this.#showChoice();
    }

    get title() {
        return this.#context.text("page.market");
    }

    get question() {
        return publicQuestion(this.#choice, this.#context.settings.language);
    }

    get personalQuestion() {
        return personalQuestion(this.#choice);
    }

    show(document) {
        if (this.#choice.tab === "favorites") return;
        this.#showState(document, document.state);
    }

    showPersonal(document) {
        const list = document.state["market-list"];
        if (this.#choice.tab === "favorites" && list) this.#showState(document, list);
    }

    /** Favorites or the token changed. */
    userChanged() {
        const isOut = this.#choice.tab === "favorites" && !this.#context.token;
        setShown(this.#signIn, isOut);
        if (!isOut) return this.#rows.refresh();
        this.#rows.show([]);
        setShown(this.#empty, false);
        setText(this.#count, "");
        this.element.removeAttribute("aria-busy");
    }

    /** The view is in the page. */
    shown() {
        const { memory } = this.#context;
        this.#rows.selectedKey = memory.get("market") ?? null;
        if (memory.get("search")) this.#search.focus();
        memory.delete("search");
    }

    key(event) {
        const name = keyName(event);
        if (this.#rows.key(name)) return true;
        const row = this.#rows.selected;
        if (name === "/") this.#search.focus();
        else if (name === "Escape") this.#searchFor("");
        else if (name === "Enter" && row) this.#open(row);
        else if (name === "f" && row) this.#context.toggleFavorite(row.market);
        else if (name === "v") this.#speak();
        else return false;
        return true;
    }

    close() {
        clearTimeout(this.#timer);
        const { memory } = this.#context;
        memory.set("market", this.#rows.selectedKey);
        memory.set("scroll", { address: JSON.stringify(this.#choice), top: this.#rows.scrollTop });
        this.#rows.close();
    }

    // Elements.

    #build() {
        const { text } = this.#context;
        this.#search = searchInput(text, this.#choice.q);
        this.#search.addEventListener("input", () => this.#typed());
        this.#search.addEventListener("keydown", (event) => this.#searchKey(event));
        const tabs = element("div", { class: "group", role: "group", "aria-label": text("tabs") });
        for (const tab of valuesOf("tab")) {
            const button = element("button", { type: "button", "data-tab": tab,
                onclick: () => this.#choose({ tab, quote: null }) }, text(`tab.${tab}`));
            this.#tabs.set(tab, button);
            tabs.append(button);
        }
        this.#period = element("select", { id: "period", "aria-label": text("period") });
        setOptions(this.#period, valuesOf("period").map((value) => [value,
            text(`period.${value}`)]), this.#choice.period);
        this.#period.addEventListener("change", () => this.#choose({ period: this.#period.value }));
        this.#count = element("span", { id: "count", class: "note" });
        this.#coverage = element("span", { id: "coverage", class: "note", hidden: true });
        const speak = element("button", { type: "button", id: "speak", class: "keyboard-only",
            "aria-keyshortcuts": "v", onclick: () => this.#speak() }, text("speak"));
        this.#empty = element("p", { id: "empty", class: "empty" }, text("empty.loading"));
        this.#signIn = element("div", { id: "favorites-sign-in", class: "empty", hidden: true },
            element("p", {}, text("favorites.signIn")),
            element("button", { type: "button", class: "primary",
                onclick: () => this.#context.signIn() }, text("signIn")));
        this.#buildRows();
        this.element = element("section", { class: "market-list" },
            element("h1", { class: "hidden-text" }, this.title),
            element("div", { class: "toolbar" }, this.#search, tabs, this.#period, this.#count,
                this.#coverage, speak),
            this.#rows.element, this.#empty, this.#signIn);
    }

    #buildRows() {
        const { text } = this.#context;
        this.#head = element("div", { class: "row head", role: "row" });
        for (const [name, key] of COLUMNS) {
            const hint = name === "rank" ? text("sort.rank") : null;
            const sort = (chosen) => this.#sortBy(chosen);
            this.#head.append(columnHead({ name, key, hint, sort, label: text(`column.${name}`) }));
        }
        this.#rows = new VirtualRows({
            label: this.title, className: "markets", columns: COLUMNS.length, head: this.#head,
            keyOf: (row) => row.market,
            makeRow: () => new MarketRow(this.#context),
            open: (row) => this.#open(row),
        });
    }

    // Choices.

    #choose(change) {
        const isSame = Object.entries(change).every(([key, value]) => this.#choice[key] === value);
        if (isSame) return;
        Object.assign(this.#choice, change);
        const { settings } = this.#context;
        for (const name of ["tab", "period", "sort", "direction"]) {
            settings.set(name, this.#choice[name]);
        }
        this.#showChoice();
        this.#rows.scrollTop = 0;
        setAttribute(this.element, "aria-busy", "true");
        this.userChanged();
        this.#context.navigate(addressOf(this.#choice), { replace: true });
        this.#context.reopen();
    }

    #sortBy(key) {
        const first = key === "name" ? "asc" : "desc";
        this.#choose(nextSort(this.#choice, key, first, STANDARD));
    }

    #showChoice() {
        for (const [tab, button] of this.#tabs) {
            setAttribute(button, "aria-pressed", tab === this.#choice.tab ? "true" : "false");
        }
        const { sort, direction, period } = this.#choice;
        // Favorites that are not sorted stand in their own order.
        showSort(this.#head, isOwnOrder(this.#choice) ? null : sort, direction);
        if (this.#period.value !== period) this.#period.value = period;
    }

    #typed() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#searchFor(this.#search.value), SEARCH_MILLISECONDS);
    }

    #searchFor(value) {
        clearTimeout(this.#timer);
        if (this.#search.value !== value) this.#search.value = value;
        if (this.#choice.q !== value.trim()) this.#choose({ q: value.trim() });
    }

    #searchKey(event) {
        if (event.isComposing) return;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            this.#rows.move(event.key === "ArrowDown" ? 1 : -1);
        } else if (event.key === "Enter") {
            this.#searchFor(this.#search.value);
            this.#rows.element.focus({ preventScroll: true });
            if (!this.#rows.selected) this.#rows.move(1);
            const isCurrent = !this.element.hasAttribute("aria-busy");
            if (isCurrent && this.#rows.selected) this.#open(this.#rows.selected);
        } else if (event.key === "Escape") {
            this.#rows.element.focus({ preventScroll: true });
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #open(row) {
        this.#rows.selectedKey = row.market;
        this.#context.navigate(`/m/${encodeURIComponent(row.market)}`);
    }

    #speak() {
        const { text } = this.#context;
        this.#context.announce(this.#rows.selected?.spokenText ?? text("noSelection"));
    }

    // Documents.

    #showState(document, state) {
        if (document === this.#document) return;
        const isFirst = this.#document === null;
        this.#document = document;
        const { text, memory } = this.#context;
        this.element.removeAttribute("aria-busy");
        this.#rows.show(state.rows);
        const { filtered, total, health, emptyReason } = state;
        const key = filtered === total ? "count" : "countOf";
        setText(this.#count, text(filtered === 1 ? `${key}.one` : key, filtered, total));
        const isPartial = health.known !== null && health.known < health.of;
        setShown(this.#coverage, isPartial);
        if (isPartial) setText(this.#coverage, text("coverage", health.known, health.of));
        setShown(this.#empty, state.rows.length === 0);
        if (state.rows.length === 0) setText(this.#empty, text(`empty.${emptyReason ?? "none"}`));
        const scroll = memory.get("scroll");
        if (isFirst && scroll?.address === JSON.stringify(this.#choice)) {
            this.#rows.scrollTop = scroll.top;
        }
    }
}
