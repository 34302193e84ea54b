import Testing

@testable import PresentationTerminal

@Suite("The list shows its state, its age and the key that helps")
struct ListStateTests {
    @Test("80 × 24: literal lines", arguments: Self.pictures)
    func written(picture: StatePicture) { picture.check() }

    /// For states other than live: the lines that differ from the live frame.
    private static let pictures: [StatePicture] = [
        StatePicture(
            .list,
            .live,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간                     ● 실시간  21:03:11 KST
                1|[원화] BTC  인기  관심                                정렬 인기▼  1/1 (전체 480)
                2|  자산명                         현재가     변동률     변동금액  거래금액(백만)▼
                3|› 비트코인 BTC/KRW          143,210,000   ▼ -1.34%   -1,945,000       98,123백만
                23|Enter 열기  Tab 탭  f 관심  1-5 화면  / 검색  s 정렬  p 기간    ? 도움말  q 종료
                """,
            english: """
                0|hoga market  Bithumb live  change 24h                       ● live  21:03:11 KST
                1|[KRW] BTC  Popular  Favorites                     sort popularity▼  1/1 (of 480)
                2|  Name                                Price     Change       Amount    Value(M)▼
                3|› Bitcoin BTC/KRW               143,210,000   ▼ -1.34%   -1,945,000   98,123백만
                23|Enter open  Tab tab  f star  1-5 screens  / search  s sort        ? help  q quit
                """
        ),
        StatePicture(
            .list,
            .empty,
            korean: """
                1|[원화] BTC  인기  관심                                         정렬 인기▼  0/480
                3|
                12|                             표시할 자산이 없습니다
                13|                                  Tab 다른 탭
                """,
            english: """
                1|[KRW] BTC  Popular  Favorites                            sort popularity▼  0/480
                3|
                12|                                Nothing to show
                13|                                Tab another tab
                """
        ),
        StatePicture(
            .list,
            .loading,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간                ⠼ 불러오는 중  21:03:11 KST
                1|[원화] BTC  인기  관심                                           정렬 인기▼  0/0
                3|
                12|                           ⠼ 시세를 불러오는 중입니다
                """,
            english: """
                0|hoga market  Bithumb live  change 24h                    ⠼ loading  21:03:11 KST
                1|[KRW] BTC  Popular  Favorites                              sort popularity▼  0/0
                3|
                12|                               ⠼ Loading markets
                """
        ),
        StatePicture(
            .list,
            .stale,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간            ○ 끊김 · 지연 7초  21:03:11 KST
                23|데이터가 수신되지 않음  r 재시도  Enter 열기  / 검색  s 정렬    ? 도움말  q 종료
                """,
            english: """
                0|hoga market  Bithumb live  change 24h        ○ cut off · 7s behind  21:03:11 KST
                23|no data is arriving  r retry  Enter open  / search  s sort        ? help  q quit
                """
        ),
        StatePicture(
            .list,
            .failed,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간                       ✕ 오류  21:03:11 KST
                1|[원화] BTC  인기  관심                                           정렬 인기▼  0/0
                3|
                11|                           시세를 가져오지 못했습니다
                12|                            거래소에 연결할 수 없음
                13|                                    r 재시도
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Enter 열기  / 검색   ? 도움말  q 종료
                """,
            english: """
                0|hoga market  Bithumb live  change 24h                      ✕ error  21:03:11 KST
                1|[KRW] BTC  Popular  Favorites                              sort popularity▼  0/0
                3|
                11|                           Could not load the markets
                12|                         the exchange cannot be reached
                13|                                    r retry
                23|the exchange cannot be reached  in 8s  r retry  Enter open        ? help  q quit
                """
        ),
        StatePicture(
            .list,
            .reconnecting,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간           ○ 끊김 · 지연 12초  21:03:11 KST
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Enter 열기        ? 도움말  q 종료
                """,
            english: """
                0|hoga market  Bithumb live  change 24h       ○ cut off · 12s behind  21:03:11 KST
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .list,
            .offline,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간       ○ OFFLINE · 지연 3시간  21:03:11 KST
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Enter 열기  / 검색  ? 도움말  q 종료
                """,
            english: """
                0|hoga market  Bithumb live  change 24h        ○ OFFLINE · 3h behind  21:03:11 KST
                23|the exchange cannot be reached  in 30s  r retry  Enter open       ? help  q quit
                """
        ),
        StatePicture(
            .list,
            .replayEnded,
            korean: """
                0|hoga 거래소  빗썸 실시간  변동 24시간                    ■ 재생 끝  21:03:11 KST
                """,
            english: """
                0|hoga market  Bithumb live  change 24h               ■ replay ended  21:03:11 KST
                """
        ),
        StatePicture(
            .list,
            .noHits,
            korean: """
                1|[원화] BTC  인기  관심   /zz                                   정렬 인기▼  0/480
                3|
                12|                            일치하는 자산이 없습니다
                13|                                Esc 검색 지우기
                23|Enter 열기  Tab 탭  f 관심  / 검색  s 정렬  Esc 지우기          ? 도움말  q 종료
                """,
            english: """
                1|[KRW] BTC  Popular  Favorites   /zz                      sort popularity▼  0/480
                3|
                12|                           Nothing matches the search
                13|                              Esc clear the search
                23|Enter open  Tab tab  f star  / search  s sort  Esc clear          ? help  q quit
                """
        ),
        StatePicture(
            .list,
            .noFavorites,
            korean: """
                1| 원화  BTC  인기 [관심]                                      정렬 내 순서  0/480
                2|  자산명                             현재가     변동률     변동금액     거래금액
                3|
                11|                              관심 자산이 없습니다
                12|                            f 다른 탭에서 관심 추가
                13|                                  Tab 다른 탭
                """,
            english: """
                1| KRW  BTC  Popular [Favorites]                             sort own order  0/480
                2|  Name                                Price     Change       Amount        Value
                3|
                11|                                No favorites yet
                12|                        f add a favorite in another tab
                13|                                Tab another tab
                """
        ),
        StatePicture(
            .list,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  Enter 열기  / 검색  s 정렬        ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable Enter open / search s sort     ? help q quit
                """
        ),
        StatePicture(
            .list,
            .unread,
            korean: """
                1| 원화  BTC  인기 [관심]                                      정렬 내 순서  0/480
                2|  자산명                             현재가     변동률     변동금액     거래금액
                3|
                12|                         관심 자산을 아직 불러오지 못함
                13|                                저장소 연결 끊김
                23|저장 안 됨: 저장소 연결 끊김  Enter 열기  / 검색  s 정렬        ? 도움말  q 종료
                """,
            english: """
                1| KRW  BTC  Popular [Favorites]                             sort own order  0/480
                2|  Name                                Price     Change       Amount        Value
                3|
                12|                        The favorites are not loaded yet
                13|                            the store is unreachable
                23|not saved: the store is unreachable Enter open / search s sort     ? help q quit
                """
        ),
    ]
}
