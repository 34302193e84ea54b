import DataSourceContracts
import DataSourcesHTTP
import Dispatch
import TestSupport

extension CurlHTTPTransport {
    /// A transport with a user agent of its own and time to connect on a busy machine.
    static func forTests(
        authorityFile: String? = nil,
        proxy: ProxyChoice = .environment,
        requestsMax: Int = 256
    ) throws(TransportError) -> CurlHTTPTransport {
        try CurlHTTPTransport(
            userAgent: "hoga-tests",
            authorityFile: authorityFile,
            proxy: proxy,
            connectTimeout: .seconds(3_600),
            requestsMax: requestsMax
        )
    }

    /// The result of `send`.
    func result(_ request: HTTPRequest) async -> Result<HTTPResponse, TransportError> {
        do {
            return .success(try await send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// Does something while the transport runs, and ends it again.
func withRunning<Success: Sendable>(
    _ transport: CurlHTTPTransport,
    _ body: (CurlHTTPTransport) async throws -> Success
) async throws -> Success {
    // Leaving the scope cancels the run and waits for its end.
    async let _: Void = transport.run()
    return try await body(transport)
}

extension HTTPRequest {
    /// A request whose limits no test reaches by accident.
    static func to(
        _ url: String,
        timeout: Duration = .seconds(3_600),
        bodyBytesMax: Int = 1 << 20
    ) -> HTTPRequest {
        HTTPRequest(url: url, timeout: timeout, bodyBytesMax: bodyBytesMax)
    }
}

extension Result where Failure == TransportError {
    /// The kind of error, or `nil` for success.
    var errorCode: TransportError.Code? {
        switch self {
        case .success: nil
        case .failure(let error): error.code
        }
    }
}

/// Blocks the threads of a test server until a test releases them.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Blocks until the gate is open; from then on it stays open.
    func wait() {
        semaphore.wait()
        semaphore.signal()
    }

    /// Opens the gate for all threads.
    func open() { semaphore.signal() }
}
