// What a user chooses of the market list: its address, and the questions to the server.

import { valuesOf } from "./settings.js";

/** The order of a list that nobody sorted. */
export const STANDARD = { sort: "popularity", direction: "desc" };

/** What a deep link and the settings choose; unknown values count as absent. */
export function choiceOf(query, settings) {
    const pick = (name) => valuesOf(name).includes(query.get(name))
        ? query.get(name) : settings.get(name);
    const asked = query.get("quote")?.toLowerCase();
    const quote = asked === "krw" || asked === "btc" ? asked : null;
    const isOther = ["popular", "favorites"].includes(query.get("tab"));
    return {
        tab: isOther || !quote ? pick("tab") : quote,
        /** Of the popular markets only those of one quote; null for all. */
        quote: isOther ? quote : null,
        sort: pick("sort"),
        direction: pick("direction"),
        period: pick("period"),
        q: (query.get("q") ?? "").trim(),
    };
}

/** The address of a choice. */
export function addressOf({ tab, quote, sort, direction, period, q }) {
    const query = new URLSearchParams();
    if (q) query.set("q", q);
    const isQuote = tab === "krw" || tab === "btc";
    if (!isQuote) query.set("tab", tab);
    if (isQuote || quote) query.set("quote", (isQuote ? tab : quote).toUpperCase());
    query.set("sort", sort);
    query.set("direction", direction);
    query.set("period", period);
    return `/?${query}`;
}

/** Whether favorites stand in the order of their user. */
export function isOwnOrder({ tab, sort, direction }) {
    return tab === "favorites" && sort === STANDARD.sort && direction === STANDARD.direction;
}

/** The question of the public stream; null for favorites. */
export function publicQuestion({ tab, quote, sort, direction, period, q }, lang) {
    if (tab === "favorites") return null;
    const place = tab !== "popular" ? { tab: "markets", quote: tab.toUpperCase() }
        : { tab, ...(quote && { quote: quote.toUpperCase() }) };
    return { documents: "market-list", ...place, sort, direction, period, lang, ...(q && { q }) };
}

/** What favorites add to the question of the personal stream; null for other lists. */
export function personalQuestion(choice) {
    if (choice.tab !== "favorites") return null;
    const { sort, direction, period, q } = choice;
    return {
        documents: "market-list",
        "market-list.period": period,
        ...(!isOwnOrder(choice) && {
            "market-list.sort": sort, "market-list.direction": direction,
        }),
        ...(q && { "market-list.q": q }),
    };
}
