// Signing in with a token, which stays in this tab.

import { openForm, refusal } from "./dialogs.js";
import { Client } from "./hoga.js";
import { fetchWithClock } from "./streams.js";

let opened = null;

/**
 * Asks for a token and checks it.
 *
 * @param {object} context
 * @param {{isNeeded?: boolean, done: (token: string, profile: object) => void}} options
 *     `isNeeded`: public documents need a token, too
 */
export function openSignIn(context, { isNeeded = false, done }) {
    if (opened?.open) return;
    const { text } = context;
    opened = openForm(context, {
        title: text("signIn"),
        note: (isNeeded ? `${text("token.public")} ` : "") + text("token.note"),
        action: text("signIn"),
        fields: [{ name: "token", label: text("token"), type: "password" }],
        submit: async ({ token }) => {
            if (token === "") throw refusal(text("token.empty"));
            // A header field has no other characters.
            if (!/^[\x21-\x7e]+$/.test(token)) throw refusal(text("token.invalid"));
            const client = new Client(location.origin, { token, fetch: fetchWithClock });
            done(token, await client.get("/v1/me"));
        },
    });
    opened.id = "sign-in";
}
