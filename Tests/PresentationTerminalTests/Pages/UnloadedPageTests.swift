import Domain
@testable import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Unloaded user data: literal lines")
struct UnloadedPageTests {
    private static let away = StoreFailure(.unavailable, "away")
    private static let revoked = StoreFailure(.unauthorized, "the token is not valid: revoked")
    private static let noToken = StoreFailure(.noToken, "no token")
    private static let forbidden = StoreFailure(.forbidden, "the token opens reading alone")

    private func portfolio(
        _ status: StoreStatus,
        columns: Int = 80,
        language: Language,
        _ actions: ScreenAction...
    ) -> Frame {
        var state = PageSamples.screen(.portfolio, columns: columns, rows: 12)
        let user = PageSamples.personal(status: status) { $0.profile.value.displayName = nil }
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        for action in actions { _ = ScreenReducer.reduce(&state, action) }
        let failure = status.failure
        let health = HealthViewState(
            phase: failure == nil ? .loading : .failed,
            at: nil,
            staleAfter: nil,
            origin: nil,
            complete: false,
            error: failure.map {
                ErrorViewState(
                    code: $0.code.rawValue,
                    message: "-",
                    retryable: true,
                    nextRetryAt: nil
                )
            }
        )
        var document = PageSamples.portfolio([], health: health, displayName: nil, unvalued: [])
        document.state.cash = .init(amount: nil, amountText: nil, sharePercent: nil)
        document.state.totals = .init()
        return PageSamples.frame(
            state,
            portfolio: document,
            columns: columns,
            rows: 12,
            language: language
        )
    }

    @Test("보유자산 without the database, 80 × 12")
    func awayInKorean() {
        expectLines(
            portfolio(.waiting(Self.away), language: .korean),
            """
            hoga 보유자산  빗썸 실시간                                  ✕ 오류  21:03:11 KST





                                     보유자산을 아직 불러오지 못함
                                            저장소 연결 끊김



            저장 안 됨: 저장소 연결 끊김  o 열기  Esc 거래소  1-5 화면      ? 도움말  q 종료
            """
        )
    }

    @Test("Holdings without the database, 80 × 12, after the key that would add a coin")
    func awayInEnglish() {
        expectLines(
            portfolio(.waiting(Self.away), language: .english, .portfolio(.add)),
            """
            hoga holdings  Bithumb live                                ✕ error  21:03:11 KST





                                    The holdings are not loaded yet
                                        the store is unreachable



            still loading: no changes are possible yet
            """
        )
    }

    @Test("보유자산 of a token that was revoked, 40 × 12")
    func revokedNarrow() {
        expectLines(
            portfolio(.failing(Self.revoked), columns: 40, language: .korean),
            """
            보유자산  빗썸 실시간   ✕ 오류  21:03:11




                     보유자산을 열 수 없음
                      토큰이 유효하지 않음
                  새 토큰: hoga user token new



            저장 안 됨: 잘못된 토큰  ? 도움말 q 종료
            """
        )
    }

    @Test("보유자산 of a token that was revoked, 80 × 12, after the key that would add a coin")
    func revokedInKorean() {
        expectLines(
            portfolio(.failing(Self.revoked), language: .korean, .portfolio(.add)),
            """
            hoga 보유자산  빗썸 실시간                                  ✕ 오류  21:03:11 KST




                                         보유자산을 열 수 없음
                                          토큰이 유효하지 않음
                                      새 토큰: hoga user token new



            토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new
            """
        )
    }

    @Test("보유자산 where no token, 40 × 12")
    func withoutTokenNarrow() {
        expectLines(
            portfolio(.waiting(Self.noToken), columns: 40, language: .korean),
            """
            보유자산  빗썸 실시간   ✕ 오류  21:03:11




                   보유자산에는 토큰이 필요함
                           토큰 없음
             HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정
                   자세히: hoga watch --help


            저장 안 됨: 토큰 없음   ? 도움말  q 종료
            """
        )
    }

    @Test("Holdings where no token, 80 × 12, after the key that would add a coin")
    func withoutTokenInEnglish() {
        expectLines(
            portfolio(.waiting(Self.noToken), language: .english, .portfolio(.add)),
            """
            hoga holdings  Bithumb live                                ✕ error  21:03:11 KST




                                       The holdings need a token
                                                no token
                                   set HOGA_TOKEN or HOGA_TOKEN_FILE
                                        more: hoga watch --help


            no token – set HOGA_TOKEN or HOGA_TOKEN_FILE
            """
        )
    }

    private func favoritesFrame(_ status: StoreStatus, language: Language) -> Frame {
        var list = Samples.state([], size: TerminalSize(columns: 80, rows: 12))
        list.tab = .favorites
        var state = ScreenState(list: list)
        let user = PageSamples.personal(status: status)
        _ = ScreenReducer.reduce(&state, .personal(UserStateUpdate(user)))
        return MarketListRenderer.render(
            document: Samples.document([], filtered: 0, emptyReason: .error),
            pinned: [],
            state: state,
            now: Samples.now,
            flashing: [],
            size: TerminalSize(columns: 80, rows: 12),
            language: language
        )
    }

    @Test("관심 that failed to load does not claim to be empty")
    func favorites() throws {
        let korean = favoritesFrame(.waiting(Self.away), language: .korean)
        let row = try #require(korean.row(of: "관심 자산을 아직 불러오지 못함"))
        #expect(korean.lines[row + 1].contains("저장소 연결 끊김"))
        let english = favoritesFrame(.failing(Self.revoked), language: .english)
        let line = try #require(english.row(of: "The favorites are not accessible"))
        #expect(english.lines[line + 2].contains("create a token: hoga user token new"))
        let closed = favoritesFrame(.waiting(Self.noToken), language: .korean)
        let first = try #require(closed.row(of: "관심 자산에는 토큰이 필요함"))
        #expect(closed.lines[first + 2].contains("HOGA_TOKEN 또는 HOGA_TOKEN_FILE"))
    }

    @Test(
        "Token errors include the remedy in 80 columns",
        arguments: [
            (StoreFailure.Code.unauthorized, "hoga user token new"),
            (.forbidden, "hoga user token new"), (.noToken, "HOGA_TOKEN_FILE"),
        ],
        Language.allCases
    )
    func sentences(
        failing: (code: StoreFailure.Code, remedy: String),
        language: Language
    ) {
        let code = failing.code
        let failure = StoreFailure(code, "the detail")
        let texts = StoreStrings.refusals(failure, language)
        #expect(texts.allSatisfy { TextWidth.columns($0) <= 80 })
        #expect(texts[0].contains(failing.remedy))
        #expect(!texts[0].contains(failure.detail))
        #expect(TextWidth.columns(texts[texts.count - 1]) <= 40)
    }

    @Test("Literal messages")
    func literally() {
        let texts = [Self.revoked, Self.forbidden, Self.noToken].flatMap { failure in
            Language.allCases.map { StoreStrings.refusals(failure, $0)[0] }
        }
        #expect(
            texts == [
                "저장 안 됨: 토큰이 유효하지 않음 – 새 토큰을 받으세요: hoga user token new",
                "not saved: the token is not valid – create a new one: hoga user token new",
                "저장 안 됨: 읽기 전용 토큰 – 쓰기 토큰을 받으세요: hoga user token new",
                "not saved: the token is read-only – create another: hoga user token new",
                "저장 안 됨: 토큰 없음 – HOGA_TOKEN 또는 HOGA_TOKEN_FILE로 지정",
                "not saved: no token – set HOGA_TOKEN or HOGA_TOKEN_FILE",
            ]
        )
    }

    @Test(
        "A narrow bottom line shows the shortest reason",
        arguments: [
            (StoreFailure.Code.unavailable, "저장 안 됨: 연결 끊김", "not saved: no connection"),
            (.busy, "저장 안 됨: 사용 중", "not saved: busy"),
            (.full, "저장 안 됨: 디스크 공간 부족", "not saved: disk full"),
            (.unauthorized, "저장 안 됨: 잘못된 토큰", "not saved: invalid token"),
            (.noToken, "저장 안 됨: 토큰 없음", "not saved: no token"),
        ]
    )
    func narrow(code: StoreFailure.Code, korean: String, english: String) {
        for (language, words) in [(Language.korean, korean), (.english, english)] {
            let frame = portfolio(
                .failing(StoreFailure(code, "detail")),
                columns: 40,
                language: language
            )
            #expect(frame.lines[11].hasPrefix(words))
        }
    }

    @Test("A slow store is shown as waiting", arguments: Language.allCases)
    func slow(language: Language) {
        let later = Samples.now.advanced(by: .seconds(2))
        let frame = portfolio(
            .opening,
            language: language,
            .passed(now: Samples.now, pendingCall: 1),
            .passed(now: later, pendingCall: 1)
        )
        let words = language == .korean ? "저장소 응답 대기" : "waiting for the store"
        #expect(frame.lines[11].hasPrefix(words))
    }

    @Test("A form shows a conflicting change of another session", arguments: Language.allCases)
    func elsewhere(language: Language) {
        let words = FormStrings.conflict(PageSamples.held[0], keys: .screens).map { $0[language] }
        #expect(
            words[0]
                == (language == .korean
                    ? "다른 곳에서: 0.0500, 평균 120,000,000 – 덮어쓰려면 다시 Enter"
                    : "saved elsewhere: 0.0500 at 120,000,000 – Enter again overwrites it")
        )
        #expect(TextWidth.columns(words[1]) <= 38)
    }
}
