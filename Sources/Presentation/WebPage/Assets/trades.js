// The latest trades, newest first.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { BlockState } from "./market-parts.js";

const ROWS_MAX = 100;

/** A row of the table; shows one trade after another. */
class TradeRow {
    #cells;

    constructor() {
        const names = ["time", "side", "price", "quantity", "amount"];
        this.#cells = names.map((name) => element("td", { class: `trade-${name}` }));
        this.element = element("tr", { class: "trade" }, ...this.#cells);
    }

    /** @param {string} day the day of the document, which needs no mention */
    show(trade, sideName, day) {
        if (trade === this.trade) return;
        this.trade = trade;
        const texts = [
            trade.timeText, sideName, trade.priceText, trade.quantityText, trade.amountText,
        ];
        texts.forEach((text, index) => setText(this.#cells[index], text));
        setAttribute(this.element, "data-id", trade.id);
        setAttribute(this.element, "data-side", trade.side);
        setAttribute(this.element, "data-tick", trade.tickDirection);
        const ownDay = trade.at.slice(0, 10);
        setAttribute(this.#cells[0], "data-day", ownDay === day ? null : ownDay.slice(5));
    }
}

/** The pane of the trades. */
export class Trades {
    #strings;
    #state;
    #rows = [];
    #body;
    #table;
    #scroller;
    #note;

    /** @param {MarketStrings} strings */
    constructor(strings) {
        this.#strings = strings;
        const text = (key) => strings.text(key);
        this.element = element("section", {
            class: "pane trades", id: "trades", "aria-labelledby": "trades-title",
        });
        this.#state = new BlockState(strings, this.element);
        const names = {
            time: "time", side: "side", price: "tradePrice", quantity: "quantity", amount: "amount",
        };
        const headings = Object.entries(names).map(([name, key]) =>
            element("th", { scope: "col", class: `trade-${name}` }, text(key)));
        this.#body = element("tbody");
        const label = text("trades");
        this.#table = element(
            "table", { class: "data-table trades-table", "aria-label": label },
            element("thead", {}, element("tr", {}, ...headings)), this.#body,
        );
        this.#scroller = element(
            "div",
            { class: "trades-scroller", tabindex: "0", role: "region", "aria-label": label },
            this.#table,
        );
        this.#note = element("span", { class: "trades-note", hidden: true });
        this.element.append(
            element("header", { class: "pane-head" },
                element("h2", { id: "trades-title" }, label), this.#state.label, this.#note),
            this.#state.notice, this.#scroller,
        );
    }

    /** Shows the `trades` of a market's document. */
    show(document) {
        const { trades } = document.state;
        if (trades !== this.trades) {
            this.trades = trades;
            if (trades.rows !== this.rows) {
                this.rows = trades.rows;
                this.#showRows(trades.rows.slice(0, ROWS_MAX), document.asOf.slice(0, 10));
            }
            const isEmpty = trades.rows.length === 0;
            this.#state.show(trades.health, isEmpty, this.#strings.text("noTrades"));
            setShown(this.#scroller, !isEmpty);
            this.#showNote(trades);
        }
        setAttribute(this.element, "data-revision", document.revision);
    }

    /** Writes ages. */
    tick(now) {
        this.#state.write(now);
    }

    close() {}

    /** Moves the rows of the oldest trades to the top for new ones; the others stay. */
    #showRows(trades, day) {
        const first = this.#rows[0]?.trade.id;
        const added = first ? trades.findIndex((trade) => trade.id === first) : -1;
        const isNewer = added >= 0
            && trades.slice(added).every((trade, index) =>
                !this.#rows[index] || this.#rows[index].trade.id === trade.id);
        const moves = isNewer ? added : 0;
        for (let count = 0; count < moves; count += 1) {
            const isFull = this.#rows.length >= trades.length;
            const row = isFull ? this.#rows.pop() : new TradeRow();
            this.#rows.unshift(row);
            this.#body.prepend(row.element);
        }
        while (this.#rows.length > trades.length) this.#rows.pop().element.remove();
        while (this.#rows.length < trades.length) {
            const row = new TradeRow();
            this.#rows.push(row);
            this.#body.append(row.element);
        }
        trades.forEach((trade, index) => {
            const name = this.#strings.text(trade.side === "buy" ? "buy" : "sell");
            this.#rows[index].show(trade, name, day);
        });
        const hasDays = trades.some((trade) => !trade.at.startsWith(day));
        this.#table.classList.toggle("has-days", hasDays);
    }

    /** Lost trades, or the span that was read again. */
    #showNote({ dropped, gaps, health }) {
        const { repair } = health;
        let text = "";
        if (repair) {
            const word = this.#strings.text(repair.failure ? "notRepaired" : "repaired");
            const span = `${repair.from.slice(11, 19)}–${repair.to.slice(11, 19)}`;
            const reason = repair.failure ? this.#strings.repairFailure(repair.failure) : "";
            text = `${word} ${span}${reason && ` · ${reason}`}`;
        } else if (dropped > 0 || gaps.length > 0) {
            text = this.#strings.text("lost");
        }
        setText(this.#note, text);
        setShown(this.#note, text !== "");
    }
}
