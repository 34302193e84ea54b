// The screen 보유자산: holdings, cash and their value now.

import { ask, openForm, refusal } from "./dialogs.js";
import { element, keyName, setAttribute, setShown, setText } from "./dom.js";
import { Table, attempt, setSigned, signInPanel, tableCell } from "./personal-view.js";
import { nameOf } from "./strings.js";

const FIGURES = ["quantity", "averagePrice", "price", "value", "profit", "rate", "share"];

/** The screen 보유자산. */
export class PortfolioView {
    #context;
    #document = null;
    #table;
    #totals = {};
    #content;
    #empty;
    #unvalued;
    #costNote;

    constructor(context) {
        this.#context = context;
        this.element = element("section", { class: "portfolio personal" });
        this.#build();
    }

    get title() {
        return this.#context.text("page.portfolio");
    }

    get question() {
        return null;
    }

    get personalQuestion() {
        const lang = this.#context.settings.language;
        return { documents: "portfolio", "portfolio.lang": lang };
    }

    showPersonal(document) {
        const portfolio = document.state.portfolio;
        if (!portfolio || portfolio === this.#document?.state.portfolio) return;
        this.#document = document;
        this.#table.show(portfolio.rows);
        this.#showTotals(portfolio);
    }

    key(event) {
        const name = keyName(event);
        if (!this.#context.token) return false;
        if (name === "a") this.#edit(null);
        else if (name === "c") this.#editCash();
        else if (name === "v") this.#context.announce(this.#summary());
        else return false;
        return true;
    }

    close() {}

    #build() {
        const { text, token } = this.#context;
        const heading = element("h1", {}, this.title);
        if (!token) {
            this.element.append(element("div", { class: "toolbar" }, heading),
                signInPanel(this.#context, "portfolio.signIn"));
            return;
        }
        const bar = element("div", { class: "toolbar" }, heading,
            element("button", { type: "button", id: "add-holding", class: "primary end",
                onclick: () => this.#edit(null) }, text("holding.add")),
            element("button", { type: "button", id: "edit-cash", onclick: () => this.#editCash() },
                text("cash.edit")));
        const totals = element("dl", { class: "figures", id: "totals" });
        for (const name of ["total", "cost", "profit", "rate", "cash", "cashShare"]) {
            this.#totals[name] = element("dd", { "data-figure": name });
            totals.append(element("div", {}, element("dt", {}, text(name)), this.#totals[name]));
        }
        const columns = ["name", ...FIGURES, "transfers", "actions"];
        this.#table = new Table({
            id: "holdings", caption: this.title, keyOf: (row) => row.asset,
            columns: columns.map((name) => [name, text(name === "name" ? "coin" : name)]),
            makeRow: () => this.#makeRow(),
        });
        this.#empty = element("p", { id: "empty", class: "empty" }, text("state.loading"));
        this.#unvalued = element("p", { class: "note pad", hidden: true });
        this.#costNote = element("p", { class: "note pad", id: "cost-note", hidden: true },
            text("costNote"));
        this.#table.show([]);
        this.#content = element("div", { class: "scroll", tabindex: "0", role: "region",
            "aria-label": this.title }, totals, this.#costNote, this.#table.element, this.#empty,
            this.#unvalued);
        this.element.append(bar, this.#content);
    }

    #makeRow() {
        const { text, settings } = this.#context;
        const cells = Object.fromEntries([...FIGURES, "transfers"].map((name) => [name,
            tableCell(name)]));
        const link = element("a", { class: "main" });
        const symbol = element("span", { class: "symbol" });
        let shown = null;
        const edit = element("button", { type: "button", class: "small", "data-action": "edit",
            onclick: () => this.#edit(shown) }, text("edit"));
        const remove = element("button", { type: "button", class: "small", "data-action": "remove",
            onclick: () => this.#remove(shown) }, text("remove"));
        const node = element("tr", {}, element("th", { scope: "row", class: "name" }, link, symbol),
            ...Object.values(cells), tableCell("actions", edit, remove));
        const update = (row) => {
            shown = row;
            setAttribute(node, "data-asset", row.asset);
            setText(link, nameOf(row, settings.language));
            const market = row.valuedThrough ?? `${row.asset}_KRW`;
            setAttribute(link, "href", `/m/${encodeURIComponent(market)}`);
            setText(symbol, ` ${row.asset}`);
            setAttribute(edit, "aria-label", text("holding.edit", row.asset));
            setAttribute(remove, "aria-label", text("holding.remove", row.asset));
            setText(cells.quantity, grouped(row.quantity));
            setText(cells.averagePrice, grouped(row.averagePrice));
            setText(cells.price, grouped(row.price));
            setText(cells.value, row.valueText);
            setSigned(cells.profit, row.profitText);
            setSigned(cells.rate, percent(row.profitRatePercent, true));
            setText(cells.share, percent(row.sharePercent));
            const states = [row.deposit, row.withdrawal];
            setText(cells.transfers, states.map((state) => text(`transfer.${state}`)).join(" / "));
        };
        return { element: node, update };
    }

    #showTotals({ totals, cash, rows, unvalued }) {
        const { text } = this.#context;
        setText(this.#totals.total, totals.valueText);
        setText(this.#totals.cost, grouped(totals.cost));
        setSigned(this.#totals.profit, signed(grouped(totals.profit)));
        setSigned(this.#totals.rate, percent(totals.profitRatePercent, true));
        setText(this.#totals.cash, cash.amountText);
        setText(this.#totals.cashShare, percent(cash.sharePercent));
        setShown(this.#costNote, rows.some((row) => !row.averagePrice));
        setShown(this.#empty, rows.length === 0);
        setText(this.#empty, text("noHoldings"));
        setShown(this.#unvalued, unvalued.length > 0);
        const names = unvalued.map((item) => item.asset ?? item).join(", ");
        setText(this.#unvalued, text("unvalued", names));
    }

    #summary() {
        const { text } = this.#context;
        return ["total", "profit", "rate"].map((name) =>
            `${text(name)} ${this.#totals[name].textContent}`).join(", ");
    }

    /** Edits a holding; a new one without a row. */
    #edit(row) {
        const { text, user } = this.#context;
        openForm(this.#context, {
            title: row ? text("holding.edit", row.asset) : text("holding.add"),
            fields: [
                { name: "asset", label: text("coin"), value: row?.asset ?? "",
                    readonly: row !== null, placeholder: "BTC" },
                { name: "quantity", label: text("quantity"), value: row?.quantity ?? "",
                    inputmode: "decimal" },
                { name: "averagePrice", label: text("averagePrice"),
                    value: row?.averagePrice ?? "", inputmode: "decimal",
                    placeholder: text("holding.noPrice") },
            ],
            submit: async ({ asset, quantity, averagePrice }) => {
                const name = asset.toUpperCase();
                if (name === "") throw refusal(text("holding.noAsset"));
                if (!isNumber(plain(quantity))) throw refusal(text("holding.noQuantity"));
                const path = `/v1/me/holdings/${encodeURIComponent(name)}`;
                const price = plain(averagePrice);
                await user.send("PUT", path,
                    { quantity: plain(quantity), averagePrice: price === "" ? null : price });
                this.#context.notify(text("holding.saved", name));
            },
        });
    }

    async #remove({ asset }) {
        const { text, user } = this.#context;
        if (!await ask(this.#context, text("holding.question", asset), text("remove"))) return;
        await attempt(this.#context, async () => {
            await user.send("DELETE", `/v1/me/holdings/${encodeURIComponent(asset)}`);
            this.#context.notify(text("holding.removed", asset));
        });
        this.#content.focus();
    }

    #editCash() {
        const { text, user } = this.#context;
        openForm(this.#context, {
            title: text("cash.edit"),
            fields: [{ name: "amount", label: text("cashField"), inputmode: "decimal",
                value: this.#document?.state.portfolio.cash.amount ?? "",
                placeholder: text("cash.hint") }],
            submit: async ({ amount }) => {
                if (amount === "") await user.send("DELETE", "/v1/me/cash");
                else await user.send("PUT", "/v1/me/cash", { amount: plain(amount) });
                this.#context.notify(text(amount === "" ? "cash.removed" : "cash.saved"));
            },
        });
    }
}

/** A decimal as the user may write it; commas only between thousands, so that 1,5 is refused. */
function plain(text) {
    return /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
}

function isNumber(text) {
    return text !== "" && Number.isFinite(Number(text));
}

/** Commas in the whole part of an exact decimal that has no text of its own. */
function grouped(decimal) {
    return decimal?.replace(/^(-?)(\d+)/, (_, minus, whole) =>
        minus + whole.replace(/\B(?=(\d{3})+$)/g, ",")) ?? null;
}

function signed(text) {
    return text && !text.startsWith("-") && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A rate has two decimals; the exact value is without trailing zeros. */
function percent(decimal, isSigned = false) {
    if (decimal === null || decimal === undefined) return null;
    const [whole, fraction = ""] = decimal.split(".");
    const text = `${whole}.${fraction.padEnd(2, "0")}`;
    return `${isSigned ? signed(text) : text}%`;
}
