import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("The chart draws these literal frames")
struct ChartScreenTests {
    @Test("Candles at the right edge, days without candles on the left")
    func candles() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 40,
                rows: 12
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
                                    3,560▸╷
                          ·      ·      ·╷║┃
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║╫┃╫▲ 3,505
                          ·      ·  ╷   ·║ ┃║
                                   ╫╽╻   ║
                          ·      · ║ ┃ ╷·║
            ·   ·   ·   ·   ·   ·  ╫·┃│║─╨  ·  3,400
                          ·      ·   ┃┼║·
                                     ╵│╵
                          ·     3,320▸╵ ·
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Without colors, English: rising candles are outlines, falling ones filled")
    func noColors() {
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                ChartSamples.plainOptions,
                columns: 40,
                rows: 12,
                colors: .none,
                language: .english
            ),
            """
            H 3,510  L 3,475  C 3,505  +0.72%
                                    3,560▸╷
                          ·      ·      ·╷║┃
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║╫┃╫▲ 3,505
                          ·      ·  ╷   ·║ ┃║
                                   ╫╽╻   ║
                          ·      · ║ ┃ ╷·║
            ·   ·   ·   ·   ·   ·  ╫·┃│║─╨  ·  3,400
                          ·      ·   ┃┼║·
                                     ╵│╵
                          ·     3,320▸╵ ·
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Wide plot: wide bodies with a gap")
    func wide() {
        var options = ChartSamples.plainOptions
        options.span = ChartSamples.span(10)
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 80,
                rows: 12,
                colors: .none
            ),
            """
            일  2026-11-20  시 3,480  고 3,510  저 3,475  종 3,505  +0.72%  거래량 45.1234
                                                          3,560▸╷
                ·       ·       ·       ·       ·       ╷    ╓──┴──╖ ███████    ·
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╓──┴──╖╌╙──┬──╜╌███████╌╓──┴──╖╌▲ 3,505
                ╷       ·       ·       ·       ·    ║     ║    ·    ███████ ╙─────╜
             ▄▄▄╽▄▄▄ ▄▄▄▄▄▄▄                         ║     ║
                ·    ███████    ·       ╷       ·    ║     ║    ·       ·       ·
            ·   ·   ·███████·   │   ·╓──┴──╖·───────·╙─────╜·   ·   ·   ·   ·   ·   ·  3,400
                ·    ███████ ───┼─── ╙──┬──╜    ·       ·       ·       ·       ·
                        ╵       │       ╵
                ·       ·       ╵◂3,320 ·       ·       ·       ·       ·       ·
              11-12   11-13   11-14   11-15   11-16   11-17   11-18   11-19   11-20
            """
        )
    }

    @Test("Narrow plot: neighbors merge into one column")
    func folded() {
        var options = ChartSamples.plainOptions
        options.span = ChartSamples.span(60)
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 32,
                rows: 12
            ),
            """
            고 3,510  종 3,505  +0.72%
                              3,560▸╷
                    ·         ·    ╷│
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║┃▲ 3,505
                    ·         ·   ╷║│
                                 ╫╽║
                    ·         ·  ║┃║
            ·   ·   ·   ·   ·   ·╫┃║·  3,400
                    ·         ·   ┃║
                                  │╵
                    ·       3,320▸╵
                  10-01     11-01
            """
        )
    }

    @Test("Line of closing prices")
    func line() {
        var options = ChartSamples.plainOptions
        options.style = .line
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 40,
                rows: 12
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
                                    3,540▸
                          ·      ·      ·⢠⡆
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⡇⢸╌⡄▲ 3,505
                          ·      ·      ⢰⠁ ⠟
                                   ⢄⡀   ⢸
                          ·      ·  ⢣   ⡎
            ·   ·   ·   ·   ·   ·   ⢸ ⢠⠋⠁   ·  3,400
                          ·      ·   ⣇⡜◂3,360

                          ·      ·      ·
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Axis in percent of the first visible close")
    func percent() {
        var options = ChartSamples.plainOptions
        options.isPercent = true
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 40,
                rows: 12
            ),
            """
            고 3,510  저 3,475  종 3,505  +0.72%
                                   +3.19%▸╷
                          ·      ·      ·╷║┃
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║╫┃╫▲+1.59%
                          ·      ·  ╷   ·║ ┃║
            ·   ·   ·   ·   ·   ·  ╫╽╻  ·║  ·  0.00%
                          ·      · ║ ┃ ╷·║
                                   ╫ ┃│║─╨
            ·   ·   ·   ·   ·   ·   ·┃┼║·   · -2.00%
                          ·      ·   ╵│╵·
            ·   ·   ·   ·   ·  -3.77%▸╵ ·   · -4.00%
                        11-02  11-09  11-16
            """
        )
    }

    @Test("Volume, averages and labels without colors")
    func full() {
        var options = ChartSamples.plainOptions
        options.showsVolume = true
        options.averages = [5, 10]
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 80,
                rows: 20,
                colors: .none
            ),
            """
            일  2026-11-20  시 3,480  고 3,510  저 3,475  종 3,505  +0.72%  거래량 45.1234
            이평  5 3,491  10 3,448
                         ·                    ·                    3,560▸╷
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   · ╷ ·╫  ╽   ·      3,550
                         ·                    ·                    ·  ║  ╫  ┃  ╷
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌║╌╌╵╌╌┃╌⣀║╌ 5  ▲ 3,505
                         ·                    ·        │           ·  ║    ⣀╿⠊ ╨
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ╫  ╽· ╻ ·   ·   · ║ ⢀⠔⠊ ·  ⠄· 10   3,450
                         ·                    ·     ║     ┃     ╷  ·  ║⠔⠁
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ║   · ┃ ·╷  ║⢄⣀─⠔⠊╫ ·   ·   ·      3,400
                         ·                    ·     ╵     ┃  │  ║  ·
                                                          ┃  ┼  ║
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   · ╵ ·│  ·   ·   ·   ·   ·      3,350
                         ·                    ·        3,320▸╵     ·
            거래량 45.1234──5 119.2──10 109.6───────────────────────────────────────────────
                                                                      █                310.2
                                                          ▄           █
                                                    ▄     █     ⠤⣀⡀⢀⡠⠔█⠢⠤▇⠔⠒▁⠒⠒⠆
                                                    █  █  █  ▄  ▆ ⠈▁  █  █  █  ▄
                       11-02                11-09                11-16
            """
        )
    }

    @Test("The cross-hair describes its candle and marks both axes")
    func crosshair() {
        var options = ChartSamples.plainOptions
        options.showsVolume = true
        options.averages = [5, 10]
        options.crosshair = ChartSamples.few[3].openTime
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                columns: 80,
                rows: 20,
                language: .english
            ),
            """
            day  2026-11-14  O 3,360  H 3,400  L 3,320  C 3,360  0.00%  Vol 40.5000
            MA  5 -  10 -
                                      ·                   ┊       · 3,560▸╷
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   · ┊ ·   ·   · ╷ ·╓┴╖·▄╽▄·   ·  3,550
                                      ·                   ┊       ·  ╓┴╖ ╙┬╜ ███  ╷
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌┊╌╌╌╌╌╌╌╌╌╌║ ║╌╌╵╌╌███⢀╓┴╖╌▲ 3,505
                                      ·           │       ┊       ·  ║ ║    ⢀▀╿▀⠁╙─╜
            ·   ·   ·   ·   ·   ·   ·   ·   ·╓┴╖·▄╽▄·▄▄▄· ┊ ·   ·   ·║ ║·⣀⠔⠊⠁   · ⠄ ·  3,450
                                      ·      ║ ║     ███  ┊   ╷   ·  ║ ║⠊
            ·   ·   ·   ·   ·   ·   ·   ·   ·╙┬╜·   ·███· ╷ ·╓┴╖⣀───⠒╙┬╜·   ·   ·   ·  3,400
                                      ·       ╵      ███  │  ║ ║  ·
            ┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈███┈─┼─┈╙─╜┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈◂ 3,360
            ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   · ╵ · │ ·   ·   ·   ·   ·   ·   ·  3,350
                                      ·             3,320▸╵       ·
            Vol 40.5000─────────────────────────────────────────────────────────────────────
                                                          ┊          ███               310.2
                                                     ▄▄▄  ┊          ███
                                             ▄▄▄     ███  ┊   ⠤⣀⣀  ⣀⠤███⠤▇▇▇⠒▁▁▁⠒⠒⠆
                                             ███ ███ ███ ▄▄▄ ▆▆▆ ▁▁▁ ███ ███ ███ ▄▄▄
                                    11-09            2026-11-14 11-16
            """
        )
    }

    @Test("Tick line of the last trades")
    func ticks() {
        var options = ChartSamples.plainOptions
        options.style = .ticks
        expectLines(
            ChartSamples.frame(
                ChartSamples.chart(ChartSamples.few),
                options,
                trades: ChartSamples.trades,
                columns: 80,
                rows: 14
            ),
            """
            체결 60건  시 3,500  고 3,518  저 3,500  종 3,513  +0.37%
                                                                                   ⡄
                                                                    ⢀      ⢰⡀     ⢠⢻
                                                             ⡆      ⡜⡄     ⡎⢇     ⢸ ⡇  3,515
            ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌⡄╌╌╌╌╌╌⢸⡄╌╌╌╌╌⢸⢸╌╌╌╌╌⢀⠇⡇╌╌╌⣄╌⡇⠸⡀╌╌⡜⢢⡎╌⠸▼ 3,513
                               ⢀      ⢀⢇     ⢠⢻      ⡇⢣   ⢀ ⡎⠘⡄  ⢠⢣⡸ ⢸  ⢸⠈⢾  ⢣ ⢠⠃ ⠁
                        ⣆      ⡜⡄     ⢸⢸     ⢸ ⡇  ⢀⢦⢀⠇⠘⡄ ⢀⠎⢦⠃ ⢇ ⢀⠎ ⠃ ⠈⡆⢠⠃    ⠘⣤⠃       3,510
                ⢸⡄     ⢰⠹⡀    ⢀⠇⡇   ⢠ ⡇⠈⡆  ⡜⢢⡎ ⢸  ⡸ ⠻  ⢣ ⡎ ⠈  ⠈⢆⡜     ⠱⠃      ⠁
                ⡇⢣   ⢀ ⢸ ⢇  ⢠⢣⡸ ⢸  ⢠⠃⢳⠁ ⢣ ⢠⠃ ⠁  ⡇⡰⠁    ⠘⡜      ⠈
             ⢀⢦⢀⠇⠘⡄  ⡎⠱⡇ ⠸⡀⢠⠃ ⠃ ⠈⢆⢀⠇    ⠘⡤⠃     ⠘⠁                                     3,505
             ⡸ ⠻  ⢱ ⡰⠁    ⢇⠎     ⠈⠎
            ⢠⠃    ⠈⠖⠁     ⠈
            ⠃                                                                          3,500
            21:02:00  21:02:22      21:02:44     21:03:06      21:03:28     21:03:50
            """
        )
    }
}
