import Domain
import ViewStates
import TestSupport
import Testing

@testable import PresentationTerminal

@Suite("The plain list prints all rows as aligned text")
struct PlainTextListTests {
    @Test("Korean, simulated")
    func korean() {
        let text = PlainTextList.text(
            of: Samples.document(feed: .simulated, filtered: 480),
            language: .korean
        )
        let expected = """
            hoga 거래소 | [모의 SIMULATED] | 변동 24시간 | 2026-11-20 21:03:11 KST | 5/480
            자산명                  마켓            현재가   변동률    변동금액    거래금액
            비트코인                BTC/KRW    143,210,000   -1.34%  -1,945,000  98,123백만
            엑스알피 [리플]         XRP/KRW          3,412   +0.21%          +7  61,020백만
            폴리곤 에코시스템 토큰  POL/KRW          312.4    0.00%           0   903,112원
            ZZZ                     ZZZ/KRW              -        -           -           -
            1인치                   1INCH/KRW       0.9159  +12.05%     +0.0985   1,204백만
            """
        #expect(text == expected)
    }

    @Test("English, popular, with a halted market, a search and late data")
    func english() {
        var rows = Samples.bitcoinRows
        rows[0].marks.state = .suspended
        let health = Samples.health(.stale, ageSeconds: 7, error: Samples.reconnecting)
        var document = Samples.document(rows, health: health, filtered: 13, period: "MID")
        document.state.query.tab = "popular"
        document.state.query.q = "eth"
        let expected = """
            hoga market | Bithumb live | change today | 2026-11-20 21:03:11 KST | 1/480 | /eth | \
            7s behind
            error: 재연결 중 (3차)
            #  Name      Market        Price     Change       Amount       Value
            5  Ethereum  ETH/BTC  0.03412000  suspended  +0.00015000  12.345 BTC
            """
        #expect(PlainTextList.text(of: document, language: .english) == expected)
    }

    @Test(
        "An empty list names the reason",
        arguments: [
            (MarketListViewState.EmptyReason.noMatch, "일치하는 자산이 없습니다"),
            (.loading, "시세를 불러오는 중입니다"), (.error, "시세를 가져오지 못했습니다"),
            (nil, "표시할 자산이 없습니다"),
        ] as [(MarketListViewState.EmptyReason?, String)]
    )
    func empty(reason: MarketListViewState.EmptyReason?, expected: String) {
        let text = PlainTextList.text(
            of: Samples.document([], emptyReason: reason),
            language: .korean
        )
        #expect(text.split(separator: "\n").last.map { String($0) } == expected)
    }

    @Test(
        "Printed lines contain no control characters and have equal widths",
        arguments: 0..<50
    )
    func controls(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = (0..<10).map { index in
            Samples.row("C\(index)", RandomText.make(length: 8, &generator), value: "1백만")
        }
        let text = PlainTextList.text(of: Samples.document(rows), language: .korean)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 12)
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!line.unicodeScalars.contains("\u{202E}"))
        }
        #expect(Set(lines[1...11].map { TextWidth.columns(String($0)) }).count == 1)
    }

    @Test(
        "A line names how many changes are known, else how exact they are",
        arguments: [
            (378, nil, "변동률: 전체 480개 중 378개 확인", "change known for 378 of 480 markets"),
            (378, "10m", "변동률: 전체 480개 중 378개 확인", "change known for 378 of 480 markets"),
            (480, "10m", "변동률 기준가: 10분 단위", "change base accurate to 10m"),
            (480, nil, nil, nil),
        ] as [(Int, String?, String?, String?)]
    )
    func coverage(known: Int, resolution: String?, korean: String?, english: String?) {
        var health = Samples.health()
        (health.known, health.of, health.baseResolution) = (known, 480, resolution)
        let document = Samples.document(health: health, period: "30M")
        let expected = [Language.korean: korean, .english: english]
        for (language, line) in expected {
            let lines = PlainTextList.text(of: document, language: language).split(separator: "\n")
            let columns = MarketListStrings.price[language]
            #expect(lines[1].contains(columns) == (line == nil))
            if let line { #expect(lines[1] == line && lines[2].contains(columns)) }
        }
    }

    @Test("Exchange warnings are words after the columns")
    func warnings() {
        var rows = [Samples.row("LUNA", "루나", price: "312.4"), Samples.row("ETH", "이더리움")]
        rows[0].marks.investmentWarning = true
        rows[0].marks.alerts = [.init(type: "PRICE_DIFFERENCE_HIGH", step: nil, endsAt: nil)]
        let lines = PlainTextList.text(of: Samples.document(rows), language: .korean)
            .split(separator: "\n")
        #expect(lines[2].hasSuffix("  유의  경보"))
        #expect(!lines[3].contains("유의") && !lines[3].contains("경보"))
    }
}
