// The pane of the order book. A display; nothing trades.

import { BookLevels } from "./book-levels.js";
import { element, setAttribute, setOptions, setShown, setText } from "./dom.js";
import { BlockState, setFigure } from "./market-parts.js";

const DEPTHS = ["10", "20", "30"];
/** The price steps of a market, as multiples of its smallest one. */
const STEP_MULTIPLES = [1n, 2n, 5n, 10n, 50n, 100n];
/** Streamed levels; those beyond are read at another time. */
const STREAMED_LEVELS = 15;

/** The price steps above the smallest one, as canonical decimals. */
export function priceSteps(smallest) {
    const [whole, fraction = ""] = smallest.split(".");
    const units = BigInt(whole + fraction);
    return STEP_MULTIPLES.map((multiple) => {
        const digits = String(units * multiple).padStart(fraction.length + 1, "0");
        const point = digits.length - fraction.length;
        const rest = digits.slice(point).replace(/0+$/, "");
        return digits.slice(0, point) + (rest && `.${rest}`);
    });
}

/** The pane of the order book. */
export class OrderBook {
    #context;
    #strings;
    #state;
    #levels;
    #parts = {};
    #smallestStep = null;
    #lookup = new AbortController();

    /**
     * @param {object} context
     * @param {MarketStrings} strings
     * @param {{market: string, depth: string, group: string|null, change: Function}} options
     *     `change` is called with `{depth}` or `{group}` when the user chooses another
     */
    constructor(context, strings, options) {
        this.#context = context;
        this.#strings = strings;
        this.options = options;
        this.element = element("section", {
            class: "pane order-book", id: "order-book", "aria-labelledby": "order-book-title",
        });
        this.#state = new BlockState(strings, this.element);
        this.#levels = new BookLevels(strings);
        this.element.append(
            this.#head(), this.#state.notice, this.#levels.element, this.#foot(),
        );
        if (options.group) this.#readSmallestStep();
    }

    /** Shows the `orderBook` of a market's document. */
    show(document) {
        const book = document.state.orderBook;
        if (book !== this.book) {
            this.book = book;
            const isEmpty = book.asks.length + book.bids.length === 0;
            this.#state.show(book.health, isEmpty, this.#strings.text("noBook"));
            setShown(this.#levels.element, !isEmpty);
            if (!isEmpty) this.#levels.show(book);
            this.#showTotals(book);
            this.#showSteps(book);
        }
        setAttribute(this.element, "data-revision", document.revision);
    }

    /** Writes ages. */
    tick(now) {
        this.#state.write(now);
    }

    /** Chooses the next or previous price step. */
    stepGroup(offset) {
        const steps = this.#steps();
        if (steps.length === 0) return;
        // The chosen step counts before its book is there.
        const chosen = this.options.group ?? this.book.group;
        const place = Math.max(steps.indexOf(chosen), 0);
        const next = steps[(place + offset + steps.length) % steps.length];
        this.options.change({ group: next });
    }

    close() {
        this.#lookup.abort();
        this.#levels.close();
    }

    #head() {
        const text = (key) => this.#strings.text(key);
        const depth = element("select", { id: "book-depth", "aria-label": text("depth") });
        setOptions(depth, DEPTHS.map((count) => [count, count]), this.options.depth);
        depth.addEventListener("change", () => this.options.change({ depth: depth.value }));
        const group = element("select", {
            id: "book-group", "aria-label": text("group"), "aria-keyshortcuts": "g Shift+G",
            title: `${text("group")} g, G`,
        });
        group.addEventListener("change", () => this.options.change({ group: group.value }));
        Object.assign(this.#parts, { group });
        return element(
            "header", { class: "pane-head" },
            element("h2", { id: "order-book-title" }, text("book")),
            this.#state.label,
            element("span", { class: "pane-tools" },
                element("label", {}, element("span", {}, text("depth")), depth),
                element("label", {}, element("span", {}, text("group")), group)),
        );
    }

    #foot() {
        const text = (key) => this.#strings.text(key);
        const names = ["askTotal", "middle", "bidTotal", "bidShare"];
        const list = element("dl", { class: "book-totals" });
        for (const name of names) {
            this.#parts[name] = element("dd", { class: `total-${name}` });
            list.append(element("div", {}, element("dt", {}, text(name)), this.#parts[name]));
        }
        this.#parts.note = element("p", { class: "book-note", hidden: true });
        return element("footer", { class: "pane-foot" }, list, this.#parts.note);
    }

    #showTotals(book) {
        const parts = this.#parts;
        setFigure(parts.middle, book.mid);
        setFigure(parts.askTotal, book.totals.askQuantity);
        setFigure(parts.bidTotal, book.totals.bidQuantity);
        setFigure(parts.bidShare, book.totals.bidSharePercent);
        setAttribute(parts.bidShare, "data-value", book.totals.bidSharePercent);
        setText(parts.note, this.#note(book));
        setShown(parts.note, parts.note.textContent !== "");
    }

    /** When the deep levels were read, if any are shown, and the number of corrections. */
    #note({ health, heals, asks, bids }) {
        const isDeep = health.deepAt && Math.max(asks.length, bids.length) > STREAMED_LEVELS;
        const deep = isDeep ? this.#strings.deepLevels(health.deepAt.slice(11, 19)) : "";
        const corrections = heals > 0 ? this.#strings.corrections(heals) : "";
        return [deep, corrections].filter(Boolean).join(" · ");
    }

    #showSteps(book) {
        // Without a group in the question the document tells the market's smallest step.
        if (!this.options.group && book.group) this.#smallestStep = book.group;
        const steps = this.#steps();
        const select = this.#parts.group;
        if (steps.join() !== this.shownSteps) {
            this.shownSteps = steps.join();
            setOptions(select, steps.map((step) => [step, step]), book.group);
        }
        const isChanged = select.value !== book.group && document.activeElement !== select;
        if (book.group && isChanged) select.value = book.group;
    }

    #steps() {
        const group = this.book?.group;
        if (!this.#smallestStep) return group ? [group] : [];
        const steps = priceSteps(this.#smallestStep);
        return group && !steps.includes(group) ? [...steps, group] : steps;
    }

    async #readSmallestStep() {
        try {
            const path = `/v1/markets/${encodeURIComponent(this.options.market)}/orderbook`;
            const { signal } = this.#lookup;
            const answer = await this.#context.client.get(path, { depth: 1 }, { signal });
            this.#smallestStep = answer.state.group;
            const { group } = this.options;
            const isKnown = !group || !answer.state.group
                || priceSteps(answer.state.group).includes(group);
            if (!isKnown) this.options.change({ group: null });
            else if (this.book) this.#showSteps(this.book);
        } catch {
            // The chosen step stays the only choice.
        }
    }
}
