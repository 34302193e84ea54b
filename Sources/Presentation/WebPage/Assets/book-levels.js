// The levels of an order book as a table: asks above, bids below, the spread between them.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { setFigure } from "./market-parts.js";

const LEVELS_MAX = 30;
/** Signs of a change, e.g. `+12.34`, and the paddings of a row, in the style sheet. */
const CHANGE_LENGTH = 6;
const PADDINGS = 5.25 * 16;

/** A row of the book, kept at its place; its cells change. */
class LevelRow {
    #cells;

    constructor(side) {
        this.#cells = {
            price: element("td", { class: "level-price" }),
            change: element("td", { class: "level-change" }),
            quantity: element("td", { class: "level-quantity" }),
            cumulative: element("td", { class: "level-cumulative" }),
        };
        const attributes = { class: `level ${side}`, "data-side": side, hidden: true };
        this.element = element("tr", attributes, ...Object.values(this.#cells));
    }

    /** Shows a level of the document, or nothing. */
    show(level) {
        setShown(this.element, Boolean(level));
        if (!level || level === this.level) return;
        this.level = level;
        const { price, change, quantity, cumulative } = this.#cells;
        setText(price, level.priceText);
        setText(quantity, level.quantityText);
        setFigure(change, level.changeRatePercent);
        setAttribute(change, "data-value", level.changeRatePercent);
        setFigure(cumulative, level.cumulative);
        setAttribute(this.element, "data-price", level.price);
        setAttribute(this.element, "data-direction", level.priceDirection);
        setAttribute(this.element, "data-last-trade", level.isLastTrade ? "true" : null);
        if (level.ratioBoth !== this.ratio) {
            this.ratio = level.ratioBoth;
            this.element.style.setProperty("--ratio", level.ratioBoth ?? "0");
        }
    }
}

/** The scrolling table of levels. */
export class BookLevels {
    #strings;
    #asks = [];
    #bids = [];
    #parts = {};
    #table;
    #spreadCell;
    #book = null;
    #isCentered = false;
    #ruler = element("span", { class: "ruler", "aria-hidden": "true" });
    /** How many digits fit into a row. */
    #room = Infinity;
    #lengths = { price: 0, quantity: 0, cumulative: 0 };
    #observer = new ResizeObserver(() => this.#measure());

    /** @param {MarketStrings} strings */
    constructor(strings) {
        this.#strings = strings;
        for (let index = 0; index < LEVELS_MAX; index += 1) {
            this.#asks.push(new LevelRow("ask"));
            this.#bids.push(new LevelRow("bid"));
        }
        this.#asks[0].element.dataset.best = "ask";
        this.#bids[0].element.dataset.best = "bid";
        this.#table = this.#makeTable();
        const attributes = {
            class: "book-scroller", tabindex: "0", role: "region",
            "aria-label": strings.text("book"),
        };
        this.element = element("div", attributes, this.#ruler, this.#table);
        this.#observer.observe(this.element);
    }

    /** Shows the `orderBook` of a document. */
    show(book) {
        const before = this.#book;
        this.#book = book;
        if (book.asks !== before?.asks || book.bids !== before?.bids) this.#fitColumns(book);
        if (book.asks !== before?.asks) {
            this.#asks.forEach((row, index) => row.show(book.asks[index]));
        }
        if (book.bids !== before?.bids) {
            this.#bids.forEach((row, index) => row.show(book.bids[index]));
        }
        setFigure(this.#parts.bestAsk, book.best.ask?.price ?? null);
        setFigure(this.#parts.bestBid, book.best.bid?.price ?? null);
        setText(this.#parts.spread, book.spreadText);
        setShown(this.#parts.crossed, book.crossed);
        if (!this.#isCentered) this.center();
    }

    /** Scrolls the spread into the middle, with the next document if nothing is visible yet. */
    center() {
        const row = this.#spreadCell.parentElement;
        this.#isCentered = row.offsetHeight > 0 && this.#book !== null;
        if (!this.#isCentered) return;
        const [head, asks] = [this.#table.tHead, this.#table.tBodies[0]];
        const above = head.offsetHeight + asks.offsetHeight + row.offsetHeight / 2;
        this.element.scrollTop = above - (this.element.clientHeight + head.offsetHeight) / 2;
    }

    close() {
        this.#observer.disconnect();
    }

    #makeTable() {
        const text = (key) => this.#strings.text(key);
        const heading = (key, name) => element(
            "th", { scope: "col", class: `level-${name}` }, element("span", {}, text(key)),
        );
        const asks = element("tbody", { class: "asks", "aria-label": text("ask") });
        const bids = element("tbody", { class: "bids", "aria-label": text("bid") });
        asks.append(...this.#asks.map((row) => row.element).reverse());
        bids.append(...this.#bids.map((row) => row.element));
        return element(
            "table", { class: "data-table book-table", "aria-label": text("book") },
            element("thead", {}, element("tr", {},
                heading("tradePrice", "price"), heading("levelBase", "change"),
                heading("level", "quantity"), heading("cumulative", "cumulative"))),
            asks, this.#spreadBody(), bids,
        );
    }

    #spreadBody() {
        const text = (key) => this.#strings.text(key);
        const parts = {
            bestAsk: element("span", { class: "best-ask", title: text("bestAsk") }),
            bestBid: element("span", { class: "best-bid", title: text("bestBid") }),
            spread: element("span", { class: "spread-value" }),
            crossed: element("span", { class: "crossed", hidden: true }, text("crossed")),
        };
        this.#parts = parts;
        const named = (name, key, ...nodes) => element("span", { class: name },
            element("span", { class: "word" }, text(key)), " ", ...nodes);
        const line = element(
            "div", { class: "spread-line" }, named("best", "ask", parts.bestAsk),
            named("spread", "spread", parts.spread, parts.crossed),
            named("best", "bid", parts.bestBid),
        );
        this.#spreadCell = element("td", { colspan: "4" }, line);
        return element("tbody", { class: "spread-body" },
            element("tr", { class: "spread-row" }, this.#spreadCell));
    }

    /** Columns grow with their figures and never shrink, so that they stand still. */
    #fitColumns({ asks, bids }) {
        const lengths = { ...this.#lengths };
        for (const { priceText, quantityText } of [...asks, ...bids]) {
            lengths.price = Math.max(lengths.price, priceText.length);
            lengths.quantity = Math.max(lengths.quantity, quantityText.length);
        }
        for (const level of [asks.at(-1), bids.at(-1)]) {
            lengths.cumulative = Math.max(lengths.cumulative, groupedLength(level?.cumulative));
        }
        const isSame = Object.keys(lengths).every((name) => lengths[name] === this.#lengths[name]);
        if (isSame) return;
        this.#lengths = lengths;
        this.#table.style.setProperty("--price-length", lengths.price);
        this.#table.style.setProperty("--quantity-length", lengths.quantity);
        this.#showColumns();
    }

    #measure() {
        const digit = this.#ruler.offsetWidth / 100;
        if (digit > 0) this.#room = (this.element.clientWidth - PADDINGS) / digit;
        this.#showColumns();
        if (!this.#isCentered) this.center();
    }

    /** Leaves out the sums where the quantities need their room. */
    #showColumns() {
        const { price, quantity, cumulative } = this.#lengths;
        const isNarrow = price + CHANGE_LENGTH + quantity + cumulative > this.#room;
        this.#table.classList.toggle("is-narrow", isNarrow);
        setAttribute(this.#spreadCell, "colspan", isNarrow ? "3" : "4");
    }
}

/** The length of a decimal with commas between groups of three digits. */
function groupedLength(decimal = "") {
    const whole = decimal.split(".")[0];
    return decimal.length + Math.floor(Math.max(whole.length - 1, 0) / 3);
}
