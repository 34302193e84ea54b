public import Domain

/// Messages of failures in both languages.
///
/// A service's documents always carry Korean messages; `lang` decides `…Text` fields only. A remote
/// screen translates them with ``translated(_:to:)``.
public enum FailureStrings: Sendable {
    static let reconnectingCode = "reconnecting"
    /// Separates the message from details that the exchange or the transport gave.
    private static let dash = " – "

    /// The message of a failure.
    ///
    /// Details of the exchange, of a certificate or of a proxy are appended untranslated, because
    /// users need them to fix the cause. Decoder details are English and appended in English only.
    static func text(of failure: FeedFailure, _ language: Language) -> String {
        let words = words(of: failure.code)[language]
        switch failure.code {
        case .httpStatus, .refused, .proxy, .untrusted: return words + dash + failure.detail
        case .malformed:
            // The decoder's detail exists in English only.
            return LocalizedText(ko: words, en: words + dash + failure.detail)[language]
        case .unreachable, .timedOut, .disconnected, .silent, .rateLimited, .unserved:
            return words
        }
    }

    /// A reconnection in progress and its attempt number, from 1.
    public static func reconnecting(_ attempt: Int) -> LocalizedText {
        LocalizedText(ko: "재연결 중 (\(attempt)차)", en: "reconnecting (attempt \(attempt))")
    }

    /// A connected stream that sends no data.
    static let silence = LocalizedText(ko: "데이터가 수신되지 않음", en: "no data is arriving")

    /// A store whose data has not been read.
    static let unread = LocalizedText(ko: "저장된 데이터를 불러올 수 없음", en: "saved data could not be loaded")

    /// Translates the message of a service's document.
    ///
    /// Details stay as they are, as do messages of later versions that are unknown here.
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
        if korean == silence.ko { return silence[language] }
        if korean == unread.ko { return unread[language] }
        if let (number, rest) = attempt(in: korean) {
            let lead = reconnecting(number)[language]
            guard rest.hasPrefix(": ") else { return rest.isEmpty ? lead : nil }
            let cause = rest.dropFirst(2)
            return lead + ": " + (failure(cause, language) ?? String(cause))
        }
        return failure(korean[...], language)
    }

    /// The attempt's number in a Korean message, and the text behind it.
    private static func attempt(in text: String) -> (number: Int, rest: Substring)? {
        let parts = reconnecting(0).ko.split(separator: "0")
        guard parts.count == 2, text.hasPrefix(parts[0]) else { return nil }
        let digits = text.dropFirst(parts[0].count).prefix { $0.isNumber }
        let rest = text.dropFirst(parts[0].count + digits.count)
        guard let number = Int(digits), rest.hasPrefix(parts[1]) else { return nil }
        return (number, rest.dropFirst(parts[1].count))
    }

    private static func failure(_ korean: Substring, _ language: Language) -> String? {
        for code in FeedFailure.Code.allCases {
            let words = words(of: code).ko
            guard korean.hasPrefix(words) else { continue }
            let detail = korean.dropFirst(words.count)
            guard detail.isEmpty || detail.hasPrefix(dash) else { continue }
            return Self.words(of: code)[language] + detail
        }
        return nil
    }

    private static func words(of code: FeedFailure.Code) -> LocalizedText {
        switch code {
        case .unreachable: LocalizedText(ko: "거래소에 연결할 수 없음", en: "the exchange cannot be reached")
        case .proxy: LocalizedText(ko: "프록시로 연결할 수 없음", en: "cannot connect through the proxy")
        case .untrusted: LocalizedText(ko: "인증서를 신뢰할 수 없음", en: "the certificate is not trusted")
        case .timedOut: LocalizedText(ko: "응답 시간 초과", en: "the request timed out")
        case .disconnected: LocalizedText(ko: "연결 끊김", en: "the connection was lost")
        case .silent: LocalizedText(ko: "데이터 없음", en: "no data")
        case .httpStatus: LocalizedText(ko: "거래소 오류", en: "the exchange reported an error")
        case .refused: LocalizedText(ko: "거래소가 요청을 거부함", en: "the exchange refused the request")
        case .rateLimited: LocalizedText(ko: "요청 한도 초과", en: "too many requests")
        case .unserved:
            LocalizedText(ko: "이 API에서는 제공되지 않음", en: "this API does not have these data")
        case .malformed: LocalizedText(ko: "읽을 수 없는 응답", en: "the response is unreadable")
        }
    }
}
