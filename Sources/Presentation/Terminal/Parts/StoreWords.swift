import Domain
import Presentation

/// What screens say of the store.
enum StoreWords {
    static let notKept = LocalizedText(korean: "저장 안 됨", english: "not saved")
    /// From this width on there is room for the reason and some keys.
    private static let reasonWidth = 60

    /// What a form says while it is kept, within the narrowest screen.
    static let saving = LocalizedText(
        korean: "저장하는 중 … 닫아도 저장됩니다",
        english: "saving … goes on when closed"
    )

    /// A mark for the bottom line while nothing can be kept; nil while all is well.
    ///
    /// Its reason goes before the keys unless the screen is very narrow.
    static func mark(
        _ status: StoreStatus?,
        width: Int,
        _ language: Language
    ) -> LineSegment? {
        guard let status, let failure = status.failure else { return nil }
        let short = notKept[language]
        let long = short + ": " + reason(failure.code, status)[language]
        return LineSegment(
            [width < reasonWidth ? short : long],
            style: CellStyle(.error, emphasis: .bold),
            rank: 1
        )
    }

    /// That a change was not made, and why.
    static func refusal(_ failure: StoreFailure, _ language: Language) -> String {
        let words = notKept[language] + ": " + reason(failure.code, nil)[language]
        switch failure.code {
        // The rule that was broken, or the remedy, is in the detail only.
        case .refused, .incompatible, .damaged, .unauthorized, .forbidden:
            return words + " – " + failure.detail
        case .unavailable, .busy, .full, .readOnly, .conflict: return words
        }
    }

    private static func reason(
        _ code: StoreFailure.Code,
        _ status: StoreStatus?
    ) -> LocalizedText {
        switch code {
        case .unavailable:
            switch status {
            case .volatile, .opening: LocalizedText(korean: "저장소 없음", english: "no store")
            // It is somewhere, and what is shown is as it was last read, if it ever was.
            case .waiting, .failing, .ready, nil:
                LocalizedText(korean: "저장소 연결 끊김", english: "the store is out of reach")
            }
        case .busy: LocalizedText(korean: "저장소 사용 중", english: "the store is busy")
        case .full: LocalizedText(korean: "디스크 가득 참", english: "the disk is full")
        case .readOnly: LocalizedText(korean: "읽기 전용", english: "the store is read-only")
        case .damaged: LocalizedText(korean: "저장소 손상", english: "the store is damaged")
        case .incompatible:
            LocalizedText(korean: "맞지 않는 저장소", english: "the store is of another version")
        case .conflict: LocalizedText(korean: "다른 곳에서 바뀜", english: "changed elsewhere")
        case .refused: LocalizedText(korean: "받아들일 수 없음", english: "not allowed")
        case .unauthorized:
            LocalizedText(korean: "토큰이 유효하지 않음", english: "the token opens nothing")
        case .forbidden:
            LocalizedText(korean: "읽기 전용 토큰", english: "the token may only read")
        }
    }
}
