// The page: routes, keys, streams and what views share.

import { Account } from "./account.js";
import { openHelp, openSettings } from "./dialogs.js";
import { element, setShown, setText } from "./dom.js";
import { Header, footer } from "./header.js";
import { Client } from "./hoga.js";
import { listenToKeys, listenToLinks } from "./keys.js";
import { Messages } from "./messages.js";
import { Settings } from "./settings.js";
import { Stream, fetchWithClock, worse } from "./streams.js";
import { healthErrorText, textOf } from "./strings.js";
import { problemText, User } from "./user.js";

/** The module and class of each view, by the first part of a path. */
const VIEWS = {
    "": ["market", () => import("./market-list.js"), "MarketListView"],
    m: ["market", () => import("./market.js"), "MarketView"],
    deposits: ["transfers", () => import("./transfers.js"), "TransfersView"],
    portfolio: ["portfolio", () => import("./portfolio.js"), "PortfolioView"],
    alerts: ["alerts", () => import("./alerts.js"), "AlertsView"],
};

class Page {
    #settings = new Settings();
    #user = new User(() => this.#userChanged());
    #publicStream = new Stream("/v1/stream", () => this.#scheduleFrame());
    #personalStream = new Stream("/v1/me/stream", () => this.#scheduleFrame());
    #client = this.#makeClient();
    #header = null;
    #main = element("main", { id: "main", tabindex: "-1" });
    #footer = footer(null);
    #problem = element("p", { id: "problem", class: "error", role: "alert", hidden: true });
    #messages = new Messages();
    #skip = element("a", { class: "skip", href: "#main" });
    #view = null;
    #route = 0;
    #address = null;
    #frame = 0;
    #about = null;
    #feed = null;
    #shown = {};
    #newestAlert = null;
    #context;
    #account;

    /** Builds the page and opens the view of the address. */
    start() {
        this.#settings.applyLook();
        this.#context = this.#makeContext();
        this.#account = new Account(this.#context, this.#user, () => this.#tokenChanged());
        document.querySelector("#loading")?.remove();
        document.body.append(this.#skip, this.#main, this.#footer,
            ...this.#messages.elements);
        this.#makeHeader();
        this.#settings.subscribe((name) => this.#settingChanged(name));
        listenToLinks((url) => this.#navigate(url));
        listenToKeys({
            view: () => this.#view,
            settings: this.#settings,
            navigate: (url) => this.#navigate(url),
            help: () => openHelp(this.#context, this.#about),
            back: () => this.#back(),
            search: () => {
                this.#context.memory.set("search", true);
                this.#navigate("/");
            },
        });
        document.addEventListener("visibilitychange", () => this.#openStreams());
        addEventListener("pagehide", () => this.#closeStreams());
        addEventListener("pageshow", ({ persisted }) => persisted && this.#openStreams());
        setInterval(() => this.#checkStreams(), 1_000);
        addEventListener("online", () => this.#retry());
        addEventListener("popstate", () => {
            if (this.#address !== location.pathname + location.search) this.#openView();
        });
        this.#skip.addEventListener("click", (event) => {
            event.preventDefault();
            this.#main.focus();
        });
        this.#openView();
        this.#readAbout();
        this.#account.readProfile();
    }

    /** What views get; see the constructor of each. */
    #makeContext() {
        const page = this;
        return {
            settings: this.#settings,
            user: this.#user,
            /** Kept while views change: the row that was selected in a list, and the like. */
            memory: new Map(),
            text: (key, ...values) => textOf(this.#settings.language, key, ...values),
            get client() {
                return page.#client;
            },
            get token() {
                return page.#user.token;
            },
            navigate: (url, options) => this.#navigate(url, options),
            reopen: () => this.#openStreams(),
            announce: (text) => this.#messages.announce(text),
            notify: (text) => this.#messages.notify(text),
            signIn: () => this.#account.signIn(false),
            isFavorite: (market) => this.#user.isFavorite(market),
            toggleFavorite: (market) => this.#account.toggleFavorite(market),
        };
    }

    #makeClient() {
        const token = this.#user.token ?? undefined;
        return new Client(location.origin, { token, fetch: fetchWithClock });
    }

    #makeHeader() {
        const { text } = this.#context;
        this.#header?.close();
        this.#header?.element.remove();
        this.#header = new Header({
            text,
            retry: () => this.#retry(),
            sign: () => this.#account.signInOrOut(),
            settings: () => openSettings(this.#context),
            help: () => openHelp(this.#context, this.#about),
        });
        setText(this.#skip, text("skip"));
        this.#skip.after(this.#header.element);
        this.#header.showUser(this.#user);
    }

    #settingChanged(name) {
        if (name !== "language") return;
        this.#makeHeader();
        this.#readAbout();
        this.#openView();
    }

    // Routes.

    /**
     * Opens an address of the page.
     *
     * With `replace` the address of the open view changes, which stays as it is.
     */
    #navigate(url, { replace = false } = {}) {
        const target = new URL(url, location.href);
        const address = target.pathname + target.search;
        if (replace) {
            history.replaceState(history.state, "", address);
            if (target.pathname === this.#address.split("?")[0]) {
                this.#address = address;
                return;
            }
        } else {
            history.pushState({ isInner: true }, "", address);
        }
        this.#openView();
    }

    #back() {
        if (history.state?.isInner) history.back();
        else if (location.pathname !== "/") this.#navigate("/");
    }

    async #openView() {
        const isFirst = this.#address === null;
        this.#address = location.pathname + location.search;
        this.#route += 1;
        const route = this.#route;
        const [first, second] = location.pathname.split("/").slice(1);
        const market = decoded(second ?? "");
        const isMissing = !Object.hasOwn(VIEWS, first) || market === null
            || (first === "m" && market === "");
        const [name, load, className] = isMissing ? [] : VIEWS[first];
        const query = new URLSearchParams(location.search);
        let view = null;
        try {
            if (!isMissing) view = new (await load())[className](this.#context, { market, query });
        } catch (error) {
            console.error(error);
        }
        if (route !== this.#route) return view?.close();
        this.#view?.close();
        this.#view = view;
        this.#shown = {};
        this.#header.showPage(name);
        const content = view?.element ?? this.#placeholder(isMissing);
        this.#main.replaceChildren(this.#problem, content);
        this.#openStreams();
        view?.shown?.();
        const isElsewhere = this.#main.contains(document.activeElement)
            || document.querySelector("dialog[open]");
        if (!isFirst && !isElsewhere) {
            this.#main.focus({ preventScroll: true });
        }
        this.#scheduleFrame();
    }

    /** Stands in place of a screen: its address is wrong, or it could not be loaded. */
    #placeholder(isMissing) {
        const { text } = this.#context;
        const panel = element("div", { class: "empty", role: "alert" },
            element("p", {}, text(isMissing ? "page.missing" : "page.unloaded")));
        if (isMissing) panel.append(element("a", { href: "/" }, text("toMarkets")));
        return panel;
    }

    // Streams.

    #openStreams() {
        // The first view opens them: it is a part of their questions.
        if (document.hidden || !this.#main.firstChild) return this.#closeStreams();
        this.#publicStream.open(this.#client, this.#view?.question ?? null);
        this.#personalStream.open(this.#client, this.#user.question(this.#settings, this.#view));
        this.#scheduleFrame();
    }

    #closeStreams() {
        this.#publicStream.close();
        this.#personalStream.close();
    }

    #checkStreams() {
        if (document.hidden) return;
        this.#publicStream.check();
        this.#personalStream.check();
    }

    #retry() {
        this.#publicStream.retry(this.#client, this.#view?.question ?? null);
        this.#personalStream.retry(this.#client, this.#user.question(this.#settings, this.#view));
    }

    // Drawing, once a frame at most.

    #scheduleFrame() {
        if (this.#frame) return;
        this.#frame = requestAnimationFrame(() => {
            this.#frame = 0;
            this.#draw();
        });
    }

    #draw() {
        const [open, personal] = [this.#publicStream, this.#personalStream];
        const isPublic = Boolean(this.#view?.question);
        const streams = isPublic ? [open, personal] : [personal];
        const connection = this.#view ? worse(streams) : null;
        if (personal.document && this.#user.token) this.#showPersonal(personal);
        if (open.document && isPublic) {
            this.#feed = open.connection.feed ?? this.#feed;
            this.#view.show?.(open.document, open.connection);
        }
        if (!this.#shown.hasUser) {
            this.#shown.hasUser = true;
            this.#header.showUser(this.#user);
            this.#view?.userChanged?.();
        }
        this.#header.showConnection(connection, this.#feed);
        this.#showProblem(connection ?? {});
        const title = this.#view?.title;
        const full = title ? `${title} – hoga` : "hoga";
        if (document.title !== full) document.title = full;
        if (connection) this.#messages.tellState(connection.state, this.#context.text);
    }

    #showPersonal({ document, connection }) {
        this.#feed = connection.feed ?? this.#feed;
        this.#user.show(document.state);
        this.#view?.showPersonal?.(document, connection);
        const newest = document.state.alerts?.log[0] ?? null;
        if (this.#newestAlert !== null && newest && newest.id !== this.#newestAlert) {
            this.#messages.notify(newest.alertText);
        }
        this.#newestAlert = newest?.id ?? "";
    }

    #showProblem({ state, problem }) {
        const error = problem?.error;
        let detail = null;
        if (state === "failed" && error) {
            detail = healthErrorText(error, this.#settings.language);
        } else if (state === "failed" && problem) {
            detail = problemText(problem, this.#context.text);
        }
        setShown(this.#problem, Boolean(detail) && problem.status !== 401);
        if (detail) setText(this.#problem, detail);
        const isRefused = [this.#publicStream, this.#personalStream]
            .some((stream) => stream.connection.problem?.status === 401);
        if (!isRefused || this.#shown.isAsked) return;
        this.#shown.isAsked = true;
        this.#account.refused();
    }

    #userChanged() {
        this.#shown.hasUser = false;
        this.#scheduleFrame();
    }

    #tokenChanged() {
        for (const stream of [this.#publicStream, this.#personalStream]) stream.forget();
        this.#newestAlert = null;
        this.#client = this.#makeClient();
        this.#openView();
        this.#readAbout();
    }

    async #readAbout() {
        const lang = this.#settings.language;
        const about = await this.#client.get("/v1/about", { lang }).catch(() => null);
        if (!about || lang !== this.#settings.language) return;
        this.#about = about;
        this.#feed ??= about.source.feed;
        const made = footer(about);
        this.#footer.replaceWith(made);
        this.#footer = made;
        this.#scheduleFrame();
    }
}

/** A part of a path without its percent signs; null if it is malformed. */
function decoded(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return null;
    }
}

new Page().start();
