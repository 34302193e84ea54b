import Domain
import ViewStates
import Testing

@testable import PresentationTerminal

@Suite("Color, emphasis and words each show the state")
struct MarketListStyleTests {
    private static let firstRow: Int = 3

    @Test(
        "A change has a color and a sign",
        arguments: [
            ("+0.21%", CellStyle.Role.up, "▲ +0.21%"), ("-1.34%", .down, "▼ -1.34%"),
            ("0.00%", .plain, "  0.00%"),
        ]
    )
    func direction(rate: String, role: CellStyle.Role, text: String) {
        let row = Samples.row("BTC", "비트코인", price: "143,210,000", rate: rate, amount: "7,000")
        var state = Samples.state([row])
        state.selected = nil
        let frame = Samples.frame(Samples.document([row]), state: state)
        #expect(frame.lines[Self.firstRow].contains(text))
        for part in ["143,210,000", rate, "7,000"] {
            #expect(frame.style(of: part, row: Self.firstRow) == CellStyle(role))
        }
        #expect(frame.style(of: "비트코인", row: Self.firstRow) == .plain)
        #expect(frame.style(of: "BTC/KRW", row: Self.firstRow) == .dim)
    }

    @Test("The selected row has a marker and one background across its width")
    func selection() {
        let frame = Samples.frame()
        #expect(frame.lines[Self.firstRow].hasPrefix("› "))
        for column in 0..<80 {
            let style = frame.style(row: Self.firstRow, column: column)
            #expect(style.background == .selected)
            #expect(!style.emphasis.contains(.reverse))
            #expect(frame.style(row: Self.firstRow + 1, column: column).background == .standard)
        }
        #expect(frame.lines.filter { $0.hasPrefix("›") }.count == 1)
    }

    @Test("A changed price is reversed, on the selected row too")
    func flash() {
        let frame = Samples.frame(flashing: ["BTC_KRW", "XRP_KRW"])
        let selected = frame.style(of: "143,210,000", row: Self.firstRow)
        #expect(selected == CellStyle(.down, on: .selected, emphasis: .reverse))
        let other = frame.style(of: "3,412", row: Self.firstRow + 1)
        #expect(other == CellStyle(.up, emphasis: .reverse))
        #expect(frame.style(of: "+0.21%", row: Self.firstRow + 1) == CellStyle(.up))
        #expect(frame.style(of: "312.4", row: Self.firstRow + 2) == .plain)
    }

    @Test(
        "A change is dimmed without trades or after a tenth of its window",
        arguments: [
            ("24H", 2 * 3_600 + 1_000, false, false), ("24H", 9_000, false, true),
            ("12H", 4_000, false, false), ("12H", 5_000, false, true), ("1H", 300, false, false),
            ("1H", 361, false, true), ("30M", 179, false, false), ("30M", 181, false, true),
            ("MID", 80_000, false, false), ("24H", 0, true, true),
        ]
    )
    func oldChange(period: String, ageSeconds: Int64, noTrade: Bool, isDim: Bool) {
        var row = Samples.row("BTC", "비트코인", price: "100", rate: "+0.50%", amount: "+1")
        row.changePeriod = period
        row.changeAt = Samples.now.advanced(by: .seconds(-ageSeconds))
        row.noTrade = noTrade
        var state = Samples.state([row])
        state.selected = nil
        let frame = Samples.frame(Samples.document([row], period: period), state: state)
        let expected = CellStyle(.up, emphasis: isDim ? .dim : [])
        #expect(frame.style(of: "+0.50%", row: Self.firstRow) == expected)
        #expect(frame.style(of: "▲", row: Self.firstRow) == expected)
        // The price itself is not of that window.
        #expect(frame.style(of: "100", row: Self.firstRow) == CellStyle(.up))
    }

    @Test("Unknown values are dimmed dashes")
    func unknown() {
        let frame = Samples.frame()
        let row = Self.firstRow + 3
        #expect(frame.lines[row].filter { $0 == "-" }.count == 4)
        #expect(frame.style(of: "-", row: row) == .dim)
    }

    @Test(
        "Stale data is dimmed, and the last values stay",
        arguments: [
            (HealthViewState.Phase.stale, true), (.failed, true), (.ready, false), (.ended, false),
        ]
    )
    func outdated(phase: HealthViewState.Phase, isDim: Bool) {
        let document = Samples.document(health: Samples.health(phase, ageSeconds: 7))
        let frame = Samples.frame(document)
        let style = frame.style(of: "3,412", row: Self.firstRow + 1)
        #expect(style == CellStyle(.up, emphasis: isDim ? .dim : []))
        #expect(frame.style(of: "비트코인", row: Self.firstRow)?.emphasis.contains(.dim) == isDim)
    }

    @Test(
        "The title shows the data age",
        arguments: [
            (Samples.health(), "● 실시간", "● live"),
            (Samples.health(.loading, ageSeconds: nil), "⠼ 불러오는 중", "⠼ loading"),
            (Samples.health(.stale, ageSeconds: 12), "○ 지연 12초", "○ 12s behind"),
            (Samples.health(.stale, ageSeconds: 700), "○ 지연 11분", "○ 11min behind"),
            (Samples.health(.stale, ageSeconds: 9_000), "○ 지연 2시간", "○ 2h behind"),
            (Samples.health(.stale, ageSeconds: nil), "○ 끊김", "○ cut off"),
            (Samples.health(.failed, ageSeconds: nil), "✕ 오류", "✕ error"),
            (Samples.health(.ended), "■ 재생 끝", "■ replay ended"),
            (Samples.health(.ready, error: Samples.reconnecting), "○ 끊김", "○ cut off"),
            (
                Samples.health(.stale, ageSeconds: 3, error: Samples.reconnecting), "○ 끊김 · 지연 3초",
                "○ cut off · 3s behind"
            ),
        ]
    )
    func connection(health: HealthViewState, korean: String, english: String) {
        let document = Samples.document(health: health)
        #expect(Samples.frame(document).lines[0].contains("  \(korean)  21:03:11 KST"))
        let frame = Samples.frame(document, language: .english)
        #expect(frame.lines[0].contains("  \(english)  21:03:11 KST"))
    }

    @Test("A replay is never called live, and a lost one is cut off")
    func replay() {
        let document = Samples.document(feed: .replay)
        #expect(Samples.frame(document).lines[0].contains("  ▶ 재생  21:03:11 KST"))
        let english = Samples.frame(document, language: .english)
        #expect(english.lines[0].contains("  ▶ replay  21:03:11 KST"))
        let lost = Samples.health(.ready, error: Samples.reconnecting)
        let frame = Samples.frame(Samples.document(feed: .replay, health: lost))
        #expect(frame.lines[0].contains("  ○ 끊김  21:03:11 KST"))
    }

    @Test("The title shows how many changes are known, where there is room for it")
    func coverage() {
        var health = Samples.health()
        (health.known, health.of, health.complete) = (378, 480, false)
        let document = Samples.document(health: health)
        let wide = Samples.frame(document, columns: 100)
        #expect(wide.lines[0].contains("  ● 실시간 · 변동률 378/480  21:03:11 KST"))
        let english = Samples.frame(document, columns: 100, language: .english)
        #expect(english.lines[0].contains("  ● live · known 378/480  21:03:11 KST"))
        let narrow = Samples.frame(document, columns: 40)
        #expect(narrow.lines[0].contains("● 실시간") && !narrow.lines[0].contains("378"))
        health.known = 480
        let known = Samples.frame(Samples.document(health: health), columns: 100)
        #expect(known.lines[0].contains("  ● 실시간  21:03:11 KST"))
    }

    @Test("An error is red with a countdown, and with r if a retry helps")
    func error() {
        let health = Samples.health(.ready, error: Samples.reconnecting)
        let frame = Samples.frame(Samples.document(health: health))
        let bottom = frame.lines[23]
        #expect(bottom.hasPrefix("재연결 중 (3차)  "))
        #expect(bottom.contains(")  4초 후  r 재시도  Enter 열기"))
        #expect(bottom.hasSuffix("  ? 도움말  q 종료"))
        #expect(frame.style(row: 23, column: 0) == CellStyle(.error, emphasis: .bold))

        var fatal = Samples.reconnecting
        fatal.retryable = false
        fatal.nextRetryAt = nil
        let other = Samples.frame(Samples.document(health: Samples.health(.failed, error: fatal)))
        #expect(other.lines[23].hasPrefix("재연결 중 (3차)  "))
        #expect(!other.lines[23].contains("r 재시도"))
    }

    @Test("A long error leaves room for its key and countdown")
    func longError() {
        var error = Samples.reconnecting
        error.message = String(repeating: "오류가 길다 ", count: 20)
        let document = Samples.document(health: Samples.health(.ready, error: error))
        let frame = Samples.frame(document, columns: 40, rows: 12)
        #expect(frame.lines[11].contains("…"))
        #expect(frame.lines[11].hasSuffix("  4초 후  r 재시도"))
        #expect(TextWidth.columns(frame.lines[11]) == 40)
    }

    @Test(
        "A source other than the exchange is named in every header at any width",
        arguments: [FeedLabel.simulated, .replay],
        [20, 30, 40, 60, 80, 200]
    )
    func feed(feed: FeedLabel, columns: Int) {
        let korean = Samples.frame(Samples.document(feed: feed), columns: columns, rows: 5)
        #expect(korean.lines[0].contains(feed == .simulated ? "[모의" : "[재생"))
        let english = Samples.frame(
            Samples.document(feed: feed),
            columns: columns,
            rows: 5,
            language: .english
        )
        let label = feed == .simulated ? "[SIMULATED]" : "[REPLAY]"
        #expect(english.lines[0].contains(label))
        #expect(english.style(of: label, row: 0)?.emphasis.contains(.reverse) == true)
        // Narrower lists are compact: their first line has the tab in brackets.
        guard columns >= 40 else { return }
        #expect(!Samples.frame(columns: columns).lines[0].contains("["))
    }

    @Test("A suspended market says so instead of its rate", arguments: [80, 40])
    func suspended(columns: Int) {
        var row = Samples.row("LUNA", "루나", price: "312.4", rate: "+0.50%")
        row.marks.state = .suspended
        let frame = Samples.frame(Samples.document([row]), columns: columns, rows: 12)
        #expect(frame.lines[Self.firstRow].contains("312.4"))
        // Below 60 columns the rate is in the second line of the row.
        let rate = frame.lines[Self.firstRow + (columns < 60 ? 1 : 0)]
        #expect(rate.contains("거래중단"))
        #expect(!rate.contains("+0.50%"))
        #expect(!rate.contains("▲"))
    }

    @Test("Exchange warnings follow the name")
    func warnings() {
        var row = Samples.row("LUNA", "루나", price: "312.4")
        row.marks.investmentWarning = true
        row.marks.alerts = [.init(type: "PRICE_SUDDEN_FLUCTUATION", step: "CAUTION", endsAt: nil)]
        let frame = Samples.frame(Samples.document([row]))
        #expect(frame.lines[Self.firstRow].hasPrefix("› 루나 LUNA/KRW 유 경 "))
    }

    @Test(
        "Coins with equal names are distinguishable at any width",
        arguments: [20, 30, 40, 60, 80, 200]
    )
    func equalNames(columns: Int) {
        let rows = ["AAA", "BBB"].map { Samples.row($0, "같은이름", price: "1") }
        let frame = Samples.frame(Samples.document(rows), columns: columns, rows: 12)
        let first = columns < 40 ? 1 : Self.firstRow
        let height = (40..<60).contains(columns) ? 2 : 1
        #expect(frame.lines[first].contains("AAA"))
        #expect(frame.lines[first + height].contains("BBB"))
    }
}
