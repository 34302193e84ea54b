import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The list: literal lines")
struct MarketListRendererTests {
    private static let englishRows: [MarketRowViewState] = {
        let values = ["98,123M", "61,020M", "903,112 KRW", nil, "1,204M"]
        return zip(Samples.wonRows, values).map { row, value in
            var row = row
            row.tradeValueText = value
            return row
        }
    }()

    private static let hints =
        "Enter 열기  Tab 탭  f 관심  1-5 화면  / 검색  s 정렬  p 기간  r 새로고침"
    private static let englishHints =
        "Enter open  Tab tab  f star  1-5 screens  / search  s sort  p period  r reload"

    /// A line of 200 columns with a text at either edge.
    private func edges(_ left: String, _ right: String) -> String {
        left + TextWidth.trailing(right, in: 200 - TextWidth.columns(left))
    }

    @Test("80 × 24, Korean, live")
    func usualKorean() {
        expectLines(
            Samples.frame(),
            """
            hoga 거래소  빗썸 실시간  변동 24시간                     ● 실시간  21:03:11 KST
            [원화] BTC  인기  관심                                         정렬 인기▼  1/480
              자산명                         현재가     변동률     변동금액  거래금액(백만)▼
            › 비트코인 BTC/KRW          143,210,000   ▼ -1.34%   -1,945,000       98,123백만
              엑스알피 [리플] XRP/KRW         3,412   ▲ +0.21%           +7       61,020백만
              폴리곤 에코시스템 … POL         312.4      0.00%            0        903,112원
              ZZZ/KRW                             -          -            -                -
              1인치 1INCH/KRW                0.9159  ▲ +12.05%      +0.0985        1,204백만















            Enter 열기  Tab 탭  f 관심  1-5 화면  / 검색  s 정렬  p 기간    ? 도움말  q 종료
            """
        )
    }

    @Test("80 × 24, English, replay")
    func usualEnglish() {
        expectLines(
            Samples.frame(Samples.document(Self.englishRows, feed: .replay), language: .english),
            """
            hoga market  [REPLAY]  change 24h                         ▶ replay  21:03:11 KST
            [KRW] BTC  Popular  Favorites                            sort popularity▼  1/480
              Name                                Price     Change       Amount    Value(M)▼
            › Bitcoin BTC/KRW               143,210,000   ▼ -1.34%   -1,945,000      98,123M
              XRP XRP/KRW                         3,412   ▲ +0.21%           +7      61,020M
              POL (ex-MATIC) POL/KRW              312.4      0.00%            0  903,112 KRW
              ZZZ/KRW                                 -          -            -            -
              1inch 1INCH/KRW                    0.9159  ▲ +12.05%      +0.0985       1,204M















            Enter open  Tab tab  f star  1-5 screens  / search  s sort        ? help  q quit
            """
        )
    }

    @Test("40 × 12, Korean, simulated: two lines per row, nothing dropped")
    func smallKorean() {
        expectLines(
            Samples.frame(Samples.document(feed: .simulated), columns: 40, rows: 12),
            """
            hoga  [모의]  24시간  ● 실시간  21:03:11
            [원화] BTC  인기  관심      인기▼  1/480
              자산명 거래금액▼         변동률 현재가
            › 비트코인 BTC/KRW           143,210,000
               98,123백만       -1,945,000  ▼ -1.34%
              엑스알피 [리플] XRP/KRW          3,412
               61,020백만               +7  ▲ +0.21%
              폴리곤 에코시스템 토큰 POL       312.4
                903,112원                0     0.00%
              ZZZ/KRW                              -
                        -                -         -
            Enter 열기 / 검색 s 정렬 ? 도움말 q 종료
            """
        )
    }

    @Test("40 × 12, English, simulated")
    func smallEnglish() {
        expectLines(
            Samples.frame(
                Samples.document(Self.englishRows, feed: .simulated),
                columns: 40,
                rows: 12,
                language: .english
            ),
            """
            hoga  [SIMULATED]  24h  ● live  21:03:11
            [KRW] BTC  Popular  Favorites      1/480
              Name Value▼        Amount Change Price
            › Bitcoin BTC/KRW            143,210,000
                  98,123M       -1,945,000  ▼ -1.34%
              XRP XRP/KRW                      3,412
                  61,020M               +7  ▲ +0.21%
              POL (ex-MATIC) POL/KRW           312.4
              903,112 KRW                0     0.00%
              ZZZ/KRW                              -
                        -                -         -
            Enter open / search s sort ? help q quit
            """
        )
    }

    @Test("200 × 60, Korean: with the English name")
    func largeKorean() {
        expectLines(
            Samples.frame(columns: 200, rows: 60),
            """
            \(edges("hoga 거래소  빗썸 실시간  변동 24시간", "● 실시간  21:03:11 KST"))
            \(edges("[원화] BTC  인기  관심", "정렬 인기▼  1/480"))
              # 자산명                                   영문명                            현재가\
                    변동률        변동금액     거래금액(백만)▼
            › 1 비트코인 BTC/KRW                         Bitcoin                      143,210,000\
                  ▼ -1.34%      -1,945,000          98,123백만
              2 엑스알피 [리플] XRP/KRW                  XRP                                3,412\
                  ▲ +0.21%              +7          61,020백만
              3 폴리곤 에코시스템 토큰 POL/KRW           POL (ex-MATIC)                     312.4\
                     0.00%               0           903,112원
              4 ZZZ/KRW                                                                         -\
                         -               -                   -
              5 1인치 1INCH/KRW                          1inch                             0.9159\
                 ▲ +12.05%         +0.0985           1,204백만
            \(String(repeating: "\n", count: 51))\
            \(edges(Self.hints, "? 도움말  q 종료"))
            """
        )
    }

    @Test("200 × 60, English")
    func largeEnglish() {
        expectLines(
            Samples.frame(
                Samples.document(Self.englishRows),
                columns: 200,
                rows: 60,
                language: .english
            ),
            """
            \(edges("hoga market  Bithumb live  change 24h", "● live  21:03:11 KST"))
            \(edges("[KRW] BTC  Popular  Favorites", "sort popularity▼  1/480"))
              # Name                                     Korean                             Price\
                    Change          Amount       Value(M)▼
            › 1 Bitcoin BTC/KRW                          비트코인                     143,210,000\
                  ▼ -1.34%      -1,945,000         98,123M
              2 XRP XRP/KRW                              엑스알피 [리플]                    3,412\
                  ▲ +0.21%              +7         61,020M
              3 POL (ex-MATIC) POL/KRW                   폴리곤 에코시스템 토큰             312.4\
                     0.00%               0     903,112 KRW
              4 ZZZ/KRW                                                                         -\
                         -               -               -
              5 1inch 1INCH/KRW                          1인치                             0.9159\
                 ▲ +12.05%         +0.0985          1,204M
            \(String(repeating: "\n", count: 51))\
            \(edges(Self.englishHints, "? help  q quit"))
            """
        )
    }

    @Test("60 × 12: every column, and an error with its countdown")
    func reconnecting() {
        let error = ErrorViewState(
            code: "reconnecting",
            message: "재연결 중 (3차): 연결 끊김",
            retryable: true,
            nextRetryAt: Samples.now.advanced(by: .milliseconds(3_500))
        )
        let health = Samples.health(.stale, ageSeconds: 12, error: error)
        expectLines(
            Samples.frame(Samples.document(health: health), columns: 60, rows: 12),
            """
            hoga  빗썸 실시간  변동 24시간  ○ 끊김 · 지연 12초  21:03:11
            [원화] BTC  인기  관심                     정렬 인기▼  1/480
              자산명            현재가    변동률    변동금액   거래금액▼
            › 비트코인 BTC 143,210,000  ▼ -1.34%  -1,945,000  98,123백만
              엑스알… XRP        3,412  ▲ +0.21%          +7  61,020백만
              폴리곤 … POL       312.4     0.00%           0   903,112원
              ZZZ/KRW                -         -           -           -
              1인치 1INCH       0.9159 ▲ +12.05%     +0.0985   1,204백만



            재연결 중 (3차): 연결 끊김 4초 후 r 재시도   ? 도움말 q 종료
            """
        )
    }

    @Test("100 × 12, 인기: ranks, both quotes, and bitcoin prices in won")
    func popular() {
        let rows = Samples.bitcoinRows + Samples.wonRows
        var state = Samples.state(rows)
        state.tab = .popular
        expectLines(
            Samples.frame(
                Samples.document(rows, feed: .replay),
                state: state,
                columns: 100,
                rows: 12
            ),
            """
            hoga 거래소  [재생 REPLAY]  변동 24시간                                         \
            ▶ 재생  21:03:11 KST
             원화  BTC [인기] 관심                                                             \
            정렬 인기▼  1/480
              순위▼ 자산명                              현재가    원화 환산     변동률     \
            변동금액     거래금액
            ›     5 이더리움 ETH/BTC                0.03412000    4,886,325   ▲ +0.44%  \
            +0.00015000   12.345 BTC
                  1 비트코인 BTC/KRW               143,210,000                ▼ -1.34%   \
            -1,945,000   98,123백만
                  2 엑스알피 [리플] XRP/KRW              3,412                ▲ +0.21%           \
            +7   61,020백만
                  3 폴리곤 에코시스템 토큰 POL           312.4                   0.00%            \
            0    903,112원
                  - ZZZ/KRW                                  -                       -            \
            -            -
                  4 1인치 1INCH/KRW                     0.9159               ▲ +12.05%      \
            +0.0985    1,204백만


            Enter 열기  Tab 탭  f 관심  1-5 화면  / 검색  s 정렬  p 기간  r 새로고침            \
            ? 도움말  q 종료
            """
        )
    }
}
