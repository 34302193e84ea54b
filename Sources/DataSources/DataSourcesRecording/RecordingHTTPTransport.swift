public import DataSourceContracts

/// A transport that records the responses it receives.
public struct RecordingHTTPTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recorder: any TrafficRecorder

    /// Wraps a transport.
    public init(_ transport: any HTTPTransport, recorder: any TrafficRecorder) {
        self.transport = transport
        self.recorder = recorder
    }

    /// Performs the request and records its response of any status.
    ///
    /// A failed request is not recorded.
    ///
    /// - Returns: the response, unchanged.
    public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let response = try await transport.send(request)
        await recorder.record([
            .answer(
                path: Self.path(of: request.url),
                status: response.status,
                body: response.body
            )
        ])
        return response
    }

    /// The path of an absolute address, without query and fragment.
    static func path(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let slash = rest.firstIndex(of: "/") else { return "/" }
        return String(rest[slash...].prefix { $0 != "?" && $0 != "#" })
    }
}
