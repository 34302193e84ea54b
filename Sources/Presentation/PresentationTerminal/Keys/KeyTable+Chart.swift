import ViewStates

extension KeyTable {
    /// The keys of the chart.
    static let chartBindings = time + looks

    /// Keys that move through time.
    private static let time = [
        binding(
            .chartEarlier,
            [.left],
            .moveInTime(-1),
            in: [.chart],
            LocalizedText(ko: "과거·최근", en: "earlier, later"),
            hint: LocalizedText(ko: "이동", en: "move")
        ),
        binding(
            .chartLater,
            [.right],
            .moveInTime(1),
            in: [.chart],
            LocalizedText(ko: "과거·최근", en: "earlier, later")
        ),
        binding(
            .chartPageEarlier,
            [.pageUp, .control("b")],
            .pageInTime(-1),
            in: [.chart],
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        binding(
            .chartPageLater,
            [.pageDown, .control("f"), .character(" ")],
            .pageInTime(1),
            in: [.chart],
            LocalizedText(ko: "페이지 이동", en: "by page")
        ),
        binding(
            .chartNewest,
            [.end],
            .moveToNewest,
            in: [.chart],
            LocalizedText(ko: "최신으로", en: "to the newest")
        ),
        binding(
            .chartShorter,
            [.character("[")],
            .shorterInterval,
            in: [.chart],
            LocalizedText(ko: "봉 간격", en: "interval"),
            hint: LocalizedText(ko: "간격", en: "interval")
        ),
        binding(
            .chartLonger,
            [.character("]")],
            .longerInterval,
            in: [.chart],
            LocalizedText(ko: "봉 간격", en: "interval")
        ),
        binding(
            .chartZoomIn,
            [.character("+"), .character("=")],
            .zoomIn,
            in: [.chart],
            LocalizedText(ko: "확대·축소", en: "zoom"),
            hint: LocalizedText(ko: "배율", en: "zoom")
        ),
        binding(
            .chartZoomOut,
            [.character("-")],
            .zoomOut,
            in: [.chart],
            LocalizedText(ko: "확대·축소", en: "zoom")
        ),
        binding(
            .chartCrosshair,
            [.character("x")],
            .toggleCrosshair,
            in: [.chart],
            LocalizedText(ko: "십자선", en: "cross-hair"),
            hint: LocalizedText(ko: "십자선", en: "cross-hair")
        ),
    ]

    /// How it is drawn.
    private static let looks = [
        binding(
            .chartAverages,
            [.character("m")],
            .chooseIndicators,
            in: [.chart],
            LocalizedText(ko: "이평·지표 선택", en: "averages, indicators"),
            hint: LocalizedText(ko: "지표", en: "indicators")
        ),
        binding(
            .chartVolume,
            [.character("v")],
            .toggleVolume,
            in: [.chart],
            LocalizedText(ko: "거래량", en: "volume")
        ),
        binding(
            .chartVolumeTaller,
            [.controlUp],
            .growVolume(1),
            in: [.chart],
            LocalizedText(ko: "거래량 높이", en: "volume height")
        ),
        binding(
            .chartVolumeLower,
            [.controlDown],
            .growVolume(-1),
            in: [.chart],
            LocalizedText(ko: "거래량 높이", en: "volume height")
        ),
        binding(
            .chartLine,
            [.character("l")],
            .toggleLine,
            in: [.chart],
            LocalizedText(ko: "봉·선", en: "candles, line")
        ),
        binding(
            .chartTicks,
            [.character("t")],
            .toggleTicks,
            in: [.chart],
            LocalizedText(ko: "틱 차트", en: "tick chart")
        ),
        binding(
            .chartPercent,
            [.character("%")],
            .togglePercent,
            in: [.chart],
            LocalizedText(ko: "퍼센트 축", en: "percent axis")
        ),
        binding(
            .chartComparison,
            [.character("o")],
            .toggleComparison,
            in: [.chart],
            LocalizedText(ko: "다른 마켓과 비교", en: "compare with a market"),
            hint: LocalizedText(ko: "비교", en: "compare")
        ),
        binding(
            .chartSave,
            [.character("E")],
            .saveChart,
            in: [.chart],
            LocalizedText(ko: "파일로 저장 (SVG·텍스트)", en: "save as SVG or text")
        ),
    ]
}
