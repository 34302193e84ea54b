import DataSourceContracts
import DataSourcesBithumb
import TestSupport
import Testing

@Suite("Transport errors are translated to data source errors")
struct TransportErrorTests {
    static let translations: [(TransportError.Code, DataSourceError.Code)] = [
        (.badAddress, .unreachable), (.forbiddenAddress, .unreachable),
        (.nameNotResolved, .unknownHost),
        (.upgradeRefused(status: 404), .httpStatus(404)),
        (.cannotConnect, .unreachable), (.proxy, .proxy), (.untrusted, .untrusted),
        (.timedOut, .timedOut),
        (.closed(code: nil, reason: ""), .disconnected),
        (.closed(code: 1000, reason: "bye"), .disconnected),
        (.closed(code: 1006, reason: ""), .disconnected),
        (.closed(code: 4001, reason: ""), .disconnected),
        (.closed(code: 4000, reason: "recording ended"), .ended),
        (.protocolViolation, .malformed), (.tooLarge, .malformed), (.cancelled, .cancelled),
        (.other, .disconnected),
    ]

    @Test("errors of a request are translated", arguments: translations)
    func request(code: TransportError.Code, expected: DataSourceError.Code) async throws {
        let server = InMemoryHTTPServer { _ throws(TransportError) in
            throw TransportError(code, "what the library said")
        }
        let source = BithumbTickerSource(
            transport: server,
            baseURL: BithumbAddresses.rest,
            rateLimiter: RequestRateLimiter(clock: ManualClock())
        )
        let error = await #expect(throws: DataSourceError.self) {
            try await source.tickers(quote: "KRW")
        }
        #expect(error?.code == expected)
        #expect(error?.detail == "ticker/ALL_KRW: what the library said")
    }

    @Test("errors of a stream are translated at every step", arguments: translations)
    func stream(code: TransportError.Code, expected: DataSourceError.Code) async throws {
        let refusing = InMemoryWebSocketServer { _ throws(TransportError) in
            throw TransportError(code, "what the library said")
        }
        let silent = InMemoryWebSocketServer { $0.end(code) }
        for server in [refusing, silent] {
            let source = BithumbStreamSource(
                transport: server,
                generation: .v1,
                url: BithumbAddresses.streamV1,
                clock: ManualClock()
            )
            let error = await #expect(throws: DataSourceError.self) { try await source.connect() }
            #expect(error?.code == expected)
        }
        #expect(silent.connections.map(\.isClosed) == [true])

        let ending = InMemoryWebSocketServer { connection in
            connection.deliver(#"{"status":"0000"}"#)
            connection.end(code)
        }
        let source = BithumbStreamSource(
            transport: ending,
            generation: .v1,
            url: BithumbAddresses.streamV1,
            clock: ManualClock()
        )
        let stream = try await source.connect()
        #expect(try await stream.receive().messages.count == 1)
        let received = await #expect(throws: DataSourceError.self) { try await stream.receive() }
        #expect(received?.code == expected)
        let sent = await #expect(throws: DataSourceError.self) {
            try await stream.subscribe([StreamSubscriptionDTO(type: "ticker", symbols: ["A_KRW"])])
        }
        #expect(sent?.code == expected)
    }
}
