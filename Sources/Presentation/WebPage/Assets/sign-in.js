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
    const dialog = openForm(context, {
        title: text("signIn"),
        note: (isNeeded ? `${text("token.public")} ` : "") + text("token.note"),
        action: text("signIn"),
        // Not of type password: browsers offer to store those.
        fields: [{ name: "token", label: text("token"), class: "secret" }],
        submit: async ({ token }, signal) => {
            if (token === "") throw refusal(text("token.empty"));
            // A header field has no other characters.
            if (!/^[\x21-\x7e]+$/.test(token)) throw refusal(text("token.invalid"));
            const client = new Client(location.origin, { token, fetch: fetchWithClock });
            const profile = await client.get("/v1/me", {}, { signal });
            // The dialog is closed before its signal is aborted.
            if (dialog.open) done(token, profile);
        },
    });
    dialog.id = "sign-in";
    opened = dialog;
}
