import Domain
import ViewStates

/// What screens say of the store.
enum StoreStrings {
    static let notKept = LocalizedText(korean: "저장 안 됨", english: "not saved")
    /// From this width on there is room for the reason and some keys.
    private static let reasonWidth = 60

    /// What a form says while it is kept, within the narrowest screen.
    static let saving = LocalizedText(
        korean: "저장하는 중 … 닫아도 저장됩니다",
        english: "saving … goes on when closed"
    )

    /// The same while the store does not answer.
    static let savingSlowly = LocalizedText(
        korean: "저장소 응답 대기 … 닫아도 저장됩니다",
        english: "waiting for the store … goes on"
    )

    /// What a form says that the store did not take before and may take now.
    static func back(keys: KeyTable) -> LocalizedText {
        let key = keys.label(of: .formSubmit)
        return LocalizedText(
            korean: "저장소가 다시 응답함 – \(key)로 저장",
            english: "the store works again: \(key) saves"
        )
    }

    /// That the store has not answered for a while.
    static let waiting = LocalizedText(korean: "저장소 응답 대기", english: "waiting for the store")

    /// A mark for the bottom line while nothing can be kept or the store does not answer; nil while
    /// all is well.
    ///
    /// Its reason goes before the keys. On a narrow screen it is the shortest one, and beside
    /// something else that has to be said there none at all.
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

    /// That a change was not made, and why; longest first.
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

    /// The longest of some words that fits; else the shortest as far as it fits.
    static func fitting(_ texts: [String], _ width: Int) -> String {
        texts.first { TextWidth.columns($0) <= width }
            ?? TextWidth.truncated(texts.last ?? "", to: width)
    }

    /// That no token was given, with the remedy.
    static let withoutToken = LocalizedText(
        korean: "토큰을 주지 않음 – HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
        english: "no token was given – set HOGA_TOKEN or HOGA_TOKEN_FILE"
    )

    /// The remedy alone, within the narrowest screen.
    static let tokenSettings = LocalizedText(
        korean: "HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
        english: "set HOGA_TOKEN or HOGA_TOKEN_FILE"
    )

    /// That the token opens nothing, with the remedy.
    static let closed = LocalizedText(
        korean: "토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new",
        english: "the token opens nothing – ask for a new one: hoga user token new"
    )

    /// That the token opens reading alone, with the remedy.
    static let readingOnly = LocalizedText(
        korean: "읽기 전용 토큰 – 쓰기 토큰을 받으세요: hoga user token new",
        english: "the token may only read – ask for another: hoga user token new"
    )

    /// What stands in the place of something that was not read, line by line.
    static func unread(
        _ things: UserContent,
        _ visibility: Visibility,
        _ language: Language
    ) -> [String] {
        let isKorean = language == .korean
        let name =
            switch things {
            case .holdings: isKorean ? "보유자산" : "The holdings"
            case .favorites: isKorean ? "관심 자산" : "The starred markets"
            }
        switch visibility {
        case .shown: return []
        case .unread(let failure):
            let was = isKorean ? "을 아직 읽지 못함" : " were not read yet"
            let why = failure.map { reason($0.code, nil).full[language] }
            return [name + was] + (why.map { [$0] } ?? [])
        case .closed(let failure) where failure.code == .noToken:
            return [
                name + (isKorean ? "에는 토큰이 필요함" : " take a token"),
                reason(failure.code, nil).full[language],
                tokenSettings[language],
                (isKorean ? "자세히: " : "more: ") + "hoga watch --help",
            ]
        case .closed(let failure):
            return [
                name + (isKorean ? " 닫힘" : " are closed"),
                reason(failure.code, nil).full[language],
                (isKorean ? "새 토큰: " : "a new token: ") + "hoga user token new",
            ]
        }
    }

    /// Why, as a phrase and in the fewest words.
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
                Reason(LocalizedText(korean: "저장소 없음", english: "no store"))
            // It is somewhere, and what is shown is as it was last read, if it ever was.
            case .waiting, .failing, .ready, nil:
                Reason(
                    LocalizedText(korean: "저장소 연결 끊김", english: "the store is out of reach"),
                    short: LocalizedText(korean: "연결 끊김", english: "no connection")
                )
            }
        case .busy:
            Reason(
                LocalizedText(korean: "저장소 사용 중", english: "the store is busy"),
                short: LocalizedText(korean: "사용 중", english: "busy")
            )
        case .full:
            Reason(
                LocalizedText(korean: "디스크 가득 참", english: "the disk is full"),
                short: LocalizedText(korean: "디스크 가득 참", english: "disk full")
            )
        case .readOnly:
            Reason(
                LocalizedText(korean: "읽기 전용", english: "the store is read-only"),
                short: LocalizedText(korean: "읽기 전용", english: "read-only")
            )
        case .damaged:
            Reason(
                LocalizedText(korean: "저장소 손상", english: "the store is damaged"),
                short: LocalizedText(korean: "손상", english: "damaged")
            )
        case .incompatible:
            Reason(
                LocalizedText(korean: "맞지 않는 저장소", english: "the store is of another version"),
                short: LocalizedText(korean: "다른 버전", english: "other version")
            )
        case .conflict:
            Reason(LocalizedText(korean: "다른 곳에서 바뀜", english: "changed elsewhere"))
        case .refused:
            Reason(LocalizedText(korean: "받아들일 수 없음", english: "not allowed"))
        case .unauthorized:
            Reason(
                LocalizedText(korean: "토큰이 유효하지 않음", english: "the token opens nothing"),
                short: LocalizedText(korean: "무효한 토큰", english: "token not valid")
            )
        case .noToken:
            Reason(
                LocalizedText(korean: "토큰을 주지 않음", english: "no token was given"),
                short: LocalizedText(korean: "토큰 없음", english: "no token")
            )
        case .forbidden:
            Reason(
                LocalizedText(korean: "읽기 전용 토큰", english: "the token may only read"),
                short: LocalizedText(korean: "읽기 전용 토큰", english: "token only reads")
            )
        }
    }
}

/// What was not read.
enum UserContent {
    case holdings, favorites
}
