import JSON
import ViewStates

extension OpenAPISchemas {
    /// Server-Sent Events: `event`, `id` and `data` as members of an object.
    static var streams: [JSONValue.Member] {
        [
            .init(
                "RowsPatch",
                .record(
                    "Changes of a keyed list; keys are `market`, `asset`, the `id` of a trade,"
                        + " alert rule or alert, or a candle's `openTime`.",
                    rowsPatch
                )
            ),
            .init(
                "ValuePatch",
                [
                    "type": "object", "description": "A value that is replaced as a whole.",
                    "required": ["path", "value"],
                    "properties": ["path": path, "value": true],
                ]
            ),
            .init(
                "PatchEvent",
                .record(
                    "The data of `event: patch`: the changes since the previous event.",
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
                    "An event of a shared document.",
                    documents: [
                        "MarketListDocument", "MarketDetailDocument", "OrderBookDocument",
                        "TradesDocument", "CandlesDocument", "AssetsDocument", "SnapshotDocument",
                    ]
                )
            ),
            .init(
                "PersonalEvent",
                event(
                    "An event of a user's own documents.",
                    documents: [
                        "PersonalMarketListDocument", "PortfolioDocument", "LiveAlertsDocument",
                        "MarketDetailDocument", "OrderBookDocument", "TradesDocument",
                        "CandlesDocument", "AssetsDocument", "PersonalSnapshotDocument",
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

    private static let path: JSONValue = .text.described(
        "Dotted from `state`; in a stream of a snapshot from `state.<document>`."
    )

    private static var rowsPatch: [JSONValue.Member] {
        [
            .init("path", path),
            .init(
                "upsert",
                .list(["type": "object", "additionalProperties": true])
                    .described("New and changed rows.")
            ),
            .init("remove", .list(.text).described("The keys of removed rows.")),
            .init(
                "insert",
                .values(of: DocumentParts.InsertPosition.self)
                    .described(
                        "The end at which new rows are put, in the order of `upsert`."
                    )
            ),
            .init(
                "order",
                .list(.text).orNull
                    .described(
                        "All keys in order; null where the order follows from `insert`."
                    )
            ),
        ]
    }
}
