import Domain
import TestSupport
import Testing
import ViewStates

@testable import PresentationTerminal

@Suite("Charts as files")
struct ChartFileTests {
    private static func file(
        _ style: ChartPaneOptions.Style = .candles,
        _ studies: Set<ChartStudy> = Set(ChartStudy.allCases)
    ) throws -> ChartFile {
        let candles = ChartSamples.walk(150, from: 50_000, step: 1_000, seed: 21)
        let ema = MovingAverage(.exponential, window: 12)
        var chart = ChartSamples.chart(candles)
        chart.indicators = ChartIndicators(
            of: candles,
            IndicatorSelection(averages: [ema], studies: studies)
        )
        let market = try #require(MarketID(symbol: "BTC", quote: .krw))
        let other = ChartSamples.walk(150, from: 9_000, step: 300, seed: 4)
        chart.comparison = ChartComparison(
            of: market,
            with: try #require(MarketID(symbol: "ETH", quote: .krw)),
            ChartSamples.chart(other)
        )
        var options = ChartPaneOptions(span: ChartSamples.span(28))
        options.style = style
        options.averages = [20, ema]
        options.studies = studies
        options.showsComparison = style != .ticks
        return ChartFile(
            chart: chart,
            trades: ChartSamples.trades,
            market: market,
            options: options,
            theme: Theme(colors: .trueColor),
            language: .korean,
            asOf: ChartSamples.day,
            feed: .simulated
        )
    }

    /// How many elements of each name a parser finds.
    private static func elements(_ svg: String) throws -> [String: Int] {
        let program = """
            import sys, collections, xml.etree.ElementTree as tree
            root = tree.fromstring(sys.argv[1].encode())
            names = collections.Counter(e.tag.split("}")[1] for e in root.iter())
            print(" ".join(f"{name}={count}" for name, count in names.items()))
            """
        let output = try ChildProcess.output(["python3", "-c", program, svg])
        return Dictionary(
            uniqueKeysWithValues: output.split(separator: " ").compactMap { pair in
                let parts = pair.split(separator: "=")
                return Int(parts[1]).map { (String(parts[0]), $0) }
            }
        )
    }

    @Test("an XML parser finds a body and a wick for each candle, and a line for each indicator")
    func picture() throws {
        let elements = try Self.elements(try Self.file().content(.svg))
        #expect(elements["title"] == 1 && elements["g"] == 1)
        // The ground, the clip, and for each day a body, a volume and a bar of MACD.
        #expect(elements["rect"] == 2 + 3 * 28)
        // Two averages, three bands, the second market, RSI, MACD and its signal.
        #expect(elements["polyline"] == 9)
        #expect(elements["line"] ?? 0 > 28)
    }

    @Test("a line chart has no candles; a chart without data says so")
    func others() throws {
        let line = try Self.elements(try Self.file(.line, []).content(.svg))
        #expect(line["rect"] == 2 + 28 && line["polyline"] == 4)
        var file = try Self.file(.candles, [])
        file = ChartFile(
            chart: ChartSamples.chart([]),
            trades: file.trades,
            market: file.market,
            options: file.options,
            theme: file.theme,
            language: .korean,
            asOf: file.asOf,
            feed: .live
        )
        let svg = file.content(.svg)
        #expect(try Self.elements(svg)["polyline"] == nil)
        #expect(svg.contains("이 기간에는 체결이 없습니다"))
    }

    @Test("the text is the chart of a wide screen below the market and the time")
    func text() throws {
        let lines = try Self.file().content(.text).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count == 38 && lines.last == "")
        #expect(lines[0] == "BTC/KRW  2026-11-20 00:00:00 KST  [모의 SIMULATED]")
        #expect(lines.contains { $0.hasPrefix("RSI 14 ") })
        #expect(lines.allSatisfy { $0.last != " " })
    }

    @Test("texts cannot end their element")
    func escaping() throws {
        let hostile = "a<b>&\"c\u{0}\u{1B}]]>한"
        #expect(SVGDocument.escaped(hostile) == "a&lt;b&gt;&amp;&quot;c\u{FFFD}\u{FFFD}]]&gt;한")
        var svg = SVGDocument(width: 10, height: 10, title: hostile)
        svg.text(hostile, x: 0, y: 0, color: "#000000")
        #expect(try Self.elements(svg.text) == ["svg": 1, "title": 1, "rect": 1, "text": 1])
    }

    @Test(
        "the end of a name decides the format",
        arguments: [
            ("a.svg", .svg), ("/tmp/A.SVG", .svg), ("b.txt", .text), (".svg", nil), ("x/.txt", nil),
            ("svg", nil), ("a.png", nil), ("a.svg/", nil),
        ] as [(String, ChartFile.Format?)]
    )
    func format(name: String, format: ChartFile.Format?) {
        #expect(ChartFile.Format(of: name) == format)
    }

    @Test("a chart of trades is offered as text")
    func trades() throws {
        var state = DetailScreenSamples.screen(.chart, .toggleTicks)
        state.apply(.saveChart)
        #expect(try #require(state.form?.fields.first?.text).hasSuffix(".txt"))
    }

    @Test("the form offers a name of market, interval and time, and refuses other formats")
    func form() throws {
        var state = DetailScreenSamples.screen(.chart)
        state.apply(.saveChart)
        let name = try #require(state.form?.fields.first?.text)
        let market = try #require(state.detail?.market.name)
        #expect(name.hasPrefix("hoga-\(market)-24h-2026") && name.hasSuffix(".svg"))
        _ = ScreenReducer.reduce(&state, .form(.type("x")))
        _ = ScreenReducer.reduce(&state, .form(.submit))
        #expect(state.form?.refusal?.refusal == InputError(.noFileName))
        _ = ScreenReducer.reduce(&state, .form(.delete(.character)))
        #expect(ScreenReducer.reduce(&state, .form(.submit)) == [.saveChart(name: name)])
        _ = ScreenReducer.reduce(&state, .chartSaved(.exists(path: "/a/" + name)))
        #expect(state.notice == .file(.exists(path: "/a/" + name)))
    }
}
