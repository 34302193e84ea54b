import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Wide lists: literal pictures")
struct WideListPictureTests {
    @Test("119 × 36, Korean: the place of each row")
    func at119() {
        let frame = WideSamples.frame(
            columns: 119,
            rows: 36,
            tab: .krw,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
            [원화] BTC  인기  관심
              # 자산명                                     현재가     변동률     변동금액
            › 1 비트코인 BTC/KRW                      143,210,000   ▼ -1.34%   -1,945,000
              2 엑스알피 [리플] XRP/KRW                     3,412   ▲ +0.21%           +7
              3 폴리곤 에코시스템 토큰 POL/KRW              312.4      0.00%            0
              4 ZZZ/KRW                                         -          -            -
              5 1인치 1INCH/KRW                            0.9159  ▲ +12.05%      +0.0985
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 80..<119,
            """
                             ● 실시간  21:03:11 KST
                                  정렬 인기▼  1/480
            래금액(백만)▼
                98,123백만
                61,020백만
                 903,112원
                         -
                 1,204백만
            """
        )
    }

    @Test("120 × 36, Korean: two more periods")
    func at120() {
        let frame = WideSamples.frame(
            columns: 120,
            rows: 36,
            tab: .krw,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
            [원화] BTC  인기  관심
              # 자산명                                     현재가   24시간 %     변동금액
            › 1 비트코인 BTC/KRW                      143,210,000   ▼ -1.34%   -1,945,000
              2 엑스알피 [리플] XRP/KRW                     3,412   ▲ +0.21%           +7
              3 폴리곤 에코시스템 토큰 POL/KRW              312.4      0.00%            0
              4 ZZZ/KRW                                         -          -            -
              5 1인치 1INCH/KRW                            0.9159  ▲ +12.05%      +0.0985
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 80..<120,
            """
                              ● 실시간  21:03:11 KST
                                   정렬 인기▼  1/480
             1시간 %  어제대비 %  거래금액(백만)▼
            ▼ -0.21%    ▲ +0.48%       98,123백만
            ▲ +1.10%    ▼ -0.35%       61,020백만
               0.00%           -        903,112원
                   -           -                -
            ▲ +0.31%   ▲ +12.05%        1,204백만
            """
        )
    }

    @Test("120 × 36, 인기: rank and won price")
    func at120Popular() {
        let frame = WideSamples.frame(
            columns: 120,
            rows: 36,
            tab: .popular,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
             원화  BTC [인기] 관심
              순위▼ 자산명                                      현재가     원화 환산      변
            ›     5 이더리움 ETH/BTC                        0.03412000     4,886,325    ▲ +0
                  1 비트코인 BTC/KRW                       143,210,000                  ▼ -1
                  2 엑스알피 [리플] XRP/KRW                      3,412                  ▲ +0
                  3 폴리곤 에코시스템 토큰 POL/KRW               312.4                     0
                  - ZZZ/KRW                                          -
                  4 1인치 1INCH/KRW                             0.9159                 ▲ +12
            """
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 80..<120,
            """
                              ● 실시간  21:03:11 KST
                                   정렬 인기▼  1/480
            동률      변동금액      거래금액
            .44%   +0.00015000    12.345 BTC
            .34%    -1,945,000    98,123백만
            .21%            +7    61,020백만
            .00%             0     903,112원
               -             -             -
            .05%       +0.0985     1,204백만
            """
        )
    }

    @Test("160 × 45, Korean: high, low and the line of the day")
    func at160() {
        let frame = WideSamples.frame(
            columns: 160,
            rows: 45,
            tab: .krw,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
            [원화] BTC  인기  관심
              # 자산명                                     현재가   24시간 %     변동금액
            › 1 비트코인 BTC/KRW                      143,210,000   ▼ -1.34%   -1,945,000
              2 엑스알피 [리플] XRP/KRW                     3,412   ▲ +0.21%           +7
              3 폴리곤 에코시스템 토큰 POL/KRW              312.4      0.00%            0
              4 ZZZ/KRW                                         -          -            -
              5 1인치 1INCH/KRW                            0.9159  ▲ +12.05%      +0.0985
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 80..<160,
            """
                                                                      ● 실시간  21:03:11 KST
                                                                           정렬 인기▼  1/480
             1시간 %  어제대비 %    당일 고가    당일 저가  거래금액(백만)▼  24시간 추이
            ▼ -0.21%    ▲ +0.48%  145,880,000  142,900,000       98,123백만  ▁▃▅▃▅▃▅▃▅▃▅▃
            ▲ +1.10%    ▼ -0.35%        3,430        3,377       61,020백만        ▂▂▄▅▆█
               0.00%           -        312.4        312.4        903,112원
                   -           -            -            -                -
            ▲ +0.31%   ▲ +12.05%       0.9412       0.8173        1,204백만  ▃▁█▁█▁█▁█▁█▁
            """
        )
    }

    @Test("160 × 45, BTC, English, one hour chosen")
    func at160Bitcoin() {
        let frame = WideSamples.frame(
            columns: 160,
            rows: 45,
            tab: .btc,
            period: .hour1,
            language: .english
        )
        expectPart(
            frame,
            rows: 0..<4,
            columns: 0..<80,
            """
            hoga market  Bithumb live  change 1h
             KRW [BTC] Popular  Favorites
              # Name                                       Price   KRW price      1h %
            › 1 Ethereum ETH/BTC                      0.03412000   4,886,325  ▲ +0.44% +0.00
            """
        )
        expectPart(
            frame,
            rows: 0..<4,
            columns: 80..<160,
            """
                                                                        ● live  21:03:11 KST
                                                                     sort popularity▼  1/480
            Amount     24h %   today %  High today   Low today      Value▼ 24h trend
            015000  ▲ +0.05%  ▼ -0.12%  0.03420000  0.03395000  12.345 BTC ▁▃▅▃▅▃▅▃▅▃▅▃
            """
        )
    }

    @Test("160 × 45, 인기: everything fits")
    func at160Popular() {
        let frame = WideSamples.frame(
            columns: 160,
            rows: 45,
            tab: .popular,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
             원화  BTC [인기] 관심
              순위▼ 자산명                                    현재가   원화 환산  24시간 %
            ›     5 이더리움 ETH/BTC                      0.03412000   4,886,325  ▲ +0.44% +
                  1 비트코인 BTC/KRW                     143,210,000              ▼ -1.34%
                  2 엑스알피 [리플] XRP/KRW                    3,412              ▲ +0.21%
                  3 폴리곤 에코시스템 토큰 POL/KRW             312.4                 0.00%
                  - ZZZ/KRW                                        -                     -
                  4 1인치 1INCH/KRW                           0.9159             ▲ +12.05%
            """
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 80..<160,
            """
                                                                      ● 실시간  21:03:11 KST
                                                                           정렬 인기▼  1/480
              변동금액   1시간 % 어제대비 %   당일 고가   당일 저가    거래금액 24시간 추이
            0.00015000  ▲ +0.05%   ▼ -0.12%  0.03420000  0.03395000  12.345 BTC ▁▃▅▃▅▃▅▃▅▃▅▃
            -1,945,000  ▼ -0.21%   ▲ +0.48% 145,880,000 142,900,000  98,123백만 ▁▃▅▃▅▃▅▃▅▃▅▃
                    +7  ▲ +1.10%   ▼ -0.35%       3,430       3,377  61,020백만       ▂▂▄▅▆█
                     0     0.00%          -       312.4       312.4   903,112원
                     -         -          -           -           -           -
               +0.0985  ▲ +0.31%  ▲ +12.05%      0.9412      0.8173   1,204백만 ▃▁█▁█▁█▁█▁█▁
            """
        )
    }

    @Test("200 × 60, Korean: the other name too")
    func at200() {
        let frame = WideSamples.frame(
            columns: 200,
            rows: 60,
            tab: .krw,
            period: .hours24,
            language: .korean
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 0..<80,
            """
            hoga 거래소  빗썸 실시간  변동 24시간
            [원화] BTC  인기  관심
              # 자산명                                 영문명                          현재
            › 1 비트코인 BTC/KRW                       Bitcoin                    143,210,00
              2 엑스알피 [리플] XRP/KRW                XRP                              3,41
              3 폴리곤 에코시스템 토큰 POL/KRW         POL (ex-MATIC)                   312.
              4 ZZZ/KRW
              5 1인치 1INCH/KRW                        1inch                           0.915
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 80..<160,
            """


                24시간 %      변동금액     1시간 %   어제대비 %     당일 고가     당일 저가
            0    ▼ -1.34%    -1,945,000    ▼ -0.21%     ▲ +0.48%   145,880,000   142,900,000
            2    ▲ +0.21%            +7    ▲ +1.10%     ▼ -0.35%         3,430         3,377
            4       0.00%             0       0.00%            -         312.4         312.4
            -           -             -           -            -             -             -
            9   ▲ +12.05%       +0.0985    ▲ +0.31%    ▲ +12.05%        0.9412        0.8173
            """
        )
        expectPart(
            frame,
            rows: 0..<8,
            columns: 160..<200,
            """
                              ● 실시간  21:03:11 KST
                                   정렬 인기▼  1/480
               거래금액(백만)▼   24시간 추이
                    98,123백만   ▁▃▅▃▅▃▅▃▅▃▅▃
                    61,020백만         ▂▂▄▅▆█
                     903,112원
                             -
                     1,204백만   ▃▁█▁█▁█▁█▁█▁
            """
        )
    }

    @Test("200 × 60, 관심, English")
    func at200Favorites() {
        let frame = WideSamples.frame(
            columns: 200,
            rows: 60,
            tab: .favorites,
            period: .midnight,
            language: .english
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 0..<80,
            """
            hoga market  Bithumb live  change today
             KRW  BTC  Popular [Favorites]
              # Name                                  Korean                          Price
            › 1 Ethereum ETH/BTC                      이더리움                   0.03412000
              2 Bitcoin BTC/KRW                       비트코인                  143,210,000
              3 XRP XRP/KRW                           엑스알피 [리플]                 3,412
              4 POL (ex-MATIC) POL/KRW                폴리곤 에코시스템 토큰          312.4
              5 ZZZ/KRW                                                                   -
              6 1inch 1INCH/KRW                       1인치                          0.9159
            """
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 80..<160,
            """


               KRW price    today %       Amount      24h %       1h %   High today    Low t
               4,886,325   ▲ +0.44%  +0.00015000   ▲ +0.05%   ▼ -0.12%   0.03420000   0.0339
                           ▼ -1.34%   -1,945,000   ▼ -0.21%   ▲ +0.48%  145,880,000  142,900
                           ▲ +0.21%           +7   ▲ +1.10%   ▼ -0.35%        3,430        3
                              0.00%            0      0.00%          -        312.4        3
                                  -            -          -          -            -
                          ▲ +12.05%      +0.0985   ▲ +0.31%  ▲ +12.05%       0.9412       0.
            """
        )
        expectPart(
            frame,
            rows: 0..<9,
            columns: 160..<200,
            """
                                ● live  21:03:11 KST
                               sort own order  1/480
            oday        Value  24h trend
            5000   12.345 BTC  ▁▃▅▃▅▃▅▃▅▃▅▃
            ,000   98,123백만  ▁▃▅▃▅▃▅▃▅▃▅▃
            ,377   61,020백만        ▂▂▄▅▆█
            12.4    903,112원
               -            -
            8173    1,204백만  ▃▁█▁█▁█▁█▁█▁
            """
        )
    }
}
