// The head of the market screen: name, price and change, the figures of the day, warnings.

import { element, setAttribute, setShown, setText } from "./dom.js";
import { BlockState, setFigure } from "./market-parts.js";

/** The word and the value of each figure. */
const FIGURES = [
    ["high", "highToday", (header) => header.today.high],
    ["low", "lowToday", (header) => header.today.low],
    ["open", "openToday", (header) => header.today.open],
    ["previousClose", "previousClose", (header) => header.today.previousClose],
    ["volume", "volume24h", (header) => header.rolling24h.volume],
    ["tradeValue", "value24h", (header) => header.rolling24h.tradeValue],
    ["tradeStrength", "strength", (header) => header.tradeStrengthPercent],
];

/** The head of a market. */
export class MarketHeader {
    #context;
    #strings;
    #market;
    #state;
    #parts = {};
    #figures = {};

    /** @param {MarketStrings} strings */
    constructor(context, strings, market) {
        this.#context = context;
        this.#strings = strings;
        this.#market = market;
        this.element = element("header", { class: "market-header" });
        this.#state = new BlockState(strings, this.element);
        this.element.append(this.#names(), this.#price(), this.#list());
    }

    /** Shows the `header` of a market's document. */
    show(document) {
        const { header } = document.state;
        if (header !== this.header) {
            this.header = header;
            this.#showNames(header);
            this.#showPrice(header);
            for (const [key, , value] of FIGURES) {
                const text = value(header);
                setFigure(this.#figures[key], text);
                setAttribute(this.#figures[key], "data-value", text);
            }
            const strength = header.tradeStrengthPercent;
            const side = strength === null || Number(strength) === 100 ? null
                : Number(strength) > 100 ? "up" : "down";
            setAttribute(this.#figures.tradeStrength, "data-direction", side);
            this.#state.show(header.health, false, "");
        }
    }

    /** The star of a user; absent without a token. */
    showFavorite() {
        const isFavorite = this.#context.isFavorite?.(this.#market) ?? null;
        const { star } = this.#parts;
        setShown(star, isFavorite !== null);
        setText(star, isFavorite ? "★" : "☆");
        const word = isFavorite ? "removeFavorite" : "addFavorite";
        setAttribute(star, "aria-label", this.#strings.text(word));
        setAttribute(star, "title", this.#strings.text(word));
    }

    /** Writes ages. */
    tick(now) {
        this.#state.write(now);
    }

    /** Has screen readers announce the price. */
    speak() {
        this.#context.announce(this.#sentence);
    }

    get #sentence() {
        const { header } = this;
        if (!header) return this.#strings.text("loadingBlock");
        const name = header.name[this.#strings.language] ?? header.symbol;
        const period = this.#strings.period(header.changePeriod);
        return [name, `${this.#strings.text("price")} ${header.priceText ?? "-"}`,
            header.changeRateText && `${period} ${header.changeRateText}`]
            .filter(Boolean).join(", ");
    }

    /** The text of the browser's tab. */
    get title() {
        const { header } = this;
        if (!header) return this.#market.replace("_", "/");
        return [header.priceText, header.changeRateText, `${header.symbol}/${header.quote}`]
            .filter(Boolean).join(" ");
    }

    #names() {
        const parts = {
            star: element("button", {
                type: "button", class: "plain star", hidden: true, "aria-keyshortcuts": "f",
                onclick: () => this.#context.toggleFavorite(this.#market),
            }),
            name: element("span", { class: "market-name" }),
            otherName: element("span", { class: "market-other-name" }),
            pair: element("span", { class: "market-pair" }, this.#market.replace("_", "/")),
        };
        Object.assign(this.#parts, parts);
        return element(
            "div", { class: "market-names" }, parts.star,
            element("h1", { id: "market-title" }, parts.name, " ", parts.pair),
            parts.otherName, this.#state.label,
        );
    }

    #price() {
        const parts = {
            price: element("span", { class: "market-price" }),
            amount: element("span", { class: "market-change-amount" }),
            rate: element("span", { class: "market-change-rate" }),
            period: element("span", { class: "market-period" }),
            transfers: element("span", { class: "market-transfers" }),
            marks: element("span", { class: "market-marks" }),
            speak: element("button", {
                type: "button", class: "keyboard-only", id: "speak-price",
                "aria-keyshortcuts": "v", onclick: () => this.speak(),
            }, this.#strings.text("speak")),
        };
        Object.assign(this.#parts, parts);
        this.#parts.line = element(
            "p", { class: "market-price-line" }, parts.price, " ", parts.amount, " ", parts.rate,
        );
        return element(
            "div", { class: "market-quote" }, this.#parts.line,
            element("p", { class: "market-notes" }, parts.period, parts.transfers, parts.marks,
                parts.speak),
        );
    }

    #list() {
        const list = element("dl", { class: "market-figures" });
        for (const [key, word] of FIGURES) {
            this.#figures[key] = element("dd", { class: `figure-${key}` });
            const name = element("dt", {}, this.#strings.text(word));
            list.append(element("div", {}, name, this.#figures[key]));
        }
        return list;
    }

    #showNames(header) {
        const { language } = this.#strings;
        const other = header.name[language === "ko" ? "en" : "ko"];
        setText(this.#parts.name, header.name[language] ?? header.symbol);
        setText(this.#parts.otherName, header.name[language] ? other ?? "" : "");
        setText(this.#parts.pair, `${header.symbol}/${header.quote}`);
        setAttribute(this.element, "data-quote", header.quote);
        const transfers = this.#strings.transfers(header) ?? "";
        setText(this.#parts.transfers, transfers);
        setAttribute(this.#parts.transfers, "data-deposit", header.deposit);
        setAttribute(this.#parts.transfers, "data-withdrawal", header.withdrawal);
        if (header.marks !== this.marks) {
            this.marks = header.marks;
            this.#showMarks(header.marks);
        }
    }

    #showMarks({ state, investmentWarning, alerts }) {
        const mark = (name, text) => element("span", { class: "mark", "data-mark": name }, text);
        const marks = [];
        const word = (key) => this.#strings.text(key);
        if (state === "suspended") marks.push(mark("suspended", word("suspended")));
        if (investmentWarning) marks.push(mark("warning", word("warning")));
        for (const alert of alerts) {
            marks.push(mark("alert", `${word("alert")} ${this.#strings.alert(alert)}`));
        }
        this.#parts.marks.replaceChildren(...marks);
    }

    #showPrice(header) {
        const parts = this.#parts;
        setText(parts.price, header.priceText);
        setText(parts.amount, header.changeAmountText ?? "");
        setText(parts.rate, header.changeRateText);
        setText(parts.period, this.#strings.period(header.changePeriod));
        setAttribute(parts.line, "data-direction", header.priceDirection);
        setAttribute(parts.price, "data-price", header.price);
        setAttribute(parts.price, "data-tick", header.tickDirection);
    }
}
