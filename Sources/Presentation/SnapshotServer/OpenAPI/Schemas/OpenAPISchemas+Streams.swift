extension OpenAPISchemas {
    /// The data of Server-Sent Events.
    static var streams: KeyValuePairs<String, JSONValue> {
        let path: JSONValue = .text.saying(
            "Dotted from `state`; in a stream of a snapshot from `state.<document>`."
        )
        return [
            "RowsPatch": .record(
                "Changes of a list whose rows have keys: `market`, `asset`, the `id` of a trade or"
                    + " the `openTime` of a candle.",
                [
                    "path": path,
                    "upsert": .list(["type": "object"])
                        .saying("Rows that are new or changed, whole."),
                    "remove": .list(.text).saying("The keys of rows that are gone."),
                    "order": .list(.text).orNull
                        .saying("All keys in their order; null: it is as it was."),
                ]
            ),
            "ValuePatch": [
                "type": "object", "description": "A value that is replaced whole.",
                "required": ["path", "value"],
                "properties": ["path": path, "value": true],
            ],
            "PatchEvent": .record(
                "The data of `event: patch`: what changed since the event before.",
                [
                    "asOf": .time,
                    "patches": .list(["oneOf": [.schema("RowsPatch"), .schema("ValuePatch")]]),
                ]
            ),
        ]
    }
}
