// Signing in and out, and what a token lets one change on every screen.

import { openSignIn } from "./sign-in.js";
import { failureText } from "./user.js";

/** Joins the user of this tab to the page. */
export class Account {
    #context;
    #user;
    #changed;

    /**
     * @param {object} context
     * @param {object} user
     * @param {() => void} changed called behind each change of the token
     */
    constructor(context, user, changed) {
        this.#context = context;
        this.#user = user;
        this.#changed = changed;
    }

    /** Asks for a token. @param {boolean} isNeeded public documents need one, too */
    signIn(isNeeded) {
        openSignIn(this.#context, {
            isNeeded,
            done: (token, profile) => {
                this.#setToken(token);
                this.#user.setProfile(profile);
                const name = profile.state.displayName ?? profile.state.name;
                this.#context.notify(this.#context.text("signedIn", name));
            },
        });
    }

    /** What the button in the header does. */
    signInOrOut() {
        if (!this.#user.token) return this.signIn(false);
        this.#setToken(null);
        this.#context.notify(this.#context.text("signedOut"));
    }

    /** The server refused the token, or asked for one. */
    refused() {
        if (!this.#user.token) return this.signIn(true);
        this.#setToken(null);
        this.#context.notify(this.#context.text("token.invalid"));
    }

    /** Adds or removes a favorite; asks for a token if there is none. */
    async toggleFavorite(market) {
        const { text } = this.#context;
        if (!this.#user.token) {
            this.signIn(false);
            return null;
        }
        try {
            const isFavorite = await this.#user.toggleFavorite(market);
            const key = isFavorite ? "favorite.added" : "favorite.removed";
            this.#context.announce(text(key, market.split("_")[0]));
            return isFavorite;
        } catch (error) {
            this.#context.notify(`${text("notSaved")}: ${failureText(error, text)}`);
            return this.#user.isFavorite(market);
        }
    }

    /** Reads whose token a reloaded page has. */
    async readProfile() {
        const { token } = this.#user;
        if (!token) return;
        const profile = await this.#context.client.get("/v1/me").catch(() => null);
        if (profile && token === this.#user.token) this.#user.setProfile(profile);
    }

    #setToken(token) {
        this.#user.token = token;
        this.#changed();
    }
}
