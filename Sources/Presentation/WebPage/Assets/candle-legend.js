// The text of the chart: the figures of one candle, and a table of the last ones.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { setFigure } from "./market-parts.js";

/** The windows of the moving averages of the API. */
export const AVERAGE_WINDOWS = ["5", "10", "20", "60", "120"];
const FIGURES = ["open", "high", "low", "close", "volume"];
const TABLE_ROWS = 20;

/** The time of a bucket in Seoul, as the document writes it. */
function bucketText(openTime) {
    return `${openTime.slice(0, 10)} ${openTime.slice(11, 16)}`;
}

/** The figures of the candle under the cross-hair, or of the last one. */
export class CandleLegend {
    #figures = {};
    #averages = {};
    #time;
    #corrected;

    /** @param {MarketStrings} strings */
    constructor(strings) {
        this.#time = element("time", { class: "legend-time" });
        this.#corrected = element(
            "span", { class: "legend-corrected", hidden: true }, strings.text("corrected"),
        );
        const list = element("dl", { class: "legend-figures" });
        for (const name of FIGURES) {
            this.#figures[name] = element("dd", { class: `legend-${name}` });
            const word = element("dt", {}, strings.text(`${name}Short`));
            list.append(element("div", {}, word, this.#figures[name]));
        }
        const averages = element("dl", { class: "legend-averages" });
        for (const size of AVERAGE_WINDOWS) {
            this.#averages[size] = element("dd", {});
            const word = element("dt", {}, `${strings.text("average")} ${size}`);
            averages.append(element("div", { "data-window": size }, word, this.#averages[size]));
        }
        this.element = element(
            "div", { class: "chart-legend", id: "chart-legend", hidden: true },
            this.#time, this.#corrected, list, averages,
        );
    }

    /**
     * Shows a candle of the document.
     *
     * @param {object|null} candle
     * @param {boolean} isAimed whether the cross-hair is on it
     */
    show(candle, isAimed) {
        setAttribute(this.element, "data-aimed", isAimed ? "true" : null);
        if (candle === this.candle) return;
        this.candle = candle;
        if (!candle) return;
        setText(this.#time, bucketText(candle.openTime));
        setAttribute(this.#time, "datetime", candle.openTime);
        setAttribute(this.element, "data-open-time", candle.openTime);
        setAttribute(this.element, "data-closed", String(candle.closed));
        for (const name of FIGURES) {
            setFigure(this.#figures[name], candle[name]);
            setAttribute(this.element, `data-${name}`, candle[name]);
        }
        setAttribute(this.#figures.close, "data-direction", candle.priceDirection);
        for (const size of AVERAGE_WINDOWS) {
            const value = candle.averages?.close?.[size] ?? null;
            setFigure(this.#averages[size], value);
            setAttribute(this.#averages[size], "data-value", value);
        }
        setShown(this.#corrected, candle.corrected);
    }
}

/** The last candles as a table, written while it is open. */
export class CandleTable {
    #strings;
    #body;
    #chart = null;

    /** @param {MarketStrings} strings */
    constructor(strings) {
        this.#strings = strings;
        this.#body = element("tbody");
        const heading = (key) => element("th", { scope: "col" }, strings.text(key));
        const name = strings.text("candleTable");
        const attributes = { class: "candle-scroller", tabindex: "0", role: "region",
            "aria-label": name };
        this.element = element(
            "details", { class: "candle-table", ontoggle: () => this.#write() },
            element("summary", {}, name),
            element("div", attributes, element("table", { class: "data-table", "aria-label": name },
                element("thead", {}, element("tr", {}, ...["time", ...FIGURES].map(heading))),
                this.#body)),
        );
    }

    /** Takes the `chart` of a document. */
    show(chart) {
        this.#chart = chart;
        if (this.element.open) this.#write();
    }

    #write() {
        if (!this.element.open || !this.#chart) return;
        const candles = this.#chart.candles.slice(-TABLE_ROWS).reverse();
        while (this.#body.rows.length > candles.length) this.#body.lastChild.remove();
        while (this.#body.rows.length < candles.length) this.#body.append(this.#row());
        candles.forEach((candle, index) => {
            const row = this.#body.rows[index];
            setAttribute(row, "data-open-time", candle.openTime);
            setText(row.cells[0], bucketText(candle.openTime));
            FIGURES.forEach((name, place) => setFigure(row.cells[place + 1], candle[name]));
            setAttribute(row.cells[4], "data-direction", candle.priceDirection);
        });
    }

    #row() {
        const cells = FIGURES.map(() => element("td"));
        return element("tr", {}, element("th", { scope: "row" }), ...cells);
    }
}
