import ViewStates

extension KeyTable {
    /// The keys of the chart.
    static let chartBindings = time + looks

    /// What span of time is seen.
    private static let time = [
        binding(
            .chartEarlier,
            [.left],
            .moveInTime(-1),
            in: [.chart],
            LocalizedText(korean: "과거·최근", english: "earlier, later"),
            hint: LocalizedText(korean: "이동", english: "move")
        ),
        binding(
            .chartLater,
            [.right],
            .moveInTime(1),
            in: [.chart],
            LocalizedText(korean: "과거·최근", english: "earlier, later")
        ),
        binding(
            .chartPageEarlier,
            [.pageUp, .control("b")],
            .pageInTime(-1),
            in: [.chart],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            .chartPageLater,
            [.pageDown, .control("f"), .character(" ")],
            .pageInTime(1),
            in: [.chart],
            LocalizedText(korean: "한 쪽씩", english: "by page")
        ),
        binding(
            .chartNewest,
            [.end],
            .moveToNewest,
            in: [.chart],
            LocalizedText(korean: "지금으로", english: "to the newest")
        ),
        binding(
            .chartShorter,
            [.character("[")],
            .shorterInterval,
            in: [.chart],
            LocalizedText(korean: "봉 간격", english: "interval"),
            hint: LocalizedText(korean: "간격", english: "interval")
        ),
        binding(
            .chartLonger,
            [.character("]")],
            .longerInterval,
            in: [.chart],
            LocalizedText(korean: "봉 간격", english: "interval")
        ),
        binding(
            .chartZoomIn,
            [.character("+"), .character("=")],
            .zoomIn,
            in: [.chart],
            LocalizedText(korean: "확대·축소", english: "zoom"),
            hint: LocalizedText(korean: "배율", english: "zoom")
        ),
        binding(
            .chartZoomOut,
            [.character("-")],
            .zoomOut,
            in: [.chart],
            LocalizedText(korean: "확대·축소", english: "zoom")
        ),
        binding(
            .chartCrosshair,
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
            .chartAverages,
            [.character("m")],
            .nextAverages,
            in: [.chart],
            LocalizedText(korean: "이동평균", english: "averages"),
            hint: LocalizedText(korean: "이평", english: "averages")
        ),
        binding(
            .chartVolume,
            [.character("v")],
            .toggleVolume,
            in: [.chart],
            LocalizedText(korean: "거래량", english: "volume")
        ),
        binding(
            .chartVolumeTaller,
            [.controlUp],
            .growVolume(1),
            in: [.chart],
            LocalizedText(korean: "거래량 높이", english: "height of the volume")
        ),
        binding(
            .chartVolumeLower,
            [.controlDown],
            .growVolume(-1),
            in: [.chart],
            LocalizedText(korean: "거래량 높이", english: "height of the volume")
        ),
        binding(
            .chartLine,
            [.character("l")],
            .toggleLine,
            in: [.chart],
            LocalizedText(korean: "봉·선", english: "candles, line")
        ),
        binding(
            .chartTicks,
            [.character("t")],
            .toggleTicks,
            in: [.chart],
            LocalizedText(korean: "틱 차트", english: "line of trades")
        ),
        binding(
            .chartPercent,
            [.character("%")],
            .togglePercent,
            in: [.chart],
            LocalizedText(korean: "퍼센트 축", english: "axis in per cent")
        ),
    ]
}
