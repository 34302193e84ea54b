import JSON
import ViewStates
import TestSupport
import Testing

@testable import Domain
@testable import PresentationHTTP

@Suite("Streamed documents and patches match their OpenAPI schemas")
struct OpenAPIStreamTests {
    /// A document, its schema, and the schemas of its rows by path.
    private static let streamed: [(query: DocumentQuery, schema: String, rows: [String: String])] =
        [
            (.marketList(StreamFixture.byPrice), "MarketListDocument", ["rows": "MarketRow"]),
            (
                .marketDetail(StreamFixture.detail), "MarketDetailDocument",
                ["trades.rows": "Trade", "chart.candles": "Candle"]
            ),
            (.trades(StreamFixture.detail), "TradesDocument", ["rows": "Trade"]),
            (.assets(AssetsQuery()), "AssetsDocument", ["rows": "AssetRow"]),
            (
                .snapshot(
                    SnapshotQuery(
                        marketList: StreamFixture.byPrice,
                        marketDetail: StreamFixture.detail
                    )
                ), "SnapshotDocument",
                [
                    "market-list.rows": "MarketRow", "market-detail.trades.rows": "Trade",
                    "market-detail.chart.candles": "Candle",
                ]
            ),
        ]

    @Test("public documents, patches and upserted rows match their schemas")
    func events() throws {
        var bench = StreamFixture()
        var generator = SeededGenerator(seed: 31)
        var validator = SchemaValidator(
            try OrderedJSON(OpenAPIDocument.bytes(version: "0.0.0"))
        )
        let readers = try Self.streamed.map { try bench.streams.subscribe(to: $0.query) }
        var rowCount = 0
        for _ in 0..<60 {
            let event = StreamEvents.random(&generator)
            bench.wait(event.wait, event.change)
            for (reader, streamed) in zip(readers, Self.streamed) {
                while case .bytes(let bytes) = reader.served() {
                    for event in try StreamedEvent.events(bytes) {
                        rowCount += try check(event, streamed.schema, streamed.rows, &validator)
                    }
                }
            }
        }
        #expect(rowCount > 50)
    }

    @Test("a user's documents, patches and upserted rows match their schemas")
    func personalEvents() throws {
        var bench = StreamFixture()
        var generator = SeededGenerator(seed: 32)
        var validator = SchemaValidator(
            try OrderedJSON(OpenAPIDocument.bytes(version: "0.0.0"))
        )
        let person = StreamUser(4, bench)
        let query = UserSnapshotQuery(
            market: SnapshotQuery(
                marketList: StreamFixture.byPrice,
                marketDetail: StreamFixture.detail,
                assets: AssetsQuery()
            ),
            portfolio: .korean,
            alerts: .english
        )
        let rows = [
            "market-list.rows": "PersonalMarketRow", "market-detail.trades.rows": "Trade",
            "market-detail.chart.candles": "Candle", "assets.rows": "AssetRow",
            "portfolio.rows": "PortfolioRow", "alerts.rows": "AlertRule",
            "alerts.log": "LoggedAlert",
        ]
        let reader = try bench.streams.subscribe(to: person.query(.snapshot(query)))
        var rowCount = 0
        for _ in 0..<60 {
            person.changeSomething(&generator)
            let event = StreamEvents.random(&generator)
            bench.wait(event.wait, event.change)
            while case .bytes(let bytes) = reader.served() {
                for event in try StreamedEvent.events(bytes) {
                    rowCount += try check(event, "PersonalSnapshotDocument", rows, &validator)
                }
            }
        }
        #expect(rowCount > 20)
    }

    /// Checks an event; returns the number of its upserted rows.
    private func check(
        _ event: StreamedEvent,
        _ schema: String,
        _ rows: [String: String],
        _ validator: inout SchemaValidator
    ) throws -> Int {
        let data = try OrderedJSON(event.data.utf8)
        switch event.name {
        case "snapshot", "reset":
            #expect(validator.faults(of: data, schema) == [])
            return 0
        case "patch": break
        default:
            #expect(event.name == "bookmark" && data == .object([]))
            return 0
        }
        #expect(validator.faults(of: data, "PatchEvent") == [])
        var count = 0
        for patch in data["patches"]?.elements ?? [] {
            guard let upsert = patch["upsert"]?.elements else { continue }
            let row = try #require(rows[patch["path"]?.text ?? ""])
            for element in upsert { #expect(validator.faults(of: element, row) == []) }
            count += upsert.count
        }
        return count
    }
}
