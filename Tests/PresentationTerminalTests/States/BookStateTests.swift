import Testing

@testable import PresentationTerminal

@Suite("Book and chart show their state and age")
struct BookStateTests {
    @Test("80 × 24: literal lines", arguments: Self.pictures)
    func written(picture: StatePicture) { picture.check() }

    /// For states other than live: the lines that differ from the live frame.
    private static let pictures: [StatePicture] = [
        StatePicture(
            .book,
            .live,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                   ● 실시간  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24시간  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇█
                2|[호가] 차트  시세                                          모아보기 1,000  1호가
                3|                                                    24시간
                4|                                                    거래금액          98,123백만
                5|                                                    당일
                6|                                                    고가             145,880,000
                7|                                                    저가             142,900,000
                8|                                                    시가             144,100,000
                9|                                                    전일종가         144,155,000
                10|                                                    거래금액          57,912백만
                11|0.0421             ▊█ 0.0421  143,211,000   -0.65%  거래량              402.1882
                12|─────────────────── 호가차 1,000 · 0.07bp · 중간 143,210,500 ───────────────────
                13|체결강도 92.17%              ▶143,210,000◀  -0.65% 0.0421 █▎              0.0421
                14|B 143,210,000         0.0012
                22|매도잔량 0.0421 34.51%                  % 전일대비        매수잔량 0.0421 65.49%
                23|c 가운데  +- 호가 수  g 모아보기  w 창  Esc 목록  f 관심        ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                    ● live  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24h  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇█
                2|[Book] Chart  Trades                                        group 1,000  1 level
                3|                                                    24h
                4|                                                    value                98,123M
                5|                                                    today
                6|                                                    high             145,880,000
                7|                                                    low              142,900,000
                8|                                                    open             144,100,000
                9|                                                    prev. close      144,155,000
                10|                                                    value                57,912M
                11|0.0421             ▊█ 0.0421  143,211,000   -0.65%  volume              402.1882
                12|─────────────────── spread 1,000 · 0.07bp · mid 143,210,500 ────────────────────
                13|Strength 92.17%              ▶143,210,000◀  -0.65% 0.0421 █▎              0.0421
                14|B 143,210,000         0.0012
                22|Ask total 0.0421 34.51%           % vs prev. close       Bid total 0.0421 65.49%
                23|c center  +- levels  g group  w pane  Esc list  f star  p period  ? help  q quit
                """
        ),
        StatePicture(
            .book,
            .empty,
            korean: """
                2|[호가] 차트  시세                                                 모아보기 1,000
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|
                12|                                호가가 없습니다
                13|
                14|
                22|
                """,
            english: """
                2|[Book] Chart  Trades                                                 group 1,000
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|
                12|                                   No orders
                13|
                14|
                22|
                """
        ),
        StatePicture(
            .book,
            .loading,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간              ⠼ 불러오는 중  21:03:11 KST
                2|[호가] 차트  시세                                  모아보기 1,000  ⠼ 불러오는 중
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|
                12|                              ⠼ 불러오는 중입니다
                13|
                14|
                22|
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                 ⠼ loading  21:03:11 KST
                2|[Book] Chart  Trades                                      group 1,000  ⠼ loading
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|
                12|                                   ⠼ Loading
                13|
                14|
                22|
                """
        ),
        StatePicture(
            .book,
            .stale,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간          ○ 끊김 · 지연 7초  21:03:11 KST
                2|[호가] 차트  시세                       모아보기 1,000  1호가  ○ 끊김 · 지연 7초
                23|데이터가 수신되지 않음  r 재시도  c 가운데  Esc 목록  f 관심    ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ cut off · 7s behind  21:03:11 KST
                2|[Book] Chart  Trades                 group 1,000  1 level  ○ cut off · 7s behind
                23|no data is arriving  r retry  c center  Esc list  f star          ? help  q quit
                """
        ),
        StatePicture(
            .book,
            .failed,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                     ✕ 오류  21:03:11 KST
                2|[호가] 차트  시세                                         모아보기 1,000  ✕ 오류
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|                              가져오지 못했습니다
                12|                            거래소에 연결할 수 없음
                13|                                    r 재시도
                14|
                22|
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                   ✕ error  21:03:11 KST
                2|[Book] Chart  Trades                                        group 1,000  ✕ error
                3|
                4|
                5|
                6|
                7|
                8|
                9|
                10|
                11|                                 Could not load
                12|                         the exchange cannot be reached
                13|                                    r retry
                14|
                22|
                23|the exchange cannot be reached  in 8s  r retry  Esc list  f star  ? help  q quit
                """
        ),
        StatePicture(
            .book,
            .reconnecting,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간         ○ 끊김 · 지연 12초  21:03:11 KST
                2|[호가] 차트  시세                      모아보기 1,000  1호가  ○ 끊김 · 지연 12초
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 목록  f 관심  ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live    ○ cut off · 12s behind  21:03:11 KST
                2|[Book] Chart  Trades                group 1,000  1 level  ○ cut off · 12s behind
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .book,
            .offline,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간     ○ OFFLINE · 지연 3시간  21:03:11 KST
                2|[호가] 차트  시세                  모아보기 1,000  1호가  ○ OFFLINE · 지연 3시간
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Esc 목록  f 관심    ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ OFFLINE · 3h behind  21:03:11 KST
                2|[Book] Chart  Trades                 group 1,000  1 level  ○ OFFLINE · 3h behind
                23|the exchange cannot be reached  in 30s  r retry  Esc list         ? help  q quit
                """
        ),
        StatePicture(
            .book,
            .replayEnded,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                  ■ 재생 끝  21:03:11 KST
                2|[호가] 차트  시세                               모아보기 1,000  1호가  ■ 재생 끝
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live            ■ replay ended  21:03:11 KST
                2|[Book] Chart  Trades                        group 1,000  1 level  ■ replay ended
                """
        ),
        StatePicture(
            .book,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  c 가운데  Esc 목록  f 관심        ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  c center  Esc list  f star   ? help  q quit
                """
        ),
        StatePicture(
            .chart,
            .live,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                   ● 실시간  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24시간  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇█
                2| 호가 [차트] 시세                                                             일
                23|←→ 이동  [] 간격  +- 배율  x 십자선  m 지표  Esc 목록  f 관심   ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                    ● live  21:03:11 KST
                1|143,210,000  ▼ -1,945,000  -1.34%  24h  ▁▂▂▂▂▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▇▇▇▇▇█
                2| Book [Chart] Trades                                                         day
                23|←→ move  [] interval  +- zoom  x cross-hair  Esc list  f star     ? help  q quit
                """
        ),
        StatePicture(
            .chart,
            .empty,
            korean: """
                3|일
                4|이평  5 -  10 -  20 -  60 -  120 -
                10|                          이 기간에는 체결이 없습니다
                17|거래량 -────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                """,
            english: """
                3|day
                4|MA  5 -  10 -  20 -  60 -  120 -
                10|                            No trades in this period
                17|Vol -───────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                """
        ),
        StatePicture(
            .chart,
            .loading,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간              ⠼ 불러오는 중  21:03:11 KST
                2| 호가 [차트] 시세                                              일  ⠼ 불러오는 중
                3|일
                4|이평  5 -  10 -  20 -  60 -  120 -
                10|                            차트를 불러오는 중입니다
                17|거래량 -────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                 ⠼ loading  21:03:11 KST
                2| Book [Chart] Trades                                              day  ⠼ loading
                3|day
                4|MA  5 -  10 -  20 -  60 -  120 -
                10|                               Loading the chart
                17|Vol -───────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                """
        ),
        StatePicture(
            .chart,
            .stale,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간          ○ 끊김 · 지연 7초  21:03:11 KST
                2| 호가 [차트] 시세                                          일  ○ 끊김 · 지연 7초
                23|데이터가 수신되지 않음  r 재시도  ←→ 이동  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ cut off · 7s behind  21:03:11 KST
                2| Book [Chart] Trades                                  day  ○ cut off · 7s behind
                23|no data is arriving  r retry  ←→ move  Esc list  f star           ? help  q quit
                """
        ),
        StatePicture(
            .chart,
            .failed,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                     ✕ 오류  21:03:11 KST
                2| 호가 [차트] 시세                                                     일  ✕ 오류
                3|일
                4|이평  5 -  10 -  20 -  60 -  120 -
                10|                           차트를 가져오지 못했습니다
                17|거래량 -────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Esc 목록  f 관심     ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live                   ✕ error  21:03:11 KST
                2| Book [Chart] Trades                                                day  ✕ error
                3|day
                4|MA  5 -  10 -  20 -  60 -  120 -
                10|                            Could not load the chart
                17|Vol -───────────────────────────────────────────────────────────────────────────
                22|                 09-21  09-28  10-05  10-12  10-19  10-26  11-02  11-09  11-16
                23|the exchange cannot be reached  in 8s  r retry  Esc list  f star  ? help  q quit
                """
        ),
        StatePicture(
            .chart,
            .reconnecting,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간         ○ 끊김 · 지연 12초  21:03:11 KST
                2| 호가 [차트] 시세                                         일  ○ 끊김 · 지연 12초
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 목록  f 관심  ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live    ○ cut off · 12s behind  21:03:11 KST
                2| Book [Chart] Trades                                 day  ○ cut off · 12s behind
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .chart,
            .offline,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간     ○ OFFLINE · 지연 3시간  21:03:11 KST
                2| 호가 [차트] 시세                                     일  ○ OFFLINE · 지연 3시간
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Esc 목록  f 관심    ? 도움말  q 종료
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live     ○ OFFLINE · 3h behind  21:03:11 KST
                2| Book [Chart] Trades                                  day  ○ OFFLINE · 3h behind
                23|the exchange cannot be reached  in 30s  r retry  Esc list         ? help  q quit
                """
        ),
        StatePicture(
            .chart,
            .replayEnded,
            korean: """
                0|☆ 비트코인 Bitcoin BTC/KRW  빗썸 실시간                  ■ 재생 끝  21:03:11 KST
                2| 호가 [차트] 시세                                                  일  ■ 재생 끝
                """,
            english: """
                0|☆ Bitcoin 비트코인 BTC/KRW  Bithumb live            ■ replay ended  21:03:11 KST
                2| Book [Chart] Trades                                         day  ■ replay ended
                """
        ),
        StatePicture(
            .chart,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  ←→ 이동  Esc 목록  f 관심         ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  ←→ move  Esc list  f star    ? help  q quit
                """
        ),
    ]
}
