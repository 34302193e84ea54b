import Presentation

extension KeyTable {
    /// The keys of the chart.
    static let chartBindings = time + looks

    /// What span of time is seen.
    private static let time = [
        binding(
            [.left],
            .moveInTime(-1),
            in: [.chart],
            LocalizedText(korean: "과거·최근", english: "earlier, later")
        ),
        binding(
            [.right],
            .moveInTime(1),
            in: [.chart],
            LocalizedText(korean: "과거·최근", english: "earlier, later")
        ),
        binding(
            [.pageUp, .control("b")],
            .pageInTime(-1),
            in: [.chart],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            [.pageDown, .control("f"), .character(" ")],
            .pageInTime(1),
            in: [.chart],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            [.end],
            .moveToNewest,
            in: [.chart],
            LocalizedText(korean: "지금으로", english: "to the newest")
        ),
        binding(
            [.character("[")],
            .shorterInterval,
            in: [.chart],
            LocalizedText(korean: "봉 간격", english: "interval"),
            hint: LocalizedText(korean: "간격", english: "interval")
        ),
        binding(
            [.character("]")],
            .longerInterval,
            in: [.chart],
            LocalizedText(korean: "봉 간격", english: "interval")
        ),
        binding(
            [.character("+"), .character("=")],
            .zoomIn,
            in: [.chart],
            LocalizedText(korean: "확대·축소", english: "zoom"),
            hint: LocalizedText(korean: "확대", english: "zoom")
        ),
        binding(
            [.character("-")],
            .zoomOut,
            in: [.chart],
            LocalizedText(korean: "확대·축소", english: "zoom")
        ),
        binding(
            [.character("x")],
            .toggleCrosshair,
            in: [.chart],
            LocalizedText(korean: "십자선", english: "cross-hair"),
            hint: LocalizedText(korean: "십자선", english: "cross-hair")
        ),
    ]

    /// How it is drawn.
    private static let looks = [
        binding(
            [.character("m")],
            .nextAverages,
            in: [.chart],
            LocalizedText(korean: "이동평균", english: "averages"),
            hint: LocalizedText(korean: "이평", english: "averages")
        ),
        binding(
            [.character("v")],
            .toggleVolume,
            in: [.chart],
            LocalizedText(korean: "거래량", english: "volume")
        ),
        binding(
            [.controlUp],
            .growVolume(1),
            in: [.chart],
            LocalizedText(korean: "거래량 높이", english: "height of the volume")
        ),
        binding(
            [.controlDown],
            .growVolume(-1),
            in: [.chart],
            LocalizedText(korean: "거래량 높이", english: "height of the volume")
        ),
        binding(
            [.character("l")],
            .toggleLine,
            in: [.chart],
            LocalizedText(korean: "봉·선", english: "candles, line")
        ),
        binding(
            [.character("t")],
            .toggleTicks,
            in: [.chart],
            LocalizedText(korean: "틱 차트", english: "line of trades")
        ),
        binding(
            [.character("%")],
            .togglePercent,
            in: [.chart],
            LocalizedText(korean: "퍼센트 축", english: "axis in per cent")
        ),
    ]
}
