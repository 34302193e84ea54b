import DataSourceContracts

extension DataSourceError {
    /// The private close code of a replaying server at the end of its recording (RFC 6455 section
    /// 7.4.2 reserves 4000...4999 for private use).
    static let recordingEndedCloseCode = 4000

    /// Translates a network error; no other place does.
    ///
    /// - Parameters:
    ///   - error: the error of the transport.
    ///   - place: the step that failed, for messages.
    init(_ error: TransportError, during place: String) {
        let code: Code =
            switch error.code {
            case .badAddress, .forbiddenAddress, .cannotConnect: .unreachable
            case .nameNotResolved: .unknownHost
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .closed(code: Self.recordingEndedCloseCode, reason: _): .ended
            case .closed, .other: .disconnected
            case .upgradeRefused(let status): .httpStatus(status)
            case .protocolViolation, .tooLarge: .malformed
            case .cancelled: .cancelled
            }
        self.init(code, "\(place): \(error.detail)")
        if case .upgradeRefused = error.code { isOfHandshake = true }
    }
}
