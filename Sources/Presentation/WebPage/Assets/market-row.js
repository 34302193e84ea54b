// One row of the market list.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { nameOf } from "./strings.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const FLASH = { duration: 300, easing: "ease-out" };

/** The elements of a row, written only where a text changes. */
export class MarketRow {
    #context;
    #row = null;
    #cells = {};
    #link = element("a", { class: "main", tabindex: "-1" });
    #symbol = element("span", { class: "symbol" });
    #marks = {};
    #star;

    constructor(context) {
        this.#context = context;
        this.#star = element("button", {
            type: "button", class: "star", tabindex: "-1", "data-action": "favorite",
            onclick: () => context.toggleFavorite(this.#row.market),
        });
        for (const name of ["suspended", "warning", "alert"]) {
            this.#marks[name] = element("span", { class: `mark ${name}`, hidden: true },
                context.text(`mark.${name}`));
        }
        const cell = (name, ...children) => {
            const node = element("div", { class: `cell ${name}`, role: "gridcell" }, ...children);
            this.#cells[name] = node;
            return node;
        };
        this.element = element("div", { class: "row", role: "row" },
            cell("favorite", this.#star), cell("rank"),
            cell("name", this.#link, this.#symbol, ...Object.values(this.#marks)), cell("price"),
            cell("changeRate"), cell("changeAmount"), cell("tradeValue"));
    }

    /** Writes a row; `before` is what this element showed of the same row, or null. */
    update(row, before) {
        this.#row = row;
        const cells = this.#cells;
        setText(cells.rank, row.rank);
        setText(cells.price, row.priceText);
        setText(cells.changeRate, row.changeRateText);
        setText(cells.changeAmount, row.changeAmountText);
        setText(cells.tradeValue, row.tradeValueText);
        setAttribute(this.element, "data-direction", row.priceDirection);
        if (before?.market !== row.market || before === row) this.#showName(row);
        this.#showMarks(row.marks);
        this.#showStar(row);
        if (before && before.price !== row.price) this.#flash(row.tickDirection);
    }

    #showName(row) {
        const { settings } = this.#context;
        setText(this.#link, nameOf(row, settings.language));
        setAttribute(this.#link, "href", `/m/${encodeURIComponent(row.market)}`);
        setText(this.#symbol, `${row.symbol}/${row.quote}`);
        setAttribute(this.element, "data-market", row.market);
    }

    #showMarks({ state, investmentWarning, alerts }) {
        setShown(this.#marks.suspended, state === "suspended");
        setShown(this.#marks.warning, investmentWarning === true);
        setShown(this.#marks.alert, (alerts?.length ?? 0) > 0);
    }

    #showStar({ market, symbol }) {
        const isFavorite = this.#context.isFavorite(market) === true;
        setText(this.#star, isFavorite ? "★" : "☆");
        setAttribute(this.#star, "aria-pressed", isFavorite ? "true" : "false");
        setAttribute(this.#star, "aria-label", this.#context.text("favorite.of", symbol));
    }

    #flash(direction) {
        if (calm.matches || (direction !== "up" && direction !== "down")) return;
        const color = `var(--${direction}-ground)`;
        this.#cells.price.animate([{ backgroundColor: color }, {}], FLASH);
    }
}
