import DataSourceContracts
import Domain
import FoundationEssentials
import ViewStates

/// Why a service did not answer, or not with what was asked for.
struct RemoteFailure: Error, Sendable, Hashable {
    /// What kind of failure it was.
    enum Code: String, Sendable, Hashable, CaseIterable {
        /// Nobody listens there, or the way is blocked.
        case unreachable
        /// The proxy is not there, or lets nothing through.
        case proxy
        /// The certificate is not one that is trusted.
        case untrusted
        /// No answer came in time.
        case timedOut = "timed_out"
        /// The connection ended.
        case disconnected
        /// The service said goodbye: it ends, or is full.
        case leaving
        /// Nothing has come for too long, not even a sign of life.
        case silent
        /// What answers there is no hoga.
        case notHoga = "not_hoga"
        /// It is a hoga whose documents this one does not read.
        case otherVersion = "other_version"
        /// The service takes a token, and none was given, or one that opens nothing.
        case unauthorized
        /// The token opens reading alone.
        case forbidden = "forbidden_scope"
        /// More was asked for than the limits allow.
        case rateLimited = "rate_limited"
        /// What is kept cannot be reached by the service.
        case storeAway = "store_unavailable"
        /// What is kept is not what the change expects.
        case changed = "precondition_failed"
        /// There is no such thing, or it is no more.
        case missing = "not_found"
        /// The service refuses the request.
        case refused
        /// The service failed.
        case failed
    }

    /// What kind of failure it was.
    var code: Code
    /// What happened, for logs and for those who mend it; in English, without secrets.
    var detail: String
    /// How long the service asks to be left alone.
    var retryAfter: Duration?

    /// Makes a failure.
    init(_ code: Code, _ detail: String, retryAfter: Duration? = nil) {
        self.code = code
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// Whether waiting alone may mend it.
    var isRetryable: Bool {
        switch code {
        case .unreachable, .proxy, .timedOut, .disconnected, .leaving, .silent, .rateLimited,
            .storeAway, .failed:
            true
        case .untrusted, .notHoga, .otherVersion, .unauthorized, .forbidden, .changed, .missing,
            .refused:
            false
        }
    }

    /// Whether the connection is the matter, and not what was asked.
    var isOfConnection: Bool {
        switch code {
        case .unreachable, .proxy, .untrusted, .timedOut, .disconnected, .leaving, .silent: true
        case .notHoga, .otherVersion, .unauthorized, .forbidden, .rateLimited, .storeAway,
            .changed, .missing, .refused, .failed:
            false
        }
    }

    /// What screens say of it.
    func words(_ language: Language) -> String {
        let text: LocalizedText =
            switch code {
            case .unreachable: LocalizedText(ko: "서버에 연결할 수 없음", en: "the server cannot be reached")
            case .proxy:
                LocalizedText(ko: "프록시로 연결할 수 없음", en: "the proxy cannot connect")
            case .untrusted:
                LocalizedText(ko: "인증서를 신뢰할 수 없음", en: "the certificate is not trusted")
            case .timedOut: LocalizedText(ko: "응답 시간 초과", en: "the request timed out")
            case .disconnected: LocalizedText(ko: "연결 끊김", en: "the connection was lost")
            case .leaving: LocalizedText(ko: "서버가 연결을 닫음", en: "the server closed the stream")
            case .silent: LocalizedText(ko: "데이터 없음", en: "no data")
            case .notHoga: LocalizedText(ko: "hoga 서버가 아님", en: "not a hoga server")
            case .otherVersion:
                LocalizedText(ko: "맞지 않는 서버 버전", en: "the server version is not compatible")
            case .unauthorized: LocalizedText(ko: "토큰이 유효하지 않음", en: "the token is not valid")
            case .forbidden: LocalizedText(ko: "읽기 전용 토큰", en: "the token is read-only")
            case .rateLimited: LocalizedText(ko: "요청 한도 초과", en: "too many requests")
            case .storeAway: LocalizedText(ko: "저장소 연결 끊김", en: "the store is unreachable")
            case .changed: LocalizedText(ko: "다른 곳에서 바뀜", en: "changed elsewhere")
            case .missing: LocalizedText(ko: "찾을 수 없음", en: "not found")
            case .refused: LocalizedText(ko: "서버가 거절함", en: "the server refused the request")
            case .failed: LocalizedText(ko: "서버 오류", en: "the server reported an error")
            }
        let words = text[language]
        switch code {
        // The detail names the cause that the user has to fix.
        case .proxy, .untrusted, .refused, .otherVersion: return words + " – " + detail
        case .unreachable, .timedOut, .disconnected, .leaving, .silent, .notHoga, .unauthorized,
            .forbidden, .rateLimited, .storeAway, .changed, .missing, .failed:
            return words
        }
    }
}

extension RemoteFailure {
    /// Translates a failure of the network.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .badAddress, .nameNotResolved, .cannotConnect, .other: .unreachable
            case .proxy: .proxy
            case .untrusted: .untrusted
            case .timedOut: .timedOut
            case .closed, .cancelled: .disconnected
            case .protocolViolation, .tooLarge: .notHoga
            }
        self.init(code, error.detail)
    }

    /// Translates an answer that is not what was asked for.
    ///
    /// - Parameters:
    ///   - status: its status, which is not 200 or 204.
    ///   - headers: by lower-case name.
    ///   - body: a problem, if it is of a hoga.
    init(status: Int, headers: [String: String], body: [UInt8]) {
        let wait = headers["retry-after"].flatMap { Int($0) }.map {
            Duration.seconds(min(max($0, 0), Self.retryAfterSecondsMax))
        }
        guard let problem = try? JSONDecoder().decode(ProblemDocument.self, from: Data(body))
        else {
            switch status {
            // Proxies in between say so in pages of their own.
            case 429: self.init(.rateLimited, "status 429", retryAfter: wait)
            case 502, 503, 504: self.init(.unreachable, "status \(status)", retryAfter: wait)
            default: self.init(.notHoga, "status \(status), and no answer of a hoga")
            }
            return
        }
        let code: Code =
            switch (problem.status, problem.code) {
            case (401, _): .unauthorized
            case (403, _): .forbidden
            case (404, _): .missing
            case (412, _): .changed
            case (429, _): .rateLimited
            case (503, _): .storeAway
            case (500..., _): .failed
            default: .refused
            }
        self.init(code, problem.detail, retryAfter: wait)
    }

    /// Longer waits are taken for this one: somebody sits before the screen.
    private static let retryAfterSecondsMax = 300
}
