import Domain
import ViewStates

/// Texts about the store.
enum StoreStrings {
    static let notKept = LocalizedText(ko: "저장 안 됨", en: "not saved")
    /// The minimum width for the reason beside some keys.
    private static let reasonWidth = 60

    /// Shown while a form is being saved; fits the narrowest screen.
    static let saving = LocalizedText(
        ko: "저장하는 중 … 닫아도 저장됩니다",
        en: "saving … continues when closed"
    )

    /// The same while the store does not answer.
    static let savingSlowly = LocalizedText(
        ko: "저장소 응답 대기 … 닫아도 저장됩니다",
        en: "waiting for the store … continues"
    )

    /// Shown in a form that can be submitted again.
    static func back(keys: KeyTable) -> LocalizedText {
        let key = keys.label(of: .formSubmit)
        return LocalizedText(
            ko: "저장소가 다시 응답함 – \(key)로 저장",
            en: "the store is back: \(key) saves"
        )
    }

    /// The store has not answered for a while.
    static let waiting = LocalizedText(ko: "저장소 응답 대기", en: "waiting for the store")

    /// A marker for the bottom line while changes cannot be saved or the store is slow; nil if
    /// healthy.
    ///
    /// The reason takes precedence over hints. Narrow screens show the shortest reason, and none
    /// beside an error.
    static func mark(
        _ state: ScreenState,
        width: Int,
        isBesideError: Bool = false,
        _ language: Language
    ) -> LineSegment? {
        guard let status = state.personal?.status, let failure = status.failure else {
            guard state.isStoreSlow else { return nil }
            return LineSegment([waiting[language]], style: .bold, rank: 1)
        }
        let lead = notKept[language]
        let reason = reason(failure.code, status)
        let long = lead + ": " + reason.full[language]
        let short = lead + ": " + reason.short[language]
        let isShortSeen = !isBesideError && TextWidth.columns(short) <= width
        return LineSegment(
            [width >= reasonWidth ? long : (isShortSeen ? short : lead)],
            style: CellStyle(.error, emphasis: .bold),
            rank: 1
        )
    }

    /// The reason why a change was not saved, longest first.
    static func refusals(_ failure: StoreFailure, _ language: Language) -> [String] {
        let lead = notKept[language] + ": "
        let reason = reason(failure.code, nil)
        let words = lead + reason.full[language]
        switch failure.code {
        case .unauthorized: return [lead + closed[language], words]
        case .noToken: return [lead + withoutToken[language], words]
        case .forbidden: return [lead + readingOnly[language], words]
        // The rule that was broken, or the remedy, is in the detail only.
        case .refused, .incompatible, .damaged: return [words + " – " + failure.detail]
        case .unavailable, .busy, .full, .readOnly, .conflict:
            return [words, lead + reason.short[language]]
        }
    }

    /// The longest text that fits, else the shortest one truncated.
    static func fitting(_ texts: [String], _ width: Int) -> String {
        texts.first { TextWidth.columns($0) <= width }
            ?? TextWidth.truncated(texts.last ?? "", to: width)
    }

    /// No token was given, with the remedy.
    static let withoutToken = LocalizedText(
        ko: "토큰 없음 – HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
        en: "no token – set HOGA_TOKEN or HOGA_TOKEN_FILE"
    )

    /// The remedy alone, within the narrowest screen.
    static let tokenSettings = LocalizedText(
        ko: "HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
        en: "set HOGA_TOKEN or HOGA_TOKEN_FILE"
    )

    /// The token is not valid, with the remedy.
    static let closed = LocalizedText(
        ko: "토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new",
        en: "the token is not valid – create a new one: hoga user token new"
    )

    /// The token is read-only, with the remedy.
    static let readingOnly = LocalizedText(
        ko: "읽기 전용 토큰 – 쓰기 토큰을 받으세요: hoga user token new",
        en: "the token is read-only – create another: hoga user token new"
    )

    /// The lines shown in place of content that could not be loaded.
    static func unloaded(_ content: UserContent, _ visibility: Visibility) -> [LocalizedText] {
        switch visibility {
        case .shown: []
        case .unread(let failure):
            [
                content.name.followed(
                    by: LocalizedText(ko: "을 아직 불러오지 못함", en: " are not loaded yet")
                )
            ] + (failure.map { [reason($0.code, nil).full] } ?? [])
        case .closed(let failure) where failure.code == .noToken:
            [
                content.name.followed(by: LocalizedText(ko: "에는 토큰이 필요함", en: " need a token")),
                reason(failure.code, nil).full,
                tokenSettings,
                LocalizedText(ko: "자세히: hoga watch --help", en: "more: hoga watch --help"),
            ]
        case .closed(let failure):
            [
                content.name.followed(by: LocalizedText(ko: "을 열 수 없음", en: " are not accessible")),
                reason(failure.code, nil).full,
                LocalizedText(
                    ko: "새 토큰: hoga user token new",
                    en: "create a token: hoga user token new"
                ),
            ]
        }
    }

    /// The reason as a phrase and in its shortest form.
    private struct Reason {
        let full: LocalizedText
        let short: LocalizedText

        init(_ full: LocalizedText, short: LocalizedText? = nil) {
            self.full = full
            self.short = short ?? full
        }
    }

    private static func reason(_ code: StoreFailure.Code, _ status: StoreStatus?) -> Reason {
        switch code {
        case .unavailable:
            switch status {
            case .volatile, .opening:
                Reason(LocalizedText(ko: "저장소 없음", en: "no store"))
            // The store exists but is unreachable; the last read data is shown.
            case .waiting, .failing, .ready, nil:
                Reason(
                    LocalizedText(ko: "저장소 연결 끊김", en: "the store is unreachable"),
                    short: LocalizedText(ko: "연결 끊김", en: "no connection")
                )
            }
        case .busy:
            Reason(
                LocalizedText(ko: "저장소 사용 중", en: "the store is busy"),
                short: LocalizedText(ko: "사용 중", en: "busy")
            )
        case .full:
            Reason(
                LocalizedText(ko: "디스크 공간 부족", en: "the disk is full"),
                short: LocalizedText(ko: "디스크 공간 부족", en: "disk full")
            )
        case .readOnly:
            Reason(
                LocalizedText(ko: "읽기 전용", en: "the store is read-only"),
                short: LocalizedText(ko: "읽기 전용", en: "read-only")
            )
        case .damaged:
            Reason(
                LocalizedText(ko: "저장소 손상", en: "the store is damaged"),
                short: LocalizedText(ko: "손상", en: "damaged")
            )
        case .incompatible:
            Reason(
                LocalizedText(ko: "호환되지 않는 저장소", en: "the store version is not compatible"),
                short: LocalizedText(ko: "다른 버전", en: "other version")
            )
        case .conflict:
            Reason(LocalizedText(ko: "다른 곳에서 바뀜", en: "changed elsewhere"))
        case .refused:
            Reason(LocalizedText(ko: "허용되지 않음", en: "not allowed"))
        case .unauthorized:
            Reason(
                LocalizedText(ko: "토큰이 유효하지 않음", en: "the token is not valid"),
                short: LocalizedText(ko: "잘못된 토큰", en: "invalid token")
            )
        case .noToken:
            Reason(LocalizedText(ko: "토큰 없음", en: "no token"))
        case .forbidden:
            Reason(
                LocalizedText(ko: "읽기 전용 토큰", en: "the token is read-only"),
                short: LocalizedText(ko: "읽기 전용 토큰", en: "read-only token")
            )
        }
    }
}

/// The user's own content that a screen may fail to load.
enum UserContent {
    case holdings, favorites, alerts

    fileprivate var name: LocalizedText {
        switch self {
        case .holdings: LocalizedText(ko: "보유자산", en: "The holdings")
        case .favorites: LocalizedText(ko: "관심 자산", en: "The favorites")
        case .alerts: LocalizedText(ko: "알림", en: "The alerts")
        }
    }
}

extension LocalizedText {
    fileprivate func followed(by other: LocalizedText) -> LocalizedText {
        LocalizedText(ko: ko + other.ko, en: en + other.en)
    }
}
