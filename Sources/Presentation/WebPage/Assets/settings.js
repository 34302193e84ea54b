// Settings of this browser: language, look, and how lists are shown. Never a token.

const PREFIX = "hoga.";

/** The values of each setting, its default first; that of the language is the browser's. */
const VALUES = {
    language: ["ko", "en"],
    theme: ["system", "light", "dark"],
    colors: ["korean", "western"],
    shortcuts: ["on", "off"],
    tab: ["krw", "btc", "popular", "favorites"],
    period: ["24H", "MID", "12H", "1H", "30M"],
    sort: ["popularity", "name", "price", "changeRate", "tradeValue"],
    direction: ["desc", "asc"],
};

/** The values that a setting may have. */
export function valuesOf(name) {
    return VALUES[name] ?? [];
}

/** Reads and writes settings; tells its listeners the name of each that changes. */
export class Settings {
    #listeners = new Set();
    /** Values that storage refuses to keep, e.g. in a private window. */
    #memory = new Map();

    get language() {
        return this.get("language");
    }

    get theme() {
        return this.get("theme");
    }

    get colors() {
        return this.get("colors");
    }

    /** The value, or the default; null for an unknown setting that was never set. */
    get(name) {
        const values = VALUES[name];
        const value = this.#memory.get(name) ?? stored(name);
        if (!values) return value;
        if (values.includes(value)) return value;
        return name === "language" ? languageOf(navigator.language) : values[0];
    }

    set(name, value) {
        if (VALUES[name] && !VALUES[name].includes(value)) return;
        if (this.get(name) === value) return;
        try {
            localStorage.setItem(PREFIX + name, value);
            this.#memory.delete(name);
        } catch {
            this.#memory.set(name, value);
        }
        this.#tell(name);
    }

    /**
     * Calls a listener with the name of each setting that changes.
     *
     * @returns {() => void} ends the subscription
     */
    subscribe(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }

    /** Applies the look to the page, now and after each change of the settings or the system. */
    applyLook() {
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const apply = () => {
            const theme = this.theme === "system" ? (dark.matches ? "dark" : "light") : this.theme;
            const root = document.documentElement;
            root.lang = this.language;
            const isSame = root.dataset.theme === theme && root.dataset.colors === this.colors;
            if (isSame) return;
            root.dataset.theme = theme;
            root.dataset.colors = this.colors;
            window.dispatchEvent(new CustomEvent("hoga:theme"));
        };
        apply();
        dark.addEventListener("change", apply);
        this.subscribe(apply);
        // Another tab changed a setting.
        window.addEventListener("storage", ({ key }) => {
            if (key?.startsWith(PREFIX)) this.#tell(key.slice(PREFIX.length));
        });
    }

    #tell(name) {
        for (const listener of [...this.#listeners]) listener(name);
    }
}

/** The page's language for one of the browser: Korean for Korean and unknown ones. */
function languageOf(tag) {
    return !tag || /^ko\b/i.test(tag) ? "ko" : "en";
}

function stored(name) {
    try {
        return localStorage.getItem(PREFIX + name);
    } catch {
        return null;
    }
}
