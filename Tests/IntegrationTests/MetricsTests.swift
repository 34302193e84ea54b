import Domain
import ExchangeSimulator
import Foundation
import HTTPServer
import PresentationHTTP
import Testing

@testable import App

@Suite("Metrics of a running program", .timeLimit(.minutes(4)))
struct MetricsTests {
    /// The names of the contract.
    private static let contract: Set<String> = [
        "hoga_feed_age_seconds", "hoga_feed_reconnects_total", "hoga_decode_skipped_total",
        "hoga_book_heals_total", "hoga_trades_dropped_total", "hoga_upstream_requests_total",
        "hoga_http_requests_total", "hoga_http_duration_seconds", "hoga_streams",
        "hoga_stream_resets_total", "hoga_store_up", "hoga_pool_wait_seconds",
        "hoga_candle_leader", "hoga_candle_lag_seconds", "hoga_candle_buffer_rows",
        "hoga_build_info",
    ]

    /// Parsed metrics: types by name, and values by name and labels.
    private struct Shown {
        var types: [String: String] = [:]
        var figures: [String: Double] = [:]

        init(_ metrics: Metrics) {
            for line in String(decoding: metrics.text, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                if line.hasPrefix("# TYPE ") {
                    types[String(words[2])] = String(words[3])
                } else if !line.hasPrefix("#"), let value = Double(words[words.count - 1]) {
                    figures[words.dropLast().joined(separator: " ")] = value
                }
            }
        }

        /// Counters by name and labels.
        var growing: [String: Double] {
            figures.filter { name, _ in
                let family = name.prefix { $0 != "{" }
                return types[String(family)] == "counter" || name.hasSuffix("_count")
                    || name.contains("_bucket")
            }
        }
    }

    private func metrics(of markets: Markets) -> Metrics {
        let session = StoreSession(forAll: NoStore(), log: SilentLog(), clock: ContinuousClock())
        let streams = DocumentStreams(
            documents: markets.documents,
            latest: markets.latest,
            interests: markets.interests,
            assetInterests: markets.assetInterests,
            bounds: .init(topicsMax: 10),
            clock: ContinuousClock(),
            random: { $0.lowerBound }
        )
        let unsent = UnsentBytes(bytesMax: 1_000)
        let telemetry = ServiceTelemetry(.off, log: SilentLog())
        return telemetry.metrics(markets, session, streams, unsent, nil)
    }

    /// The metrics that a file below `deploy` names.
    private static func names(in file: String) throws -> Set<String> {
        let text = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../deploy/\(file)"),
            encoding: .utf8
        )
        return Set(text.matches(of: /hoga_[a-z_]+/).map { String($0.output) })
    }

    @Test("every metric of the contract, of the alerts and of the dashboard exists")
    func names() async throws {
        let files = ["alerts.yml", "grafana-dashboard.json"]
        let asked = try files.map { (file: $0, names: try Self.names(in: $0)) }
        try #require(asked.allSatisfy { $0.names.count > 10 })
        try await ConnectedExchange.run(.markets(won: 3, bitcoin: 1, rate: 50)) { followed in
            _ = try await followed.live()
            let shown = Shown(metrics(of: followed.markets))
            #expect(Self.contract.isSubset(of: shown.types.keys))
            for (file, names) in asked {
                for name in names {
                    let family = name.replacing(/_(bucket|sum|count)$/, with: "")
                    #expect(shown.types[family] != nil, "\(file) asks for \(name)")
                }
            }
            #expect(shown.figures["hoga_streams"] == 0)
            #expect(shown.figures["hoga_stream_resets_total"] == 0)
            #expect(shown.figures["hoga_store_up"] == nil, "there is no store")
            let listings = "hoga_upstream_requests_total{category=\"ticker\",status=\"200\"}"
            #expect(shown.figures[listings] ?? 0 >= 2)
            #expect(shown.figures["hoga_feed_age_seconds"] ?? -1 >= 0)
            let names = shown.figures.keys
            #expect(!names.contains { $0.contains("_KRW") }, "no market is a label")
        }
    }

    @Test("counters never decrease, whatever the exchange does")
    func growing() async throws {
        try await ConnectedExchange.run(.markets(won: 5, bitcoin: 1, rate: 500)) { followed in
            _ = try await followed.live()
            let metrics = metrics(of: followed.markets)
            var before = Shown(metrics).growing
            func compare() {
                let now = Shown(metrics).growing
                for (name, value) in before { #expect(now[name] ?? -1 >= value, "\(name)") }
                before = now
            }
            followed.simulator.start(.wrongTypes(every: 3))
            _ = try await followed.snapshot("frames are skipped") {
                $0.board.feed.entriesSkipped > 5
            }
            compare()
            followed.simulator.end(.wrongTypes)
            followed.simulator.start(.connectionDrop)
            _ = try await followed.snapshot("the loss is counted") { $0.board.feed.reconnects > 0 }
            compare()
            _ = try await followed.snapshot("live again") { $0.board.feed.connection == .live }
            followed.simulator.start(.serverError(status: 503))
            followed.markets.feed.reload()
            _ = try await followed.snapshot("the failure is reported") {
                $0.board.feed.listingFailure != nil
            }
            compare()
            let failed = "hoga_upstream_requests_total{category=\"ticker\",status=\"503\"}"
            #expect(before[failed] ?? 0 >= 1)
            #expect(before["hoga_feed_reconnects_total"] == 1)
        }
    }
}
