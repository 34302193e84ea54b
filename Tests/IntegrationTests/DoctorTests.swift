import Domain
import ExchangeSimulator
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import App

@Suite("hoga doctor", .ownThread, .timeLimit(.minutes(4)))
struct DoctorTests {
    private static let restNames = [
        "rest ticker KRW", "rest ticker BTC", "rest orderbook", "rest transactions",
        "rest candlestick", "rest assetsstatus", "rest market names", "rest warnings",
    ]

    /// The findings for an exchange with faults and no store.
    private func report(
        _ faults: [SimulatorFault] = [],
        _ environment: [String: String] = [:],
        store: String = "none",
        without market: MarketID? = nil,
        flags: (ExchangeSimulator) -> [Setting: String] = { _ in [:] }
    ) async throws -> [String: DoctorFinding] {
        var exchange = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .markets(won: 10, bitcoin: 2, rate: 500)
        )
        exchange.acknowledgementDelay = .milliseconds(1)...(.milliseconds(50))
        let simulator = try ExchangeSimulator(exchange, now: SystemSources.now)
        for fault in faults { simulator.start(fault) }
        if let market { try simulator.delist(market) }
        let flags = flags(simulator)
        let settings = try ConfigurationSources(
            flags: [
                .restURL: simulator.restURL, .wsURL: simulator.streamURL, .store: store,
                .proxy: "none",
            ].merging(flags) { $1 },
            environment: environment,
            file: nil
        ).resolve()
        let program = Program(
            environment: environment,
            configuration: settings,
            isTerminal: false,
            log: SilentLog()
        )
        let report = await Lifecycle.run(
            services: [{ @Sendable in await simulator.run() }]
        ) { await DoctorCommand(program: program, isJSON: false).report() }
        return Dictionary(uniqueKeysWithValues: report.lines.map { ($0.name, $0.finding) })
    }

    @Test("a healthy exchange passes every check")
    func whole() async throws {
        let findings = try await report()
        for name in Self.restNames + ["websocket", "clock", "store", "open files"] {
            #expect(findings[name]?.level == .ok, "\(name): \(String(describing: findings[name]))")
        }
        #expect(findings["rest ticker KRW"]?.text == "10 markets")
        #expect(findings["program"]?.text.hasSuffix(", built from the sources") == true)
    }

    @Test(
        "the end of one API is a warning that says what hoga does without it",
        arguments: [
            (nil, DoctorFinding.Level.ok, "prices come from 2.x"),
            (SimulatorFault.api1Off, .warn, "1.x does not answer"),
            (.api2Off, .warn, "2.x does not answer"),
        ] as [(SimulatorFault?, DoctorFinding.Level, String)]
    )
    func generations(fault: SimulatorFault?, level: DoctorFinding.Level, text: String) async throws
    {
        let findings = try await report([fault].compactMap(\.self)) {
            [.ws2URL: $0.marketStreamURL]
        }
        #expect(findings["api"]?.level == level)
        #expect(findings["api"]?.text.contains(text) == true)
        for name in Self.restNames.prefix(6) + ["websocket"] {
            #expect(findings[name]?.level == (fault == .api1Off ? .warn : .ok), "\(name)")
        }
        for name in ["rest 2.x ticker", "rest 2.x candles", "websocket 2.x"] {
            #expect(findings[name]?.level == (fault == .api2Off ? .warn : .ok), "\(name)")
        }
    }

    @Test("without bitcoin the checks use the first listed market")
    func withoutBitcoin() async throws {
        let findings = try await report(without: "BTC_KRW")
        for name in Self.restNames + ["websocket", "clock"] {
            #expect(findings[name]?.level == .ok, "\(name): \(String(describing: findings[name]))")
        }
        #expect(findings["rest orderbook"]?.text.contains("BTC_KRW") == false)
    }

    @Test(
        "broken responses fail every REST check with a remedy",
        arguments: [
            SimulatorFault.htmlBodies, .serverError(status: 503), .tooManyRequests,
            .truncatedJSON(every: 1),
        ]
    )
    func broken(fault: SimulatorFault) async throws {
        let findings = try await report([fault])
        for name in Self.restNames {
            #expect(findings[name]?.level == .fail, "\(name) with \(fault)")
            #expect(findings[name]?.remedy?.isEmpty == false)
        }
        #expect(findings["store"]?.level == .ok, "what has nothing to do with it is fine")
    }

    @Test("an impossible store fails with its path, and a check creates no file")
    func store() async throws {
        // A file cannot contain other files, even for root.
        let file = NSTemporaryDirectory() + "hoga-file-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data().write(to: URL(fileURLWithPath: file))
        let bad = try await report(store: file + "/hoga.sqlite")
        #expect(bad["store"]?.level == .fail)
        #expect(bad["store"]?.text.contains(file + "/hoga.sqlite") == true)
        let path = NSTemporaryDirectory() + "hoga-doctor-\(UUID().uuidString)/hoga.sqlite"
        let absent = try await report(store: path)
        #expect(absent["store"]?.level == .ok)
        #expect(!FileManager.default.fileExists(atPath: path))
        let damaged = NSTemporaryDirectory() + "hoga-damaged-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: damaged) }
        try Data(repeating: 65, count: 8_192).write(to: URL(fileURLWithPath: damaged))
        let unreadable = try await report(store: damaged)
        #expect(unreadable["store"]?.level == .fail)
    }

    @Test("an unreachable exchange fails its checks at once with exit status 69")
    func unreachable() throws {
        let outcome = try HogaProcess.run([
            "doctor", "--json", "--store", "none", "--proxy", "none",
            "--rest-url", "http://127.0.0.1:1", "--ws-url", "ws://127.0.0.1:1",
        ])
        #expect(outcome.status == 69)
        #expect(outcome.errors.contains("checks failed"))
        let json = try OrderedJSON(Array(outcome.output.utf8))
        // Eight URLs, the stream and the clock.
        #expect(json["failures"] == .number("10"))
    }

    @Test("an unreachable database fails its own checks without showing a password")
    func databaseAway() throws {
        let outcome = try HogaProcess.run(
            ["doctor", "--exchange", "simulated"],
            environment: [
                "HOGA_DATABASE_URL": "postgresql://me:hunter2@127.0.0.1:1/hoga",
                "HOGA_DATABASE_SESSION_URL": "postgresql://me:hunter2@127.0.0.1:1/hoga",
            ]
        )
        #expect(outcome.status == 69)
        for name in ["store schema", "store role", "store candles", "store session"] {
            let line = outcome.output.split(separator: "\n").first { $0.contains(name) }
            #expect(line?.hasPrefix("FAIL") == true, "\(name): \(outcome.output)")
        }
        #expect(outcome.output.contains("HOGA_DATABASE_SESSION_URL"))
        #expect(!(outcome.output + outcome.errors).contains("hunter2"))
    }
}
