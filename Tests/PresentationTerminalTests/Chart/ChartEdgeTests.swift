import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The chart draws small, broken, empty and missing data")
struct ChartEdgeTests {
    @Test("One candle with a volume as high as the pane")
    func one() {
        var options = ChartSamples.plainOptions
        options.showsVolume = true
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart([ChartSamples.few[9]]),
                options,
                columns: 40,
                rows: 14
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
            ·   ·   ·   ·   ·   ·   · 3,510▸│  3,510
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║▲ 3,505
            ·   ·   ·   ·   ·   ·   ·   ·   ║  3,500
                          ·      ·      ·   ║
            ·   ·   ·   ·   ·   ·   ·   ·   ║  3,490
                          ·      ·      ·   ║
            ·   ·   ·   ·   ·   ·   ·   ·   ║  3,480
                          ·      ·    3,475▸│
            거래량 45.1234──────────────────────────
                                            ⡇  45.12
                                            ⡇
                                            ⡇
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Equal prices and zero volumes")
    func equal() {
        let candles = (0..<5).map { index in
            let open = CandleInterval.day1.advanced(ChartSamples.day, by: index - 4)
            let price = "0.9159"
            return ChartSamples.candle(open, price, price, price, price, volume: "0")
        }
        var options = ChartSamples.plainOptions
        options.showsVolume = true
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(candles),
                options,
                columns: 40,
                rows: 14
            ),
            """
            고 0.9159  저 0.9159  종 0.9159  0.00%
            ·   ·   ·   ·   ·   ·   ·   ·   · 0.9250
                          ·      ·      ·
            ·   ·   ·   ·   ·   ·   ·   ·   · 0.9200
                          ·      ·   0.9159▸
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌─────◂0.9159
                          ·      ·      ·
            ·   ·   ·   ·   ·   ·   ·   ·   · 0.9100
                          ·      ·      ·
            거래량 0.0000───────────────────────────



                        11-02  11-09  11-16
            """
        )
    }

    @Test("Loading without data")
    func loading() {
        var options = ChartSamples.plainOptions
        options.showsVolume = true
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart([], health: Samples.health(.loading)),
                options,
                columns: 40,
                rows: 12,
                language: .english
            ),
            """
            day


                       Loading the chart



            Vol -───────────────────────────────────



            11-02         11-09         11-16
            """
        )
    }

    @Test("A span without trades")
    func empty() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart([]),
                ChartSamples.plainOptions,
                columns: 40,
                rows: 7
            ),
            """
            일


                  이 기간에는 체결이 없습니다


            11-02         11-09         11-16
            """
        )
    }

    @Test("A failed load")
    func failed() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart([], health: Samples.health(.failed)),
                ChartSamples.plainOptions,
                columns: 40,
                rows: 7
            ),
            """
            일


                   차트를 가져오지 못했습니다


            11-02         11-09         11-16
            """
        )
    }

    @Test("A tick line without trades")
    func noTicks() {
        var options = ChartSamples.plainOptions
        options.style = .ticks
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 40,
                rows: 6
            ),
            """


                      아직 체결이 없습니다
            """
        )
    }

    @Test("A bucket without trades is blank, a bucket with lost trades is marked")
    func gaps() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.holed,
                ChartSamples.plainOptions,
                columns: 40,
                rows: 12
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
            ·   ·   ·   ·   ·   ·   3,560▸╷ ·  3,550
                          ·      ·      · ║┃
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╫┃╥▲ 3,505
            ·   ·   ·   ·   ·   ·   ╷   · ╵┃║  3,500
                          ·      · ╷│   ·  ╵╵
            ·   ·   ·   ·   ·   ·  ║╿┃  ·   ·  3,450
                          ·      · ║ ┃ ╫·
            ·   ·   ·   ·   ·   ·  ╫·┃ ║·   ·  3,400
                          ·      ·   ┃ ║·
            ·   ·   ·   ·   ·  3,350▸╹ ╨××  ·  3,350
                        11-02  11-09  11-16
            """
        )
    }

    @Test("A line continues across buckets without trades and breaks at lost ones")
    func brokenLine() {
        var options = ChartSamples.plainOptions
        options.style = .line
        expectLines(
            ChartSamples.frame(
                ChartSamples.holed,
                options,
                columns: 40,
                rows: 12
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
            ·   ·   ·   ·   ·   ·   ·   ·   ·  3,550
                          ·      ·  3,540▸⡆
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⢸╌⡀▲ 3,505
            ·   ·   ·   ·   ·   ·   ·   · ⠈⡶⠁  3,500
                          ·      ·      ·
            ·   ·   ·   ·   ·   ·  ⠑⡆   ·   ·  3,450
                          ·      ·  ⢱  ⡀·
            ·   ·   ·   ·   ·   ·   ⢸ ⡰⠁·   ·  3,400
                          ·      ·  ⠈⡶⠁ ·
            ·   ·   ·   ·   ·  3,360▸⠁  ××  ·  3,350
                        11-02  11-09  11-16
            """
        )
    }

    @Test("The cross-hair names lost trades")
    func lost() {
        var options = ChartSamples.plainOptions
        options.crosshair = ChartSamples.few[5].openTime
        expectLines(
            ChartSamples.frame(
                ChartSamples.holed,
                options,
                columns: 40,
                rows: 6
            ),
            """
            일  2026-11-16  데이터 공백
                                        ┊ ╫╽
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╷╷╌╌╌┊╌╵┃║▲ 3,505
            ·   ·   ·   ·   ·   ·  ║╹┃ ╥┊   ·  3,400
                          ·      · ╵ ┃ ║┊×
                        11-02      2026-11-16
            """
        )
    }

    @Test("The cross-hair names a bucket without trades")
    func untraded() {
        var options = ChartSamples.plainOptions
        options.crosshair = ChartSamples.few[3].openTime
        expectLines(
            ChartSamples.frame(
                ChartSamples.holed,
                options,
                columns: 40,
                rows: 6,
                language: .english
            ),
            """
            day  2026-11-14  no trades
                                      ┊   ╫╽
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╷╷╌┊╌╌╌╵┃║▲ 3,505
            ·   ·   ·   ·   ·   ·  ║╹┃┊╥·   ·  3,400
                          ·      · ╵ ┃┊║××
                        11-02    2026-11-14
            """
        )
    }

    @Test("An opening price outside its candle does not stretch the axis")
    func strayOpen() {
        let listing = ChartSamples.candle(
            ChartSamples.few[8].openTime,
            "100",
            "2200",
            "2000",
            "2100"
        )
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart([listing]),
                ChartSamples.plainOptions,
                columns: 40,
                rows: 8
            ),
            """
            고 2,200  저 2,000  종 2,100  +2,000.00%
            ·   ·   ·   ·   ·   ·   ·2,200▸│·  2,200
                          ·      ·      ·  │
                                           │
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║╌▲ 2,100
                          ·      ·      ·  ║
            ·   ·   ·   ·   ·   ·   ·2,000▸║·  2,000
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Area of 1 × 1")
    func area1By1() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 1,
                rows: 1
            ),
            """
            ║
            """
        )
    }

    @Test("Area of 8 × 2")
    func area8By2() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 8,
                rows: 2
            ),
            """
            ╌╌╌╌╥╻║┃
                ╨┃║
            """
        )
    }

    @Test("Area of 12 × 3")
    func area12By3() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 12,
                rows: 3
            ),
            """
            종 3,505
            ╌╌╌╌╌╌╌╥╻╌║┃
                   ╨┃║╨
            """
        )
    }

    @Test("Area of 20 × 5")
    func area20By5() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 20,
                rows: 5
            ),
            """
            종 3,505  +0.72%
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╫║┃╥
                      ║╹┃╷╥─║ ╹╨
                      ╵ ╿┼╨
                  11-09  11-16
            """
        )
    }
}
