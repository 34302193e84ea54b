// The screen of one market: its head, order book, chart and trades.

import { CandleChart } from "./candle-chart.js";
import { element, keyName, setAttribute } from "./dom.js";
import { MarketHeader } from "./market-header.js";
import { INTERVALS, MarketStrings } from "./market-strings.js";
import { OrderBook } from "./order-book.js";
import { clock } from "./streams.js";
import { Trades } from "./trades.js";

const INTERVAL = "24h";
const CANDLES = 200;
const TRADES = 100;
const PANES = ["book", "chart", "trades"];
const TICK_MILLISECONDS = 1_000;
/** The wait for further changes of a question. */
const CHANGE_MILLISECONDS = 150;

/** The view of one market. */
export class MarketView {
    #context;
    #strings;
    #parameters;
    #panes;
    #header;
    #buttons = [];
    #timer;
    #reopening;
    #isRenamed = false;
    #document = null;

    /**
     * @param {object} context
     * @param {{market: string, query: URLSearchParams}} parameters
     */
    constructor(context, { market, query }) {
        this.#context = context;
        this.#strings = new MarketStrings(context.settings.language);
        const wanted = query.get("interval") ?? context.settings.get("interval");
        const depth = context.settings.get("depth");
        this.#parameters = {
            market,
            interval: INTERVALS.includes(wanted) ? wanted : INTERVAL,
            depth: ["10", "20", "30"].includes(depth) ? depth : "10",
            group: query.get("group"),
        };
        this.#header = new MarketHeader(context, this.#strings, market);
        const change = (parameters) => this.#change(parameters);
        this.#panes = [
            new OrderBook(context, this.#strings, { ...this.#parameters, change }),
            new CandleChart(this.#strings, { ...this.#parameters, change }),
            new Trades(this.#strings),
        ];
        this.element = element(
            "section",
            { class: "market", "aria-labelledby": "market-title", "data-market": market },
            this.#header.element, this.#switch(),
            element("div", { class: "market-panes" }, ...this.#panes.map((pane) => pane.element)),
        );
        this.#showPane(context.settings.get("pane"));
        this.#timer = setInterval(() => this.#tick(), TICK_MILLISECONDS);
    }

    get title() {
        return this.#header.title;
    }

    /** The parameters of the public stream. */
    get question() {
        const { market, interval, depth, group } = this.#parameters;
        return {
            documents: "market-detail",
            market,
            interval,
            count: CANDLES,
            depth,
            limit: TRADES,
            period: this.#context.settings.get("period") ?? "24H",
            lang: this.#strings.language,
            ...(group ? { group } : {}),
        };
    }

    get personalQuestion() {
        return null;
    }

    /** Shows the newest document. */
    show(document, connection) {
        setAttribute(this.element, "data-connection", connection?.state ?? null);
        // The step is none of the market any more: its price is in another range now.
        const isStepRefused = connection?.problem?.parameter === "group";
        if (isStepRefused && this.#parameters.group) this.#change({ group: null });
        if (!document || document === this.#document) return;
        this.#document = document;
        this.#useName(document.state.header?.market);
        this.#header.show(document);
        for (const pane of this.#panes) pane.show(document);
        setAttribute(this.element, "data-revision", document.revision);
        this.#tick();
    }

    /** The favorites of the user may have changed; called once a frame at most. */
    userChanged() {
        this.#header.showFavorite();
    }

    /** Uses the keys of intervals, price steps, the favorite mark, and of the spoken price. */
    key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return false;
        switch (keyName(event)) {
            case "i": case "]": this.#stepInterval(1); return true;
            case "I": case "[": this.#stepInterval(-1); return true;
            case "g": this.#panes[0].stepGroup(1); return true;
            case "G": this.#panes[0].stepGroup(-1); return true;
            case "f": this.#context.toggleFavorite(this.#parameters.market); return true;
            case "v": this.#header.speak(); return true;
            default: return false;
        }
    }

    close() {
        clearInterval(this.#timer);
        clearTimeout(this.#reopening);
        for (const pane of this.#panes) pane.close();
    }

    #stepInterval(offset) {
        const place = INTERVALS.indexOf(this.#parameters.interval) + offset;
        const interval = INTERVALS[(place + INTERVALS.length) % INTERVALS.length];
        this.#change({ interval });
    }

    /** The address may spell the market in another way. */
    #useName(market) {
        if (!market || market === this.#parameters.market || this.#isRenamed) return;
        this.#isRenamed = true;
        const address = `/m/${encodeURIComponent(market)}${location.search}`;
        this.#context.navigate(address, { replace: true });
    }

    /** Asks another question; the old document stays until the answer is there. */
    #change(parameters) {
        Object.assign(this.#parameters, parameters);
        const { settings } = this.#context;
        if (parameters.depth) settings.set("depth", parameters.depth);
        if (parameters.interval) settings.set("interval", parameters.interval);
        for (const pane of this.#panes) pane.options = { ...pane.options, ...parameters };
        this.#panes[1].showInterval(this.#parameters.interval);
        const { market, interval, group } = this.#parameters;
        const query = new URLSearchParams({ interval, ...(group ? { group } : {}) });
        const address = `/m/${encodeURIComponent(market)}?${query}`;
        this.#context.navigate(address, { replace: true });
        if (parameters.interval) this.#context.announce?.(this.#strings.interval(interval));
        if (parameters.group) this.#context.announce?.(`${this.#strings.text("group")} ${group}`);
        clearTimeout(this.#reopening);
        // Of several changes the last one counts.
        this.#reopening = setTimeout(() => this.#context.reopen(), CHANGE_MILLISECONDS);
    }

    /** The choice of a pane on narrow screens; wide ones show all. */
    #switch() {
        const group = element("div", {
            class: "pane-switch", role: "group", "aria-label": this.#strings.text("panes"),
        });
        for (const name of PANES) {
            const onclick = () => this.#showPane(name);
            const attributes = { type: "button", "data-pane": name, onclick };
            this.#buttons.push(element("button", attributes, this.#strings.text(name)));
        }
        group.append(...this.#buttons);
        return group;
    }

    #showPane(wanted) {
        const name = PANES.includes(wanted) ? wanted : PANES[0];
        setAttribute(this.element, "data-pane", name);
        for (const button of this.#buttons) {
            setAttribute(button, "aria-pressed", String(button.dataset.pane === name));
        }
        this.#context.settings.set("pane", name);
    }

    #tick() {
        const now = clock.now();
        this.#header.tick(now);
        for (const pane of this.#panes) pane.tick(now);
    }
}
