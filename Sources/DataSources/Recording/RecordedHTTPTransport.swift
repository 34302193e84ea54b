public import DataSources

/// A transport whose answers are taken down as they come.
public struct RecordedHTTPTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let recorder: any TrafficRecorder

    /// Puts a recorder behind a transport.
    public init(_ transport: any HTTPTransport, recorder: any TrafficRecorder) {
        self.transport = transport
        self.recorder = recorder
    }

    /// Performs the request and records its answer, whatever the status; a request without an
    /// answer leaves no trace.
    ///
    /// - Returns: the answer, unchanged.
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
        let scheme = url.range(ofFirst: "://").map { url[$0.upperBound...] } ?? url[...]
        guard let slash = scheme.firstIndex(of: "/") else { return "/" }
        return String(scheme[slash...].prefix { $0 != "?" && $0 != "#" })
    }
}

extension String {
    /// Where a piece of text stands first.
    fileprivate func range(ofFirst piece: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(piece) {
                return start..<index(start, offsetBy: piece.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
