public import Domain

/// The words of failures, in both languages.
///
/// Documents of a service tell them in Korean, whatever `lang` says; a screen far from the service
/// says the same in its own language.
public enum FailureStrings: Sendable {
    static let reconnectingCode = "reconnecting"
    /// Between what happened and what somebody else said of it.
    private static let dash = " – "

    /// A failure in words.
    ///
    /// What the exchange said, or a certificate or proxy that is in the way, is shown as it is in
    /// any language: without it nobody could mend it. What was unreadable, which is in English, is
    /// told only to those who read that.
    static func text(of failure: FeedFailure, _ language: Language) -> String {
        let words = words(of: failure.code, language)
        switch failure.code {
        case .httpStatus, .refused, .proxy, .untrusted: return words + dash + failure.detail
        case .malformed: return language == .korean ? words : words + dash + failure.detail
        case .unreachable, .timedOut, .disconnected, .silent, .rateLimited: return words
        }
    }

    /// That a connection is being made anew.
    static func attempt(_ number: Int, _ language: Language) -> String {
        switch language {
        case .korean: "재연결 중 (\(number)회)"
        case .english: "reconnecting (attempt \(number))"
        }
    }

    /// That a stream tells nothing.
    static func silence(_ language: Language) -> String {
        switch language {
        case .korean: "데이터가 오지 않습니다"
        case .english: "no data are arriving"
        }
    }

    /// That what is kept was not read.
    static func unread(_ language: Language) -> String {
        switch language {
        case .korean: "저장소를 읽지 못함"
        case .english: "the store could not be read"
        }
    }

    /// What a service's document says of a failure, in a language.
    ///
    /// The words are made from the codes, and what others said stays as it is; words that are not
    /// known here, of a later version, stay too.
    public static func translated(
        _ error: ErrorViewState,
        to language: Language
    ) -> ErrorViewState {
        guard language != .korean else { return error }
        var error = error
        error.message = sentence(error.message, language) ?? error.message
        return error
    }

    private static func sentence(_ korean: String, _ language: Language) -> String? {
        if korean == silence(.korean) { return silence(language) }
        if korean == unread(.korean) { return unread(language) }
        if let (number, rest) = attempt(in: korean) {
            let lead = attempt(number, language)
            guard rest.hasPrefix(": ") else { return rest.isEmpty ? lead : nil }
            let cause = rest.dropFirst(2)
            return lead + ": " + (failure(cause, language) ?? String(cause))
        }
        return failure(korean[...], language)
    }

    /// The number in the Korean words for an attempt, and what comes behind them.
    private static func attempt(in text: String) -> (number: Int, rest: Substring)? {
        let parts = attempt(0, .korean).split(separator: "0")
        guard parts.count == 2, text.hasPrefix(parts[0]) else { return nil }
        let digits = text.dropFirst(parts[0].count).prefix { $0.isNumber }
        let rest = text.dropFirst(parts[0].count + digits.count)
        guard let number = Int(digits), rest.hasPrefix(parts[1]) else { return nil }
        return (number, rest.dropFirst(parts[1].count))
    }

    private static func failure(_ korean: Substring, _ language: Language) -> String? {
        for code in FeedFailure.Code.allCases {
            let words = words(of: code, .korean)
            guard korean.hasPrefix(words) else { continue }
            let detail = korean.dropFirst(words.count)
            guard detail.isEmpty || detail.hasPrefix(dash) else { continue }
            return Self.words(of: code, language) + detail
        }
        return nil
    }

    private static func words(of code: FeedFailure.Code, _ language: Language) -> String {
        let isKorean = language == .korean
        return switch code {
        case .unreachable: isKorean ? "거래소에 연결할 수 없음" : "the exchange cannot be reached"
        case .proxy: isKorean ? "프록시로 연결할 수 없음" : "there is no way through the proxy"
        case .untrusted: isKorean ? "인증서를 신뢰할 수 없음" : "the certificate is not trusted"
        case .timedOut: isKorean ? "응답 시간 초과" : "no answer in time"
        case .disconnected: isKorean ? "연결 끊김" : "the connection was lost"
        case .silent: isKorean ? "데이터 없음" : "no data"
        case .httpStatus: isKorean ? "거래소 오류" : "the exchange failed"
        case .refused: isKorean ? "거래소가 거절함" : "the exchange refused"
        case .rateLimited: isKorean ? "요청 한도 초과" : "too many requests"
        case .malformed: isKorean ? "읽을 수 없는 응답" : "an unreadable answer"
        }
    }
}
