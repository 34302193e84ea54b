import Synchronization
import Testing

@testable import App

@Suite("The connection limit is logged if it differs from the default", .tags(.threads))
struct ConnectionLimitTests {
    private final class KeptLines: Log {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        func write(_ level: LogLevel, _ message: String) {
            kept.withLock { $0.append("\(level.rawValue) \(message)") }
        }
    }

    @Test(
        "a lowered configured limit is a warning, a lowered default is information",
        arguments: [
            (nil, 1_048_576, nil),
            (nil, 20_512, nil),
            (nil, 20_000, "info limits openFiles=20000 connections=19488 configured=20000"),
            (nil, 1_024, "info limits openFiles=1024 connections=512 configured=20000"),
            (nil, nil, nil),
            ("20000", 20_512, "info limits openFiles=20512 connections=20000 configured=20000"),
            (
                "20000", 20_000,
                "warning limits openFiles=20000 connections=19488 configured=20000"
            ),
            ("100", 1_024, "info limits openFiles=1024 connections=100 configured=100"),
            ("100", nil, "info limits connections=100 configured=100"),
        ] as [(String?, Int?, String?)]
    )
    func told(choice: String?, openFiles: Int?, line: String?) throws {
        var sources = ConfigurationSources(flags: [:], environment: [:])
        let flag = choice.map { [Setting.maxConnections: $0] } ?? [:]
        let variable = choice.map { [Setting.maxConnections.environmentName: $0] } ?? [:]
        for (flags, environment) in [(flag, [:]), ([:], variable)] {
            sources.flags = flags
            sources.environment = environment
            let configuration = try sources.resolve()
            let log = KeptLines()
            ConnectionLimit(
                configuration.service,
                isChosen: configuration.isGiven(.maxConnections),
                openFiles: openFiles
            ).report(to: log)
            #expect(log.lines == (line.map { [$0] } ?? []))
        }
    }
}
