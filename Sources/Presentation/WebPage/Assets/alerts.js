// The screen 알림: rules, and the log of what fired.

import { ask } from "./dialogs.js";
import { element, keyName, setAttribute, setShown, setText } from "./dom.js";
import { Table, attempt, signInPanel, tableCell, timeText } from "./personal-view.js";
import { failureText } from "./user.js";

const MARKS = { active: "●", fired: "✓", expired: "○" };

/** The screen 알림. */
export class AlertsView {
    #context;
    #alerts = null;
    #rules;
    #log;
    #noRules;
    #noAlerts;
    #input;
    #error;
    #button;
    #seenThrough = null;

    constructor(context) {
        this.#context = context;
        this.element = element("section", { class: "alerts personal" });
        this.#build();
    }

    get title() {
        return this.#context.text("page.alerts");
    }

    get question() {
        return null;
    }

    get personalQuestion() {
        const lang = this.#context.settings.language;
        return { documents: "alerts", "alerts.lang": lang };
    }

    showPersonal(document) {
        const alerts = document.state.alerts;
        if (!alerts || alerts === this.#alerts) return;
        this.#alerts = alerts;
        this.#rules.show(alerts.rows);
        this.#log.show(alerts.log);
        const { text } = this.#context;
        setShown(this.#noRules, alerts.rows.length === 0);
        setText(this.#noRules, text("noRules"));
        setShown(this.#noAlerts, alerts.log.length === 0);
        setText(this.#noAlerts, text("noAlerts"));
        this.#markSeen(alerts);
    }

    key(event) {
        const name = keyName(event);
        if (!this.#context.token) return false;
        if (name === "a") this.#input.focus();
        else if (name === "v") {
            const { text } = this.#context;
            this.#context.announce(this.#alerts?.log[0]?.alertText ?? text("noAlerts"));
        } else return false;
        return true;
    }

    close() {}

    #build() {
        const { text, token } = this.#context;
        const bar = element("div", { class: "toolbar" }, element("h1", {}, this.title));
        this.element.append(bar);
        if (!token) {
            this.element.append(signInPanel(this.#context, "alerts.signIn"));
            return;
        }
        this.#noRules = element("p", { class: "empty", id: "no-rules" }, text("state.loading"));
        this.#noAlerts = element("p", { class: "empty", id: "no-alerts" }, text("state.loading"));
        this.#rules = new Table({
            id: "rules", caption: text("rules"), keyOf: (row) => row.id,
            columns: [["rule", text("rule")], ["state", text("rule.state")],
                ["fired", text("rule.lastFired")], ["expires", text("rule.expires")],
                ["actions", text("actions")]],
            makeRow: () => this.#makeRule(),
        });
        this.#log = new Table({
            id: "log", caption: text("alert.history"), keyOf: (row) => row.id,
            columns: [["time", text("alert.time")], ["content", text("alert.content")]],
            makeRow: () => this.#makeAlert(),
        });
        this.#rules.show([]);
        this.#log.show([]);
        this.element.append(element("div", { class: "scroll", tabindex: "0", role: "region",
            "aria-label": this.title }, this.#form(),
            element("h2", {}, text("rules")), this.#rules.element, this.#noRules,
            element("h2", {}, text("alert.history")), this.#log.element, this.#noAlerts));
    }

    #form() {
        const { text } = this.#context;
        this.#error = element("p", { class: "error", role: "alert", hidden: true });
        this.#input = element("input", { id: "rule", name: "rule", type: "text",
            autocomplete: "off", autocapitalize: "off", spellcheck: "false",
            "aria-describedby": "rule-help", placeholder: text("rule.example") });
        this.#button = element("button", { type: "submit", class: "primary" }, text("alert.add"));
        // Rules stand between backticks.
        const examples = text("rule.help").split("`").map((part, place) =>
            place % 2 === 1 ? element("code", {}, part) : part);
        const form = element("form", { class: "rule-form", id: "add-rule" },
            element("label", { for: "rule" }, text("rule")),
            element("div", { class: "line" }, this.#input, this.#button),
            element("p", { class: "note", id: "rule-help" }, ...examples), this.#error);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#add();
        });
        this.#input.addEventListener("keydown", (event) => {
            if (event.key !== "Escape" || event.isComposing) return;
            this.#input.blur();
            event.stopPropagation();
        });
        return form;
    }

    async #add() {
        const { text, user, settings } = this.#context;
        const rule = this.#input.value.trim();
        if (this.#button.disabled) return;
        if (rule === "") {
            this.#showError(text("rule.empty"));
            this.#input.focus();
            return;
        }
        this.#button.disabled = true;
        setShown(this.#error, false);
        try {
            const path = `/v1/me/alerts?${new URLSearchParams({ lang: settings.language })}`;
            const answer = await user.send("POST", path, { rule });
            this.#input.value = "";
            this.#context.notify(text("alert.added", answer.state.ruleText));
        } catch (error) {
            this.#showError(failureText(error, text));
        } finally {
            this.#button.disabled = false;
        }
    }

    #showError(reason) {
        setText(this.#error, reason);
        setShown(this.#error, true);
    }

    #makeRule() {
        const { text } = this.#context;
        const sentence = element("span");
        const source = element("code", { class: "symbol" });
        const note = element("span", { class: "note" });
        const state = tableCell("state");
        const fired = tableCell("fired");
        const expires = tableCell("expires");
        let shown = null;
        const remove = element("button", { type: "button", class: "small", "data-action": "remove",
            onclick: () => this.#remove(shown) }, text("remove"));
        const node = element("tr", {}, element("th", { scope: "row", class: "rule" },
            sentence, source, note), state, fired, expires, tableCell("actions", remove));
        const update = (row) => {
            shown = row;
            setAttribute(node, "data-rule", row.id);
            setText(sentence, row.ruleText);
            setText(source, row.rule);
            setText(note, row.note ?? "");
            setText(state, `${MARKS[row.state] ?? ""} ${row.stateText}`);
            setText(fired, timeText(row.lastFiredAt));
            setText(expires, timeText(row.expiresAt));
            setAttribute(remove, "aria-label", text("alert.remove", row.ruleText));
        };
        return { element: node, update };
    }

    #makeAlert() {
        const { text } = this.#context;
        const time = tableCell("time");
        const sentence = element("span");
        const link = element("a", { class: "main", hidden: true });
        const marks = element("span", { class: "mark", hidden: true });
        const node = element("tr", {}, time,
            tableCell("content", sentence, " ", link, " ", marks));
        const update = (row) => {
            setAttribute(node, "data-alert", row.id);
            setText(time, timeText(row.at));
            setText(sentence, row.alertText);
            setShown(link, row.market !== null);
            if (row.market) {
                setText(link, row.market.replace("_", "/"));
                setAttribute(link, "href", `/m/${encodeURIComponent(row.market)}`);
            }
            setShown(marks, row.late === true);
            if (row.late) setText(marks, row.reasonText ?? text("alert.late"));
        };
        return { element: node, update };
    }

    async #remove({ id, ruleText }) {
        const { text, user } = this.#context;
        if (!await ask(this.#context, text("alert.question", ruleText), text("remove"))) return;
        await attempt(this.#context, async () => {
            await user.send("DELETE", `/v1/me/alerts/${encodeURIComponent(id)}`, null,
                { "If-Match": "*" });
            this.#context.notify(text("alert.removed"));
        });
        this.#input.focus();
    }

    /** Alerts on this screen count as seen. */
    async #markSeen({ unseen, log }) {
        const newest = log[0]?.id;
        if (unseen === 0 || !newest || newest === this.#seenThrough || document.hidden) return;
        this.#seenThrough = newest;
        const path = "/v1/me/alerts/log";
        // A read-only token cannot mark anything: the number stays.
        await this.#context.user.send("PATCH", path, { seenThrough: newest }).catch(() => null);
    }
}
