import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationHTTP

@Suite("Streams of a user's alerts")
struct AlertStreamTests {
    private static func events(_ reader: StreamSubscription) throws -> [StreamedEvent] {
        var events: [StreamedEvent] = []
        while case .bytes(let bytes) = reader.served() { events += try StreamedEvent.events(bytes) }
        return events
    }

    @Test("an alert is one patch: its row first in the log, and the time of its rule")
    func firing() throws {
        var bench = StreamFixture()
        let person = StreamUser(4, bench)
        person.changeAlerts { $0.add("BTC > 150000000 again 10m") }
        let reader = try bench.streams.subscribe(to: person.query(.alerts(.korean)))
        let first = try #require(try Self.events(reader).first)
        #expect(first.name == "snapshot")
        let document = try OrderedJSON(first.data.utf8)
        #expect(document["schema"] == .string("alerts"))
        #expect(document["state"]?["rows"]?.elements?.count == 1)
        person.changeAlerts {
            $0.fire(1, of: UserID(4), "BTC_KRW", "150012000", at: .noon(9))
        }
        bench.wait(.milliseconds(100)) { _ in }
        let events = try Self.events(reader)
        #expect(events.map(\.name) == ["patch"])
        let patches = try #require(try OrderedJSON(events[0].data.utf8)["patches"]?.elements)
        #expect(patches.map { $0["path"]?.text } == ["rows", "log", "unseen"])
        let rule = try #require(patches[0]["upsert"]?.elements?.first)
        #expect(rule["lastFiredAt"]?.text == "2026-11-20T12:00:09.000000+09:00")
        #expect(patches[1]["insert"] == .string("first"))
        let alert = try #require(patches[1]["upsert"]?.elements?.first)
        #expect(alert["alertText"]?.text == "BTC 150,000,000원 이상으로 상승")
        #expect(patches[2]["value"] == .number("1"))
    }

    @Test("news of the market and of other parts of the record send no event of alerts")
    func silence() throws {
        var bench = StreamFixture()
        let person = StreamUser(4, bench)
        person.changeAlerts { $0.add("BTC > 150000000") }
        let reader = try bench.streams.subscribe(to: person.query(.alerts(.korean)))
        _ = try Self.events(reader)
        for price in ["144000000", "145000000", "151000000"] as [FixedDecimal] {
            bench.wait(.seconds(1)) { $0.trade("BTC_KRW", at: price) }
            person.keep(["BTC_KRW"], cash: price)
        }
        bench.wait(.seconds(1)) { _ in }
        #expect(try Self.events(reader).filter { $0.name != "bookmark" }.isEmpty)
    }

    @Test("a rule expires in the stream without a change of the record")
    func expiry() throws {
        var bench = StreamFixture()
        let person = StreamUser(4, bench)
        person.changeAlerts { $0.add("BTC > 150000000 until 2026-11-20T21:03:12") }
        let reader = try bench.streams.subscribe(to: person.query(.alerts(.english)))
        let first = try #require(try Self.events(reader).first)
        #expect(first.data.contains(#""state":"active""#))
        bench.wait(.seconds(2)) { _ in }
        let patch = try #require(try Self.events(reader).first { $0.name == "patch" })
        #expect(patch.data.contains(#""state":"expired","stateText":"expired""#))
    }

    @Test("the alerts in a snapshot have their own language")
    func queries() throws {
        func read(_ parameters: (String, String)...) throws -> UserStreamQuery {
            try UserStreamQuery(parameters.map { (name: $0.0, value: $0.1) })
        }
        #expect(try read(("documents", "alerts")) == .own(.alerts(.korean)))
        #expect(try read(("documents", "alerts"), ("lang", "en")) == .own(.alerts(.english)))
        let both = UserSnapshotQuery(
            market: SnapshotQuery(marketList: nil, marketDetail: nil),
            portfolio: .korean,
            alerts: .english
        )
        let query = try read(("documents", "portfolio,alerts"), ("alerts.lang", "en"))
        #expect(query == .own(.snapshot(both)))
        #expect(throws: Problem.self) { try read(("documents", "alert-log")) }
        #expect(throws: Problem.self) {
            try read(("documents", "portfolio,assets"), ("alerts.lang", "en"))
        }
    }
}
