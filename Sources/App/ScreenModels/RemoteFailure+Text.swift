import DataSourcesRemote
import Domain
import ViewStates

extension RemoteFailure {
    /// The message on screens.
    func text(_ language: Language) -> String {
        let text = Self.text(code)[language]
        switch code {
        // The detail names the cause that the user has to fix.
        case .proxy, .untrusted, .refused, .otherVersion: return text + " – " + detail
        case .unreachable, .timedOut, .disconnected, .leaving, .silent, .notHoga, .unauthorized,
            .forbidden, .rateLimited, .storeAway, .changed, .missing, .failed:
            return text
        }
    }

    private static func text(_ code: Code) -> LocalizedText {
        switch code {
        case .unreachable: LocalizedText(ko: "서버에 연결할 수 없음", en: "the server cannot be reached")
        case .proxy: LocalizedText(ko: "프록시로 연결할 수 없음", en: "cannot connect through the proxy")
        case .untrusted:
            LocalizedText(ko: "인증서를 신뢰할 수 없음", en: "the certificate is not trusted")
        case .timedOut: LocalizedText(ko: "응답 시간 초과", en: "the request timed out")
        case .disconnected: LocalizedText(ko: "연결 끊김", en: "the connection was lost")
        case .leaving: LocalizedText(ko: "서버가 연결을 닫음", en: "the server closed the stream")
        case .silent: LocalizedText(ko: "데이터 없음", en: "no data")
        case .notHoga: LocalizedText(ko: "hoga 서버가 아님", en: "not a hoga server")
        case .otherVersion:
            LocalizedText(ko: "호환되지 않는 서버 버전", en: "the server version is not compatible")
        case .unauthorized: LocalizedText(ko: "토큰이 유효하지 않음", en: "the token is not valid")
        case .forbidden: LocalizedText(ko: "읽기 전용 토큰", en: "the token is read-only")
        case .rateLimited: LocalizedText(ko: "요청 한도 초과", en: "too many requests")
        case .storeAway: LocalizedText(ko: "저장소 연결 끊김", en: "the store is unreachable")
        case .changed: LocalizedText(ko: "다른 곳에서 변경됨", en: "changed elsewhere")
        case .missing: LocalizedText(ko: "찾을 수 없음", en: "not found")
        case .refused: LocalizedText(ko: "서버가 요청을 거부함", en: "the server refused the request")
        case .failed: LocalizedText(ko: "서버 오류", en: "the server reported an error")
        }
    }
}
