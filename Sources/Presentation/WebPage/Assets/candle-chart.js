// The pane of the chart: the choice of an interval, the drawing, its legend, a table of candles.

import { CandleDrawing, loadLibrary } from "./candle-drawing.js";
import { CandleLegend, CandleTable } from "./candle-legend.js";
import { element, setAttribute, setShown, setText } from "./dom.js";
import { BlockState } from "./market-parts.js";
import { INTERVALS } from "./market-strings.js";

/** The pane of the chart. */
export class CandleChart {
    #strings;
    #state;
    #legend;
    #table;
    #canvas;
    #drawing = null;
    #buttons = [];
    #progress;
    #aimed = null;
    #isClosed = false;

    /**
     * @param {MarketStrings} strings
     * @param {{market: string, interval: string, change: Function}} options `change` is called
     *     with `{interval}` when the user chooses another
     */
    constructor(strings, options) {
        this.#strings = strings;
        this.options = options;
        this.element = element("section", {
            class: "pane chart", id: "chart", "aria-labelledby": "chart-title",
        });
        this.#state = new BlockState(strings, this.element);
        this.#legend = new CandleLegend(strings);
        this.#table = new CandleTable(strings);
        this.#progress = element("span", { class: "chart-progress", hidden: true });
        this.#canvas = element("div", { class: "chart-canvas", role: "img" });
        const title = element("h2", { id: "chart-title" }, strings.text("chart"));
        this.element.append(
            element("header", { class: "pane-head" }, title, this.#state.label, this.#progress),
            this.#intervals(), this.#legend.element, this.#state.notice, this.#canvas,
            this.#table.element, credit(),
        );
        this.showInterval(options.interval);
        this.#load();
    }

    /** Shows the `chart` of a market's document. */
    show(document) {
        const { chart } = document.state;
        if (chart !== this.chart) {
            if (chart.interval !== this.chart?.interval) this.#aimed = null;
            this.chart = chart;
            const { candles, health } = chart;
            const isEmpty = candles.length === 0;
            this.#state.show(health, isEmpty, this.#strings.text("noCandles"));
            setShown(this.#legend.element, !isEmpty);
            setShown(this.#canvas, !isEmpty);
            this.#showProgress(health);
            this.#drawing?.show(chart);
            this.#showLegend();
            this.#table.show(chart);
        }
        setAttribute(this.element, "data-revision", document.revision);
    }

    /** Marks the chosen interval before its candles are there. */
    showInterval(interval) {
        for (const button of this.#buttons) {
            setAttribute(button, "aria-pressed", String(button.dataset.interval === interval));
        }
        const name = this.#strings.interval(interval);
        const pair = this.options.market.replace("_", "/");
        setAttribute(this.#canvas, "aria-label", `${pair} ${name} ${this.#strings.text("chart")}`);
        setAttribute(this.element, "data-interval", interval);
    }

    /** Writes ages. */
    tick(now) {
        this.#state.write(now);
    }

    close() {
        this.#isClosed = true;
        this.#drawing?.close();
    }

    async #load() {
        try {
            await loadLibrary();
        } catch {
            setText(this.#canvas, this.#strings.text("noLibrary"));
            return;
        }
        if (this.#isClosed) return;
        this.#drawing = new CandleDrawing(this.#canvas, (candle) => {
            this.#aimed = candle;
            this.#showLegend();
        });
        if (this.chart) this.#drawing.show(this.chart);
    }

    /** The candle under the cross-hair, or else the last one. */
    #showLegend() {
        const candles = this.chart?.candles ?? [];
        const time = this.#aimed?.openTime;
        // The document has its newest revision; candles that left the document are drawn still.
        const isAimed = ({ openTime }) => openTime === time;
        const aimed = time && (candles.findLast(isAimed) ?? this.#aimed);
        this.#legend.show(aimed ?? candles.at(-1) ?? null, Boolean(aimed));
    }

    #showProgress({ known, of, error }) {
        const isPartial = known !== null && of !== null && known < of;
        const text = !isPartial ? ""
            : error ? this.#strings.text("unservedPast") : this.#strings.past(known, of);
        setText(this.#progress, text);
        setShown(this.#progress, text !== "");
    }

    #intervals() {
        const group = element("div", {
            class: "interval-choice", role: "group", "aria-label": this.#strings.text("interval"),
            "aria-keyshortcuts": "i Shift+I", title: `${this.#strings.text("interval")} i, I`,
        });
        for (const interval of INTERVALS) {
            const onclick = () => this.options.change({ interval });
            const attributes = { type: "button", "data-interval": interval, onclick };
            const button = element("button", attributes, this.#strings.interval(interval));
            this.#buttons.push(button);
        }
        group.append(...this.#buttons);
        return group;
    }
}

/** The notice that the license of the chart library asks for. */
function credit() {
    const attributes = { href: "https://www.tradingview.com/", rel: "noopener noreferrer" };
    return element(
        "p", { class: "chart-credit" },
        element("a", attributes, "TradingView"), " Lightweight Charts™ © 2024 TradingView, Inc.",
    );
}
