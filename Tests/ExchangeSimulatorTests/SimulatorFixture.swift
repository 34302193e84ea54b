import Domain
import ExchangeSimulator
import FoundationEssentials
import Glibc
import TestSupport

/// A small and fast simulator for a test, on a free port.
enum SimulatorFixture {
    /// The machine's clock: sockets are real, so time is.
    static let clock: @Sendable () -> Timestamp = {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    static func configuration(
        framesPerSecond: Int = 600
    ) -> ExchangeSimulator.Configuration {
        var simulation = ExchangeSimulator.Simulation(seed: 11, framesPerSecond: framesPerSecond)
        simulation.wonMarkets = 12
        simulation.bitcoinMarkets = 3
        var configuration = ExchangeSimulator.Configuration(
            host: "127.0.0.1",
            port: 0,
            feed: .simulation(simulation)
        )
        configuration.acknowledgementDelay = .zero...(.zero)
        return configuration
    }

    /// Runs a test against a running simulator and stops it.
    static func run(
        _ configuration: ExchangeSimulator.Configuration = configuration(),
        now: @escaping @Sendable () -> Timestamp = clock,
        _ body: @escaping @Sendable (ExchangeSimulator) throws -> Void
    ) async throws {
        let simulator = try ExchangeSimulator(configuration, now: now)
        try await withThrowingTaskGroup { group in
            group.addTask(executorPreference: ThreadExecutor()) { await simulator.run() }
            defer { simulator.stop() }
            try await onBlockingThread { try body(simulator) }
        }
    }

    /// Waits until nothing changes, and returns the report.
    static func rest(_ simulator: ExchangeSimulator) -> SimulatorReport {
        simulator.pause()
        while true {
            // A report may have started before the last write that it includes.
            if simulator.report().isAtRest { return simulator.report() }
            sched_yield()
        }
    }

    static func get(_ path: String, _ simulator: ExchangeSimulator) throws -> HTTPAnswer {
        try send("GET", path, simulator)
    }

    static func send(
        _ method: String,
        _ path: String,
        body: String = "",
        headers: [String] = [],
        _ simulator: ExchangeSimulator
    ) throws -> HTTPAnswer {
        let client = try TCPClient(port: simulator.port)
        let lines =
            ["\(method) \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)"]
            + headers + ["", body]
        try client.send(lines.joined(separator: "\r\n"))
        let (header, bytes) = try client.receiveAnswer()
        return HTTPAnswer(header: header, body: bytes)
    }
}

/// An answer over HTTP.
struct HTTPAnswer {
    var header: String
    var body: [UInt8]

    var status: Int { Int(header.split(separator: " ")[1]) ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        for line in header.split(separator: "\r\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name {
                return parts[1].trimmingPrefix(" ").description
            }
        }
        return nil
    }

    /// The body as a JSON value.
    func json() throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(body))
    }
}

/// Any JSON, so that a test can tell texts from numbers.
enum JSONValue: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case fraction(Decimal)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(Decimal.self) {
            self = .fraction(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    static func parse(_ text: String) -> JSONValue? {
        try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { return members[key] }
        return nil
    }

    subscript(index: Int) -> JSONValue? {
        if case .list(let items) = self, items.indices.contains(index) { return items[index] }
        return nil
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    /// The value of a bare number.
    var decimal: Decimal? {
        switch self {
        case .number(let value): Decimal(value)
        case .fraction(let value): value
        case .null, .bool, .text, .list, .object: nil
        }
    }

    var integer: Int? {
        if case .number(let value) = self { return value }
        return nil
    }

    var items: [JSONValue] {
        if case .list(let items) = self { return items }
        return []
    }

    var keys: Set<String> {
        if case .object(let members) = self { return Set(members.keys) }
        return []
    }

    var count: Int? {
        if case .list(let items) = self { return items.count }
        return nil
    }
}
