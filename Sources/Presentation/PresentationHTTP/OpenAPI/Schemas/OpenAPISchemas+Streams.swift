import JSON
import ViewStates

extension OpenAPISchemas {
    /// Server-Sent Events: `event`, `id` and `data` as members of an object.
    static var streams: [JSONValue.Member] {
        let path: JSONValue = .text.described(
            "Dotted from `state`; in a stream of a snapshot from `state.<document>`."
        )
        let rowsPatch: [JSONValue.Member] = [
            .init("path", path),
            .init(
                "upsert",
                .list(["type": "object", "additionalProperties": true])
                    .described("Rows that are new or changed, whole.")
            ),
            .init("remove", .list(.text).described("The keys of rows that are gone.")),
            .init(
                "order",
                .list(.text).orNull
                    .described(
                        "All keys in their order; null: it is as it was, and new rows stand in"
                            + " theirs before all others in trades, behind all others in every"
                            + " other list."
                    )
            ),
        ]
        return [
            .init(
                "RowsPatch",
                .record(
                    "Changes of a list whose rows have keys: `market`, `asset`, the `id` of a trade"
                        + " or the `openTime` of a candle.",
                    rowsPatch
                )
            ),
            .init(
                "ValuePatch",
                [
                    "type": "object", "description": "A value that is replaced whole.",
                    "required": ["path", "value"],
                    "properties": ["path": path, "value": true],
                ]
            ),
            .init(
                "PatchEvent",
                .record(
                    "The data of `event: patch`: what changed since the event before.",
                    [
                        .init("asOf", .time),
                        .init(
                            "patches",
                            .list(["oneOf": [.schema("RowsPatch"), .schema("ValuePatch")]])
                        ),
                    ]
                )
            ),
            .init(
                "Event",
                event(
                    "An event of a document that everybody gets.",
                    documents: [
                        "MarketListDocument", "MarketDetailDocument", "OrderBookDocument",
                        "TradesDocument", "CandlesDocument", "AssetsDocument", "SnapshotDocument",
                    ]
                )
            ),
            .init(
                "PersonalEvent",
                event(
                    "An event of documents as a user sees them.",
                    documents: [
                        "PersonalMarketListDocument", "PortfolioDocument", "MarketDetailDocument",
                        "OrderBookDocument", "TradesDocument", "CandlesDocument", "AssetsDocument",
                        "PersonalSnapshotDocument",
                    ]
                )
            ),
        ]
    }

    private static func event(_ description: String, documents: [String]) -> JSONValue {
        [
            "type": "object", "description": .string(description), "required": ["event", "data"],
            "properties": [
                "event": .values(["snapshot", "patch", "bookmark", "reset", "bye"]),
                "id": .text.described("The revision."),
                "data": .text,
            ],
            "oneOf": [
                event(
                    ["snapshot", "reset"],
                    data: ["oneOf": .array(documents.map { .schema($0) })]
                ),
                event(["patch"], data: .schema("PatchEvent")),
                event(["bookmark", "bye"], data: ["type": "object"]),
            ],
        ]
    }

    private static func event(_ names: [String], data: JSONValue) -> JSONValue {
        [
            "properties": [
                "event": .values(names),
                "data": [
                    "type": "string", "contentMediaType": "application/json",
                    "contentSchema": data,
                ],
            ]
        ]
    }
}
