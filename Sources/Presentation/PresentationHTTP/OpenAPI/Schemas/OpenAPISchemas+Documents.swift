import Domain
import ViewStates

extension OpenAPISchemas {
    /// `about`.
    static var about: KeyValuePairs<String, JSONValue> {
        [
            "License": .record(
                "A library that the program is built on or runs with.",
                [
                    "name": .text, "version": .text.orNull,
                    "license": .text.saying("By its SPDX name."), "text": .text,
                ]
            ),
            "AboutState": .record(
                "What this program is, and the bounds in force.",
                [
                    "version": .text,
                    "commit": .text,
                    "limits": .object(["type": "object", "additionalProperties": .count])
                        .saying("The bounds in force, by name."),
                    "licenses": .list(.schema("License")),
                    "authors": .list(.text),
                    "notice": .text,
                ]
            ),
        ]
    }

    /// The whole documents: states in their envelopes.
    static var documents: KeyValuePairs<String, JSONValue> {
        [
            "MarketListDocument": document(MarketListViewState.self, "MarketListState"),
            "PersonalMarketListDocument": document(
                MarketListViewState.self,
                "PersonalMarketListState"
            ),
            "MarketDetailDocument": document(MarketDetailViewState.self, "MarketDetailState"),
            "OrderBookState": alone("OrderBook"),
            "OrderBookDocument": document(
                MarketBlockViewState<OrderBookViewState>.self,
                "OrderBookState"
            ),
            "TradesState": alone("Trades"),
            "TradesDocument": document(MarketBlockViewState<TradesViewState>.self, "TradesState"),
            "CandlesState": alone("Chart"),
            "CandlesDocument": document(MarketBlockViewState<ChartViewState>.self, "CandlesState"),
            "AssetsDocument": document(AssetsViewState.self, "AssetsState"),
            "SnapshotState": snapshot,
            "SnapshotDocument": document(SnapshotViewState.self, "SnapshotState"),
            "PersonalSnapshotState": personalSnapshot,
            "PersonalSnapshotDocument": document(
                SnapshotViewState.self,
                "PersonalSnapshotState"
            ),
            "AboutDocument": document(AboutViewState.self, "AboutState"),
            "PortfolioDocument": document(PortfolioViewState.self, "PortfolioState"),
            "SettingsDocument": storedDocument(SettingsViewState.self, "SettingsState"),
            "FavoritesDocument": storedDocument(FavoritesViewState.self, "FavoritesState"),
            "HoldingsDocument": storedDocument(HoldingsViewState.self, "HoldingsState"),
            "CashDocument": storedDocument(CashViewState.self, "CashState"),
            "ProfileDocument": storedDocument(ProfileViewState.self, "ProfileState"),
        ]
    }

    private static var snapshot: JSONValue {
        [
            "type": "object",
            "description": "The states of the documents that were asked for, all from one cut.",
            "minProperties": 1,
            "properties": [
                "market-list": .schema("MarketListState"),
                "market-detail": .schema("MarketDetailState"),
                "assets": .schema("AssetsState"),
            ],
        ]
    }

    private static var personalSnapshot: JSONValue {
        [
            "type": "object",
            "description": "The states of the documents asked for, as the user sees them.",
            "minProperties": 1,
            "properties": [
                "market-list": .schema("PersonalMarketListState"),
                "market-detail": .schema("MarketDetailState"),
                "assets": .schema("AssetsState"),
                "portfolio": .schema("PortfolioState"),
            ],
        ]
    }

    private static func document<State: DocumentState>(
        _ type: State.Type,
        _ state: String
    ) -> JSONValue {
        .record(
            "The document `\(type.schemaName)`, version \(type.schemaVersion).",
            [
                "schema": .constant(type.schemaName),
                "version": ["type": "integer", "const": .integer(type.schemaVersion)],
                "revision": .schema("Revision"),
                "asOf": .time.saying("When this revision was cut."),
                "source": .schema("Source"),
                "state": .schema(state),
            ]
        )
    }

    private static func storedDocument<State: DocumentState>(
        _ type: State.Type,
        _ state: String
    ) -> JSONValue {
        .record(
            "The document `\(type.schemaName)`, version \(type.schemaVersion). It is kept in the"
                + " store: its revision is the same on every instance.",
            [
                "schema": .constant(type.schemaName),
                "version": ["type": "integer", "const": .integer(type.schemaVersion)],
                "revision": .text(pattern: "^u[0-9]+-([0-9]+|unread)$"),
                "state": .schema(state),
            ]
        )
    }
}
