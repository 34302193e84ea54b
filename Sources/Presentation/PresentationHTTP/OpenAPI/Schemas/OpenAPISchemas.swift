import Domain
import ViewStates

/// The schemas of everything that goes over the public listener, by name.
///
/// They are written by hand, beside the encoders and not made from them: tests compare both, so
/// that neither changes alone.
enum OpenAPISchemas {
    /// All of them, in the order in which they are shown.
    static var all: [JSONValue.Member] {
        let parts: [KeyValuePairs<String, JSONValue>] = [
            values, envelope, marketList, marketDetail, orderBook, trades, candles, assets,
            portfolio, stored, about, documents, streams, problem, inputs,
        ]
        return parts.flatMap { part in
            part.map { JSONValue.Member(key: $0.key, value: $0.value) }
        }
    }

    /// Values that all documents have.
    private static var values: KeyValuePairs<String, JSONValue> {
        [
            "Decimal": .text(pattern: #"^(?!-0$)-?(0|[1-9][0-9]*)(\.[0-9]{0,17}[1-9])?$"#)
                .saying(
                    "An exact decimal as a string in canonical form: a digit before the point, no"
                        + " exponent, no trailing zeros, at most 18 fraction digits."
                ),
            "Time": .text(
                pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}"
                    + #"\.[0-9]{6}\+09:00$"#
            )
            .with("format", "date-time")
            .saying("ISO 8601 with microseconds, always of Seoul."),
            "Date": .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
                .with("format", "date").saying("A day in Seoul."),
            "Market": .text(pattern: "^[A-Z0-9_]{1,20}_(KRW|BTC)$")
                .saying("A market by its canonical name, `BTC_KRW`."),
            "Asset": .text(pattern: "^[A-Z0-9_]{1,20}$").saying("A coin by its code, `BTC`."),
            "Direction": .words(DirectionViewState.self).saying("Which way a value went."),
            "Transfer": .words(TransferViewState.self)
                .saying("Whether deposits or withdrawals of a coin are possible."),
            "Name": .record(
                "A coin's names; null where none is known.",
                ["ko": .text.orNull, "en": .text.orNull]
            ),
        ]
    }

    /// What stands around every state, and the health inside it.
    private static var envelope: KeyValuePairs<String, JSONValue> {
        [
            "Revision": .text.with("minLength", 1)
                .saying(
                    "Opaque. Changes exactly when the content changes; ordered only within what"
                        + " stands before its last hyphen."
                ),
            "Source": .record(
                "Where a document's data come from.",
                ["exchange": .text, "feed": .words(FeedLabel.self), "api": .text]
            ),
            "Failure": .record(
                "What stands in the way of fresh data.",
                [
                    "code": .text.saying("A stable word for programs."),
                    "message": .text.saying("A sentence for people."),
                    "retryable": .flag,
                    "nextRetryAt": .time.orNull,
                ]
            ),
            "Health": .record(
                "How fresh and complete a block is. All times are absolute: its age is the `Date`"
                    + " header less `at`. A failed refresh keeps the last good data beside"
                    + " `error`.",
                [
                    "phase": .words(HealthViewState.Phase.self),
                    "at": .time.orNull,
                    "staleAfter": .time.orNull,
                    "origin": .words(HealthViewState.Origin.self).orNull,
                    "complete": .flag,
                    "error": .schema("Failure").orNull,
                ]
            ),
        ]
    }
}
