import Testing

@testable import PresentationTerminal

@Suite("Deposits, holdings and the program page show their state")
struct PageStateTests {
    @Test("80 × 24: literal lines", arguments: Self.pictures)
    func written(picture: StatePicture) { picture.check() }

    /// For states other than live: the lines that differ from the live frame.
    private static let pictures: [StatePicture] = [
        StatePicture(
            .assets,
            .live,
            korean: """
                0|hoga 입출금  빗썸 실시간                                  ● 실시간  21:03:11 KST
                1|[전체 480] 정상 468  중단 12                           정렬 이름▲  21:03:11 기준
                2|  자산명▲                                        입금     출금
                3|› 이더리움 ETH                                   ● 정상   ○ 중단
                23|Enter 열기  Tab 상태  / 검색  s 정렬  Esc 닫기  1-5 화면        ? 도움말  q 종료
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live                    ● live  21:03:11 KST
                1|[All 480] Normal 468  Suspended 12                    sort name▲  as of 21:03:11
                2|  Coin▲                                          Deposit    Withdrawal
                3|› Ethereum ETH                                   ● 정상     ○ 중단
                23|Enter open  Tab state  / search  s sort  Esc back  1-5 screens    ? help  q quit
                """
        ),
        StatePicture(
            .assets,
            .empty,
            korean: """
                1|[전체 0] 정상 0  중단 0                                정렬 이름▲  21:03:11 기준
                2|  자산명▲                                        입금    출금
                3|
                12|                             표시할 자산이 없습니다
                """,
            english: """
                1|[All 0] Normal 0  Suspended 0                         sort name▲  as of 21:03:11
                3|
                12|                                Nothing to show
                """
        ),
        StatePicture(
            .assets,
            .loading,
            korean: """
                0|hoga 입출금  빗썸 실시간                             ⠼ 불러오는 중  21:03:11 KST
                1|[전체 0] 정상 0  중단 0                                               정렬 이름▲
                2|  자산명▲                                        입금    출금
                3|
                12|                              ⠼ 불러오는 중입니다
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live                 ⠼ loading  21:03:11 KST
                1|[All 0] Normal 0  Suspended 0                                         sort name▲
                3|
                12|                                   ⠼ Loading
                """
        ),
        StatePicture(
            .assets,
            .stale,
            korean: """
                0|hoga 입출금  빗썸 실시간                         ○ 끊김 · 지연 7초  21:03:11 KST
                1|[전체 480] 정상 468  중단 12                           정렬 이름▲  21:03:04 기준
                23|데이터가 수신되지 않음  r 재시도  Enter 열기  / 검색  Esc 닫기  ? 도움말  q 종료
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live     ○ cut off · 7s behind  21:03:11 KST
                1|[All 480] Normal 468  Suspended 12                    sort name▲  as of 21:03:04
                23|no data is arriving  r retry  Enter open  / search  Esc back      ? help  q quit
                """
        ),
        StatePicture(
            .assets,
            .failed,
            korean: """
                0|hoga 입출금  빗썸 실시간                                    ✕ 오류  21:03:11 KST
                1|[전체 0] 정상 0  중단 0                                               정렬 이름▲
                2|  자산명▲                                        입금    출금
                3|
                11|                              가져오지 못했습니다
                12|                            거래소에 연결할 수 없음
                13|                                    r 재시도
                23|거래소에 연결할 수 없음  8초 후  r 재시도  Esc 닫기             ? 도움말  q 종료
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live                   ✕ error  21:03:11 KST
                1|[All 0] Normal 0  Suspended 0                                         sort name▲
                3|
                11|                                 Could not load
                12|                         the exchange cannot be reached
                13|                                    r retry
                23|the exchange cannot be reached  in 8s  r retry  Esc back          ? help  q quit
                """
        ),
        StatePicture(
            .assets,
            .reconnecting,
            korean: """
                0|hoga 입출금  빗썸 실시간                        ○ 끊김 · 지연 12초  21:03:11 KST
                1|[전체 480] 정상 468  중단 12                           정렬 이름▲  21:02:59 기준
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 닫기          ? 도움말  q 종료
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live    ○ cut off · 12s behind  21:03:11 KST
                1|[All 480] Normal 468  Suspended 12                    sort name▲  as of 21:02:59
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .assets,
            .offline,
            korean: """
                0|hoga 입출금  빗썸 실시간                    ○ OFFLINE · 지연 3시간  21:03:11 KST
                1|[전체 480] 정상 468  중단 12                           정렬 이름▲  18:03:11 기준
                23|거래소에 연결할 수 없음  30초 후  r 재시도  Esc 닫기            ? 도움말  q 종료
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live     ○ OFFLINE · 3h behind  21:03:11 KST
                1|[All 480] Normal 468  Suspended 12                    sort name▲  as of 18:03:11
                23|the exchange cannot be reached  in 30s  r retry  Esc back         ? help  q quit
                """
        ),
        StatePicture(
            .assets,
            .replayEnded,
            korean: """
                0|hoga 입출금  빗썸 실시간                                 ■ 재생 끝  21:03:11 KST
                1|[전체 480] 정상 468  중단 12                           정렬 이름▲  21:01:41 기준
                """,
            english: """
                0|hoga deposits, withdrawals  Bithumb live            ■ replay ended  21:03:11 KST
                1|[All 480] Normal 468  Suspended 12                    sort name▲  as of 21:01:41
                """
        ),
        StatePicture(
            .assets,
            .noHits,
            korean: """
                1|[전체 480] 정상 468  중단 12   /zz                     정렬 이름▲  21:03:11 기준
                2|  자산명▲                                        입금    출금
                3|
                12|                            일치하는 자산이 없습니다
                13|                                Esc 검색 지우기
                23|Enter 열기  Tab 상태  / 검색  s 정렬  Esc 지우기  1-5 화면      ? 도움말  q 종료
                """,
            english: """
                1|[All 480] Normal 468  Suspended 12   /zz              sort name▲  as of 21:03:11
                3|
                12|                           Nothing matches the search
                13|                              Esc clear the search
                23|Enter open  Tab state  / search  s sort  Esc clear  1-5 screens   ? help  q quit
                """
        ),
        StatePicture(
            .assets,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김 Enter 열기 / 검색 s 정렬 Esc 닫기   ? 도움말 q 종료
                """,
            english: """
                23|not saved: the store is unreachable Enter open / search Esc back   ? help q quit
                """
        ),
        StatePicture(
            .portfolio,
            .live,
            korean: """
                0|hoga 보유자산  빗썸 실시간                                ● 실시간  21:03:11 KST
                1|혜진  총 9,780,100원  평가손익 +1,133,950  +16.09%
                2|  자산명               수량      현재가  평가금액   평가손익  수익률   비중 입출
                3|› 비트코인 BTC       0.0500 143,210,000 7,160,500 +1,160,500 +19.34% 73.21%   ●●
                4|  현금 KRW                              1,596,000                    16.32%
                22|  매수평균가 120,000,000
                23|a 추가  e 수정  x 삭제  c 현금  o 열기  Esc 거래소  1-5 화면    ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                                 ● live  21:03:11 KST
                1|혜진  Total 9,780,100 KRW  Profit +1,133,950  +16.09%
                2|  Coin              Quantity       Price     Value     Profit  Return  Share D/W
                3|› BTC                 0.0500 143,210,000 7,160,500 +1,160,500 +19.34% 73.21%  ●●
                4|  Cash KRW                               1,596,000                    16.32%
                22|  Avg. price 120,000,000
                23|a add  e edit  x remove  c cash  o open  Esc list  1-5 screens    ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .empty,
            korean: """
                2|  자산명            수량 매수평균가 현재가  평가금액 평가손익 수익률   비중 입출
                3|› 현금 KRW                                 1,596,000                 16.32%
                4|
                12|                              보유자산이 없습니다
                13|                                a 보유자산 추가
                22|
                23|a 추가  e 수정  c 현금  Esc 거래소  1-5 화면  r 새로고침        ? 도움말  q 종료
                """,
            english: """
                2|  Coin              Quantity Avg. price Price     Value Profit Return  Share D/W
                3|› Cash KRW                                    1,596,000               16.32%
                4|
                12|                                No holdings yet
                13|                                  a Add a coin
                22|
                23|a add  e edit  c cash  Esc list  1-5 screens  r reload            ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .loading,
            korean: """
                0|hoga 보유자산  빗썸 실시간                           ⠼ 불러오는 중  21:03:11 KST
                2|  자산명            수량 매수평균가 현재가  평가금액 평가손익 수익률   비중 입출
                3|› 현금 KRW                                 1,596,000                 16.32%
                4|
                12|                              보유자산이 없습니다
                13|                                a 보유자산 추가
                22|
                23|a 추가  e 수정  c 현금  Esc 거래소  1-5 화면  r 새로고침        ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                              ⠼ loading  21:03:11 KST
                2|  Coin              Quantity Avg. price Price     Value Profit Return  Share D/W
                3|› Cash KRW                                    1,596,000               16.32%
                4|
                12|                                No holdings yet
                13|                                  a Add a coin
                22|
                23|a add  e edit  c cash  Esc list  1-5 screens  r reload            ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .stale,
            korean: """
                0|hoga 보유자산  빗썸 실시간                       ○ 끊김 · 지연 7초  21:03:11 KST
                23|데이터가 수신되지 않음  r 재시도  a 추가  e 수정  Esc 거래소    ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                  ○ cut off · 7s behind  21:03:11 KST
                23|no data is arriving  r retry  a add  e edit  x remove  Esc list   ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .failed,
            korean: """
                0|hoga 보유자산  빗썸 실시간                                  ✕ 오류  21:03:11 KST
                2|  자산명            수량 매수평균가 현재가  평가금액 평가손익 수익률   비중 입출
                3|› 현금 KRW                                 1,596,000                 16.32%
                4|
                12|                              보유자산이 없습니다
                13|                                a 보유자산 추가
                22|
                23|a 추가  e 수정  c 현금  Esc 거래소  1-5 화면  r 새로고침        ? 도움말  q 종료
                23|거래소에 연결할 수 없음  8초 후  r 재시도  a 추가  Esc 거래소   ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                                ✕ error  21:03:11 KST
                2|  Coin              Quantity Avg. price Price     Value Profit Return  Share D/W
                3|› Cash KRW                                    1,596,000               16.32%
                4|
                12|                                No holdings yet
                13|                                  a Add a coin
                22|
                23|a add  e edit  c cash  Esc list  1-5 screens  r reload            ? help  q quit
                23|the exchange cannot be reached  in 8s  r retry  a add  Esc list   ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .reconnecting,
            korean: """
                0|hoga 보유자산  빗썸 실시간                      ○ 끊김 · 지연 12초  21:03:11 KST
                23|재연결 중 (3차): 연결 끊김  5초 후  r 재시도  Esc 거래소        ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                 ○ cut off · 12s behind  21:03:11 KST
                23|reconnecting (attempt 3): the connection was lost in 5s r retry    ? help q quit
                """
        ),
        StatePicture(
            .portfolio,
            .offline,
            korean: """
                0|hoga 보유자산  빗썸 실시간                  ○ OFFLINE · 지연 3시간  21:03:11 KST
                23|거래소에 연결할 수 없음  30초 후  r 재시도  a 추가  Esc 거래소  ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                  ○ OFFLINE · 3h behind  21:03:11 KST
                23|the exchange cannot be reached  in 30s  r retry  a add  Esc list  ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .replayEnded,
            korean: """
                0|hoga 보유자산  빗썸 실시간                               ■ 재생 끝  21:03:11 KST
                """,
            english: """
                0|hoga holdings  Bithumb live                         ■ replay ended  21:03:11 KST
                """
        ),
        StatePicture(
            .portfolio,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  a 추가  e 수정  Esc 거래소        ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  a add  e edit  Esc list      ? help  q quit
                """
        ),
        StatePicture(
            .portfolio,
            .unread,
            korean: """
                0|hoga 보유자산  빗썸 실시간                                  ✕ 오류  21:03:11 KST
                1|
                2|
                3|
                4|
                12|                         보유자산을 아직 불러오지 못함
                13|                                저장소 연결 끊김
                22|
                23|저장 안 됨: 저장소 연결 끊김  o 열기  Esc 거래소  1-5 화면      ? 도움말  q 종료
                """,
            english: """
                0|hoga holdings  Bithumb live                                ✕ error  21:03:11 KST
                1|
                2|
                3|
                4|
                12|                        The holdings are not loaded yet
                13|                            the store is unreachable
                22|
                23|not saved: the store is unreachable  o open  Esc list             ? help  q quit
                """
        ),
        StatePicture(
            .more,
            .live,
            korean: """
                0|hoga 더보기                                                         21:03:11 KST
                1|설정
                2|  t  테마 [자동] 밝게  어둡게  고대비
                3|  c  색상 [상승 빨강·하락 파랑] 상승 초록·하락 빨강
                4|  l  언어 [한국어] 영어 English
                6|hoga
                7|  버전 0.3.0
                8|  빌드 0a1b2c3
                10|데이터 안내
                11|  빗썸 공개 시세이며 투자 권유가 아닙니다.
                13|만든 사람
                14|  The hoga authors
                16|라이선스
                17|  libcurl 7.88.1 · curl
                18|    Copyright Daniel Stenberg; curl.se/docs/copyright.html
                23|t 테마  c 색상  l 언어  Esc 거래소  1-5 화면                    ? 도움말  q 종료
                """,
            english: """
                0|hoga more                                                           21:03:11 KST
                1|Settings
                2|  t  theme    [auto] light  dark  high contrast
                3|  c  colors   [red up, blue down] green up, red down
                4|  l  language [Korean] English
                6|hoga
                7|  Version 0.3.0
                8|  Build 0a1b2c3
                10|Data notice
                11|  빗썸 공개 시세이며 투자 권유가 아닙니다.
                13|Authors
                14|  The hoga authors
                16|Licenses
                17|  libcurl 7.88.1 · curl
                18|    Copyright Daniel Stenberg; curl.se/docs/copyright.html
                23|t theme  c colors  l language  Esc list  1-5 screens              ? help  q quit
                """
        ),
        StatePicture(
            .more,
            .storeAway,
            korean: """
                23|저장 안 됨: 저장소 연결 끊김  t 테마  c 색상  Esc 거래소        ? 도움말  q 종료
                """,
            english: """
                23|not saved: the store is unreachable  t theme  c colors  Esc list  ? help  q quit
                """
        ),
    ]
}
