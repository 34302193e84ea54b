import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Names are mapped to coins and warnings to markets; other rows are counted")
struct MarketReferenceMappingTests {
    private func row(
        _ market: String,
        _ korean: String,
        _ english: String = "",
        isWarned: Bool? = nil
    ) -> MarketNameDTO {
        MarketNameDTO(market: market, korean: korean, english: english, isWarned: isWarned)
    }

    @Test("the name of the won market precedes that of the bitcoin market")
    func names() {
        let rows = [row("BTC-XRP", "비트"), row("KRW-XRP", "원"), row("BTC-ETH", "이더")]
        for rows in [rows, rows.reversed()] {
            let (names, skipped) = MarketReferenceMapping.names(MarketNamesDTO(markets: rows))
            #expect(names["XRP"]?.korean == "원")
            #expect(names["ETH"]?.korean == "이더")
            #expect(names.count == 2 && skipped == 0)
        }
    }

    @Test(
        "a market of an unknown currency is counted",
        arguments: [
            "USDT-XRP", "KRW_XRP", "XRP_KRW", "krw-XRP", "KRW-xrp", "KRW-", "-XRP", "", "가-가",
        ]
    )
    func unknownMarkets(code: String) {
        let rows = [row(code, "가", isWarned: true), row("KRW-A", "나", isWarned: true)]
        let answer = MarketNamesDTO(markets: rows, skippedCount: 2)
        let (names, skipped) = MarketReferenceMapping.names(answer)
        #expect(names.count == 1 && skipped == 3)
        #expect(MarketReferenceMapping.warned(answer) == ["A_KRW"])
        let alerts = MarketAlertsDTO(alerts: [
            MarketAlertDTO(market: code, type: "T", step: nil, endsAtMicroseconds: nil)
        ])
        #expect(MarketReferenceMapping.alerts(alerts).skipped == 1)
        #expect(MarketReferenceMapping.alerts(alerts).alerts.isEmpty)
    }

    @Test("a code is split at its first dash")
    func codes() {
        #expect(MarketID(code: "KRW-SUN_OLD") == "SUN_OLD_KRW")
        #expect(MarketID(code: "BTC-1INCH") == "1INCH_BTC")
        #expect(MarketID(code: "KRW-A-B") == nil)
    }

    @Test("only markets with an investment warning are listed")
    func warned() {
        let answer = MarketNamesDTO(markets: [
            row("KRW-A", "가", isWarned: true), row("KRW-B", "나", isWarned: false),
            row("KRW-C", "다"), row("BTC-A", "가", isWarned: true),
        ])
        #expect(MarketReferenceMapping.warned(answer) == ["A_KRW", "A_BTC"])
    }

    @Test("several warnings of a market keep their order, step and end")
    func alerts() {
        let answer = MarketAlertsDTO(
            alerts: [
                MarketAlertDTO(market: "KRW-A", type: "X", step: "DANGER", endsAtMicroseconds: 5),
                MarketAlertDTO(market: "KRW-B", type: "Y", step: nil, endsAtMicroseconds: nil),
                MarketAlertDTO(market: "KRW-A", type: "Z", step: "CAUTION", endsAtMicroseconds: 7),
            ],
            skippedCount: 1
        )
        let (alerts, skipped) = MarketReferenceMapping.alerts(answer)
        #expect(
            alerts == [
                "A_KRW": [
                    MarketAlert(type: "X", step: "DANGER", endsAt: Timestamp(microseconds: 5)),
                    MarketAlert(type: "Z", step: "CAUTION", endsAt: Timestamp(microseconds: 7)),
                ],
                "B_KRW": [MarketAlert(type: "Y", step: nil, endsAt: nil)],
            ]
        )
        #expect(skipped == 1)
    }

    @Test("the exchange's name precedes the built-in one, which fills gaps")
    func filling() {
        let brought = CoinNames([
            "A": .init(symbol: "A", korean: "옛", english: "Old"),
            "B": .init(symbol: "B", korean: "비", english: "Bee"),
        ])
        let told = CoinNames([
            "A": .init(symbol: "A", korean: "새", english: ""),
            "C": .init(symbol: "C", korean: "씨", english: "Sea"),
        ])
        let names = told.filled(from: brought)
        #expect(names["A"]?.korean == "새" && names["A"]?.english == "Old")
        #expect(names["B"] == brought["B"] && names["C"] == told["C"])
        #expect(names["A"]?.searchText == CoinSearchText(symbol: "A", korean: "새", english: "Old"))
        #expect(names.count == 3)
    }

    @Test("states belong to coins; an unknown half stays unknown")
    func states() {
        let answer = AssetStatusesDTO(
            assets: [
                AssetStatusDTO(asset: "BTC", isDepositOpen: true, isWithdrawalOpen: nil),
                AssetStatusDTO(asset: "btc", isDepositOpen: true, isWithdrawalOpen: true),
            ],
            skippedCount: 4
        )
        let (states, skipped) = AssetStateMapping.states(answer)
        let bitcoin = AssetState(isDepositOpen: true, isWithdrawalOpen: nil)
        #expect(states == [Asset(of: "BTC_KRW"): bitcoin])
        #expect(skipped == 5)
    }

    @Test("a row without a Korean name is counted, and another market of its coin names it")
    func nameless() {
        let rows = [
            MarketNameDTO(market: "KRW-XRP", korean: "", english: "Ripple", isWarned: true),
            MarketNameDTO(market: "BTC-XRP", korean: "리플", english: "", isWarned: false),
            MarketNameDTO(market: "KRW-ADA", korean: "", english: "Cardano", isWarned: nil),
        ]
        let answer = MarketNamesDTO(markets: rows, skippedCount: 1)
        let (names, skipped) = MarketReferenceMapping.names(answer)
        #expect(names["XRP"]?.korean == "리플" && names["ADA"] == nil)
        #expect(skipped == 3)
        #expect(MarketReferenceMapping.warned(answer) == ["XRP_KRW"])
    }
}
