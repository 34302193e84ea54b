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
        let isKorean = language == .korean
        let words: String =
            switch code {
            case .unreachable: isKorean ? "서버에 연결할 수 없음" : "the server cannot be reached"
            case .proxy:
                isKorean ? "프록시로 연결할 수 없음" : "there is no way through the proxy"
            case .untrusted: isKorean ? "인증서를 신뢰할 수 없음" : "the certificate is not trusted"
            case .timedOut: isKorean ? "응답 시간 초과" : "no answer in time"
            case .disconnected: isKorean ? "연결 끊김" : "the connection was lost"
            case .leaving: isKorean ? "서버가 연결을 닫음" : "the server closed the stream"
            case .silent: isKorean ? "데이터 없음" : "no data"
            case .notHoga: isKorean ? "hoga 서버가 아님" : "no hoga server"
            case .otherVersion: isKorean ? "맞지 않는 서버 버전" : "a server of another version"
            case .unauthorized: isKorean ? "토큰이 유효하지 않음" : "the token opens nothing"
            case .forbidden: isKorean ? "읽기 전용 토큰" : "the token may only read"
            case .rateLimited: isKorean ? "요청 한도 초과" : "too many requests"
            case .storeAway: isKorean ? "저장소 연결 끊김" : "the store is out of reach"
            case .changed: isKorean ? "다른 곳에서 바뀜" : "changed elsewhere"
            case .missing: isKorean ? "찾을 수 없음" : "there is no such thing"
            case .refused: isKorean ? "서버가 거절함" : "the server refused"
            case .failed: isKorean ? "서버 오류" : "the server failed"
            }
        switch code {
        // Without what was said nobody could mend it.
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
