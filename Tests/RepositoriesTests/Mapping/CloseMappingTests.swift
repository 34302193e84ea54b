import DataSourceContracts
import Domain
import TestSupport
import Testing

@testable import Repositories

@Suite("Closes are mapped to a page of a day and an hour")
struct CloseMappingTests {
    private static let noon = Timestamp.noon().microseconds / 1_000

    private func row(_ minute: Int64, _ close: WireDecimal = "3") -> CloseDTO {
        CloseDTO(atMilliseconds: Self.noon + minute * 60_000, close: close)
    }

    private func page(
        _ rows: [CloseDTO],
        skipped: Int = 0,
        _ interval: CandleInterval = .minute1,
        notAfter limit: Timestamp? = nil
    ) throws(DataSourceError) -> ClosePage {
        try CloseMapping.page(
            ClosesDTO(rows: rows, skippedCount: skipped),
            of: "BTC_KRW",
            interval: interval,
            until: .noon(),
            isWhole: true,
            notAfter: limit
        )
    }

    @Test("rows are ascending, each bucket once, with the close of the last row")
    func order() throws {
        let page = try page([row(-1, "5"), row(-3, "7.5"), row(-1, "6")])
        #expect(page.rows.map(\.openTime) == [.noon(-180), .noon(-60)])
        #expect(page.rows.first?.close == "7.5")
        #expect(page.market == "BTC_KRW" && page.until == .noon() && page.isWhole)
    }

    @Test("times off the grid count for their bucket")
    func grid() throws {
        let page = try page([row(-13), row(-7)], .minutes10)
        #expect(page.rows.map(\.openTime) == [.noon(-1_200), .noon(-600)])
    }

    @Test("older rows are left out, except the last one before the day and the hour")
    func cut() throws {
        let page = try page([-4_000, -3_000, -1_501, -1_500, -1_499, -2].map { row($0) })
        #expect(page.rows.map(\.openTime) == [-1_500, -1_499, -2].map { .noon($0 * 60) })
        let old = try self.page([-4_000, -3_000].map { row($0) })
        #expect(old.rows.map(\.openTime) == [.noon(-180_000)])
        #expect(try self.page([]).rows.isEmpty)
    }

    @Test("an unreadable row refuses the page, because it would look like a minute without a trade")
    func unreadable() {
        #expect(throws: DataSourceError.self) { try page([row(-1)], skipped: 1) }
        #expect(throws: DataSourceError.self) { try page([row(-1, "0")]) }
        #expect(throws: DataSourceError.self) { try page([row(-1, "-3")]) }
        #expect(throws: DataSourceError.self) { try page([row(5)], notAfter: .noon(60)) }
    }
}
