import DataSourceContracts

extension DataSourceError {
    /// The private-use close code with which a replaying server says that its recording has ended
    /// (RFC 6455 section 7.4.2 leaves 4000..4999 to such agreements).
    static let recordingEndedCloseCode = 4000

    /// Translates what went wrong on the network, in this one place.
    ///
    /// - Parameters:
    ///   - error: what the transport reported.
    ///   - place: what was being done, for people.
    init(_ error: TransportError, during place: String) {
        let code: Code =
            switch error.code {
            case .badAddress, .nameNotResolved, .cannotConnect: .unreachable
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .closed(code: Self.recordingEndedCloseCode, reason: _): .ended
            case .closed, .other: .disconnected
            case .protocolViolation, .tooLarge: .malformed
            case .cancelled: .cancelled
            }
        self.init(code, "\(place): \(error.detail)")
    }
}
