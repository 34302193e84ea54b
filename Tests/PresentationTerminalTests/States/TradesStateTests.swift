import Testing

@testable import PresentationTerminal

@Suite("Trades and days show their state and age")
struct TradesStateTests {
    @Test("80 × 24: literal lines", arguments: Self.pictures)
    func written(picture: StatePicture) { picture.check() }

    /// For states other than live: the lines that differ from the live frame.
    private static let pictures: [StatePicture] = [
        StatePicture(
            .trades,
            .live,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                   ● 실시간  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24시간  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇█
                2| 호가  차트 [시세]                                                 [체결] d 일별
                3|시간        구분             가격    체결량    체결금액
                4|21:03:11    매수    ▲ 143,210,000    0.0012     171,852
                23|d 체결·일별  w 창  Esc 목록  f 관심  p 기간  r 새로고침         ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                    ● live  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24h  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇█
                2| Book  Chart [Trades]                                           [trades] d daily
                3|Time        Side            Price    Quantity     Amount
                4|21:03:11    buy     ▲ 143,210,000      0.0012    171,852
                23|d days  w pane  Esc list  f star  p period  r reload              ? help  q quit
                """
        ),
        StatePicture(
            .trades,
            .empty,
            korean: """
                3|
                4|
                12|                                체결이 없습니다
                """,
            english: """
                3|
                4|
                12|                                   No trades
                """
        ),
        StatePicture(
            .trades,
            .loading,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간              ⠼ 불러오는 중  21:03:11 KST
                2| 호가  차트 [시세]                                  [체결] d 일별  ⠼ 불러오는 중
                3|
                4|
                12|                              ⠼ 불러오는 중입니다
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                 ⠼ loading  21:03:11 KST
                2| Book  Chart [Trades]                                [trades] d daily  ⠼ loading
                3|
                4|
                12|                                   ⠼ Loading
                """
        ),
        StatePicture(
            .trades,
            .stale,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간          ○ 끊김 · 지연 7초  21:03:11 KST
                2| 호가  차트 [시세]                              [체결] d 일별  ○ 끊김 · 지연 7초
                23|데이터가 수신되지 않음  r 재시도  Esc 목록  f 관심              ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ cut off · 7s behind  21:03:11 KST
                2| Book  Chart [Trades]                    [trades] d daily  ○ cut off · 7s behind
                23|no data is arriving  r retry  d days  w pane  Esc list  f star    ? help  q quit
                """
        ),
        StatePicture(
            .trades,
            .failed,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                     ✕ 오류  21:03:11 KST
                2| 호가  차트 [시세]                                         [체결] d 일별  ✕ 오류
                3|
                4|
                11|                              가져오지 못했습니다
                12|                            거래소에 연결할 수 없음
                13|                                    r 재시도
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                   ✕ error  21:03:11 KST
                2| Book  Chart [Trades]                                  [trades] d daily  ✕ error
                3|
                4|
                11|                                 Could not load
                12|                         the exchange cannot be reached
                13|                                    r retry
                23|the exchange cannot be reached  in 8s  r retry  Esc list  f star  ? help  q quit
                """
        ),
        StatePicture(
            .trades,
            .reconnecting,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간         ○ 끊김 · 지연 12초  21:03:11 KST
                2| 호가  차트 [시세]                             [체결] d 일별  ○ 끊김 · 지연 12초
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 목록  f 관심  ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live    ○ cut off · 12s behind  21:03:11 KST
                2| Book  Chart [Trades]                   [trades] d daily  ○ cut off · 12s behind
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .trades,
            .offline,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간     ○ OFFLINE · 지연 3시간  21:03:11 KST
                2| 호가  차트 [시세]                         [체결] d 일별  ○ OFFLINE · 지연 3시간
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Esc 목록  f 관심    ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ OFFLINE · 3h behind  21:03:11 KST
                2| Book  Chart [Trades]                    [trades] d daily  ○ OFFLINE · 3h behind
                23|the exchange cannot be reached  in 30s  r retry  Esc list         ? help  q quit
                """
        ),
        StatePicture(
            .trades,
            .replayEnded,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                  ■ 재생 끝  21:03:11 KST
                2| 호가  차트 [시세]                                      [체결] d 일별  ■ 재생 끝
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live            ■ replay ended  21:03:11 KST
                2| Book  Chart [Trades]                           [trades] d daily  ■ replay ended
                """
        ),
        StatePicture(
            .trades,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  d 체결·일별  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  d days  Esc list  f star     ? help  q quit
                """
        ),
        StatePicture(
            .days,
            .live,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                   ● 실시간  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24시간  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇█
                2| 호가  차트 [시세]                                                 [일별] d 체결
                3|날짜                 종가    변동    변동률      거래량
                4|2026-11-20    131,110,000       -         -    400.0000
                23|d 체결·일별  w 창  Esc 목록  f 관심  p 기간  r 새로고침         ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                    ● live  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24h  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇█
                2| Book  Chart [Trades]                                           [daily] d trades
                3|Date                Close    Change    Rate      Volume
                4|2026-11-20    131,110,000         -       -    400.0000
                23|d days  w pane  Esc list  f star  p period  r reload              ? help  q quit
                """
        ),
        StatePicture(
            .days,
            .empty,
            korean: """
                3|
                4|
                12|                              일별 시세가 없습니다
                """,
            english: """
                3|
                4|
                12|                                No daily prices
                """
        ),
        StatePicture(
            .days,
            .loading,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간              ⠼ 불러오는 중  21:03:11 KST
                2| 호가  차트 [시세]                                  [일별] d 체결  ⠼ 불러오는 중
                3|
                4|
                12|                              ⠼ 불러오는 중입니다
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                 ⠼ loading  21:03:11 KST
                2| Book  Chart [Trades]                                [daily] d trades  ⠼ loading
                3|
                4|
                12|                                   ⠼ Loading
                """
        ),
        StatePicture(
            .days,
            .stale,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간          ○ 끊김 · 지연 7초  21:03:11 KST
                2| 호가  차트 [시세]                              [일별] d 체결  ○ 끊김 · 지연 7초
                23|데이터가 수신되지 않음  r 재시도  Esc 목록  f 관심              ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ cut off · 7s behind  21:03:11 KST
                2| Book  Chart [Trades]                    [daily] d trades  ○ cut off · 7s behind
                23|no data is arriving  r retry  d days  w pane  Esc list  f star    ? help  q quit
                """
        ),
        StatePicture(
            .days,
            .failed,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                     ✕ 오류  21:03:11 KST
                2| 호가  차트 [시세]                                         [일별] d 체결  ✕ 오류
                3|
                4|
                11|                              가져오지 못했습니다
                12|                            거래소에 연결할 수 없음
                13|                                    r 재시도
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                   ✕ error  21:03:11 KST
                2| Book  Chart [Trades]                                  [daily] d trades  ✕ error
                3|
                4|
                11|                                 Could not load
                12|                         the exchange cannot be reached
                13|                                    r retry
                23|the exchange cannot be reached  in 8s  r retry  Esc list  f star  ? help  q quit
                """
        ),
        StatePicture(
            .days,
            .reconnecting,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간         ○ 끊김 · 지연 12초  21:03:11 KST
                2| 호가  차트 [시세]                             [일별] d 체결  ○ 끊김 · 지연 12초
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 목록  f 관심  ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live    ○ cut off · 12s behind  21:03:11 KST
                2| Book  Chart [Trades]                   [daily] d trades  ○ cut off · 12s behind
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .days,
            .offline,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간     ○ OFFLINE · 지연 3시간  21:03:11 KST
                2| 호가  차트 [시세]                         [일별] d 체결  ○ OFFLINE · 지연 3시간
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Esc 목록  f 관심    ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ OFFLINE · 3h behind  21:03:11 KST
                2| Book  Chart [Trades]                    [daily] d trades  ○ OFFLINE · 3h behind
                23|the exchange cannot be reached  in 30s  r retry  Esc list         ? help  q quit
                """
        ),
        StatePicture(
            .days,
            .replayEnded,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                  ■ 재생 끝  21:03:11 KST
                2| 호가  차트 [시세]                                      [일별] d 체결  ■ 재생 끝
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live            ■ replay ended  21:03:11 KST
                2| Book  Chart [Trades]                           [daily] d trades  ■ replay ended
                """
        ),
        StatePicture(
            .days,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  d 체결·일별  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  d days  Esc list  f star     ? help  q quit
                """
        ),
    ]
}
