import DataSourceContracts
import Domain
import ExchangeSimulator
import HTTPServer
import NetworkAddresses
import Synchronization
import TestSupport

/// The network between hoga and the exchange, in virtual time.
///
/// A request takes its way there, is answered by the exchange of that moment, and takes its way
/// back. Faults in force act on what is in flight. All of it depends on the seed and on the order
/// of the calls alone.
final class TrialNetwork: HTTPTransport, WebSocketTransport {
    /// The address that the trial's exchange is asked for.
    static let host = "https://exchange.test"
    /// The latency of a way, at least.
    static let way: Duration = .milliseconds(20)
    /// How late a late message is at most.
    ///
    /// After a maintenance the exchange sends trades of the last second, so that some arrive 1.8 s
    /// after their execution: a tape expects them for two.
    static let lateness: Duration = .milliseconds(800)

    /// The faults in force on a path.
    struct Conditions: Sendable {
        var isRefusing = false
        var isHalfOpen = false
        var delay: Duration = .zero
        var isSlicing = false
        var lostPerMille = 0
        var duplicatedPerMille = 0
        var latePerMille = 0
        var corruptedPerMille = 0
    }

    private struct State {
        var random: SeededGenerator
        var conditions: [TrialPath: Conditions] = [:]
        var resets: [TrialPath: Int] = [:]
        var streams: [TrialStream] = []
        var requests = 0
        var injected: [String: Int] = [:]
    }

    let clock: ManualClock
    private let exchange: SteppedSimulator
    private let exchangeTime: @Sendable () -> Timestamp
    private let address: NetworkAddress
    private let state: Mutex<State>

    init(
        _ exchange: SteppedSimulator,
        clock: ManualClock,
        exchangeTime: @escaping @Sendable () -> Timestamp,
        instance: Int,
        seed: UInt64
    ) {
        self.exchange = exchange
        self.clock = clock
        self.exchangeTime = exchangeTime
        address = NetworkAddress(10, 0, 0, UInt8(instance + 1))
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    // MARK: Faults

    /// Changes the faults in force on a path.
    func set(_ path: TrialPath, _ change: (inout Conditions) -> Void) {
        state.withLock { change(&$0.conditions[path, default: Conditions()]) }
    }

    /// Resets everything in flight on a path.
    func reset(_ path: TrialPath) {
        let streams = state.withLock { state in
            state.resets[path, default: 0] += 1
            return state.streams.filter { $0.path == path && !$0.isOver }
        }
        for stream in streams {
            stream.end(TransportError(.closed(code: nil, reason: ""), "reset by the trial"))
            count("reset \(path)")
        }
    }

    /// The faults in force on a path.
    func conditions(_ path: TrialPath) -> Conditions {
        state.withLock { $0.conditions[path, default: Conditions()] }
    }

    /// Counts a fault that had an effect.
    func count(_ name: String) { state.withLock { $0.injected[name, default: 0] += 1 } }

    /// The faults that had an effect.
    var injected: [String: Int] { state.withLock { $0.injected } }

    /// Whether one of a thousand draws hits.
    func draws(_ perMille: Int) -> Bool {
        guard perMille > 0 else { return false }
        return state.withLock { Int.random(in: 0..<1_000, using: &$0.random) < perMille }
    }

    /// A random number.
    func number(_ range: ClosedRange<Int>) -> Int {
        state.withLock { Int.random(in: range, using: &$0.random) }
    }

    /// Random bits for masks.
    func bits() -> UInt32 { state.withLock { $0.random.next(upperBound: UInt32.max) } }

    /// The number of open connections.
    var streamCount: Int { state.withLock { $0.streams.count { !$0.isOver } } }

    // MARK: Requests

    /// The number of requests in flight.
    var requestCount: Int { state.withLock(\.requests) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.requests += 1 }
        defer { state.withLock { $0.requests -= 1 } }
        let start = clock.now.offset
        let resets = state.withLock { $0.resets[.rest, default: 0] }
        let conditions = conditions(.rest)
        if conditions.isRefusing {
            try await pass(Self.way)
            count("refused rest")
            throw TransportError(.cannotConnect, "refused by the trial")
        }
        if conditions.isHalfOpen { try await timeOut(request.timeout, "half-open rest") }
        let way = Self.way + .milliseconds(number(0...40)) + conditions.delay
        if conditions.delay > .zero { count("slow rest") }
        try await pass(min(way, request.timeout))
        guard way < request.timeout else { throw Self.late }
        var (response, delay) = try answer(request)
        try await pass(min(delay + way, request.timeout - way))
        guard delay + way + way < request.timeout else { throw Self.late }
        if state.withLock({ $0.resets[.rest, default: 0] }) != resets {
            count("reset rest")
            throw TransportError(.closed(code: nil, reason: ""), "reset by the trial")
        }
        // Half-open since the request was sent: the answer never comes.
        if self.conditions(.rest).isHalfOpen {
            let left = request.timeout - (clock.now.offset - start)
            try await timeOut(max(left, .zero), "half-open rest")
        }
        if draws(self.conditions(.rest).corruptedPerMille) {
            count("corrupted rest")
            response.body = garbled(response.body)
        }
        guard response.body.count <= request.bodyBytesMax else {
            throw TransportError(.tooLarge, "the body is over the limit")
        }
        return response
    }

    private static let late = TransportError(.timedOut, "too slow in the trial")

    private func timeOut(_ timeout: Duration, _ name: String) async throws(TransportError) {
        count(name)
        try await pass(timeout)
        throw Self.late
    }

    /// Lets time pass.
    private func pass(_ duration: Duration) async throws(TransportError) {
        do {
            try await clock.sleep(for: duration)
        } catch {
            throw TransportError(.cancelled, "in flight")
        }
    }

    private func answer(
        _ request: HTTPRequest
    ) throws(TransportError) -> (HTTPResponse, delay: Duration) {
        let target = String(request.url.dropFirst(Self.host.count))
        guard let asked = HTTPServerRequest(getting: target, from: address, headers: []) else {
            return (HTTPResponse(status: 400, headers: [:], body: []), .zero)
        }
        switch exchange.reply(to: asked) {
        case .response(let response): return (self.response(response), .zero)
        case .delayed(let response, let milliseconds):
            return (self.response(response), .milliseconds(milliseconds))
        case .deferred, .stream, .upgrade:
            throw TransportError(.protocolViolation, "no response")
        }
    }

    private func response(_ response: HTTPServerResponse) -> HTTPResponse {
        var headers = ["date": HTTPDate.text(exchangeTime().second)]
        for (name, value) in response.headers { headers[name.lowercased()] = value }
        return HTTPResponse(status: response.status, headers: headers, body: response.body)
    }

    /// Bytes of which some are not text any more, or which end too early.
    func garbled(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > 1 else { return [0xff] }
        let place = number(0...bytes.count - 1)
        if number(0...1) == 0 { return Array(bytes[..<place]) }
        var bytes = bytes
        bytes[place] = 0xff
        return bytes
    }

    // MARK: Streams

    func open(
        url: String,
        timeout: Duration,
        pingInterval: Duration?,
        offersCompression: Bool
    ) async throws(TransportError) -> any WebSocketConnection {
        let target = String(url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
        let path: TrialPath = target.hasPrefix("/pub") ? .stream1 : .stream2
        let conditions = conditions(path)
        if conditions.isRefusing {
            try await pass(Self.way)
            count("refused \(path)")
            throw TransportError(.cannotConnect, "refused by the trial")
        }
        if conditions.isHalfOpen { try await timeOut(timeout, "half-open \(path)") }
        let way = Self.way + conditions.delay
        try await pass(min(way + way, timeout))
        guard way + way < timeout else { throw Self.late }
        let stream = try upgrade(target, path, offersCompression, pingInterval)
        state.withLock { state in
            state.streams.removeAll { $0.isOver }
            state.streams.append(stream)
        }
        return stream
    }

    private func upgrade(
        _ target: String,
        _ path: TrialPath,
        _ offersCompression: Bool,
        _ pingInterval: Duration?
    ) throws(TransportError) -> TrialStream {
        let fields = TrialStream.requestFields(offersCompression: offersCompression)
        guard let asked = HTTPServerRequest(getting: target, from: address, headers: fields) else {
            throw TransportError(.badAddress, target)
        }
        switch exchange.reply(to: asked) {
        case .upgrade(let upgrade):
            return try TrialStream(upgrade, path, of: self, at: address, pingInterval)
        case .response(let response):
            throw TransportError(.upgradeRefused(status: response.status), "refused")
        case .delayed, .deferred, .stream:
            throw TransportError(.protocolViolation, "no upgrade")
        }
    }

    /// Forgets the streams, which hold the network.
    func end() { state.withLock { $0.streams = [] } }

    /// Carries what the exchange has sent, and delivers what is due.
    ///
    /// - Returns: the number of open connections.
    @discardableResult
    func carry() -> Int {
        let streams = state.withLock { state in
            state.streams.removeAll { $0.isOver }
            return state.streams
        }
        for stream in streams { stream.carry() }
        return streams.count
    }
}
