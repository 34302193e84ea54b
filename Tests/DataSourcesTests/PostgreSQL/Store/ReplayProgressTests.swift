import Testing

@testable import DataSourcesPostgreSQL

@Suite("The age of a standby's data follows from where the primary's log ended when")
struct ReplayProgressTests {
    private static func position(_ byte: Int64, cluster: Int64 = 1) -> WalPosition {
        WalPosition(cluster: cluster, byte: byte)
    }

    /// The primary's log ended at byte 100 at 1 s, at 200 at 2 s, and at 300 at 3 s.
    private static var noted: ReplayProgress {
        var progress = ReplayProgress()
        for second in Int64(1)...3 {
            progress.note(position(100 * second), at: .seconds(second))
        }
        return progress
    }

    @Test(
        "the age counts from the newest end of the log that was replayed",
        arguments: [
            (99, nil), (100, 9), (199, 9), (200, 8), (299, 8), (300, 7), (1_000, 7),
        ] as [(Int64, Int?)]
    )
    func ages(byte: Int64, seconds: Int?) {
        let age = Self.noted.age(of: Self.position(byte), at: .seconds(10))
        #expect(age == seconds.map { .seconds($0) })
    }

    @Test("an idle primary makes no standby old")
    func idle() {
        var progress = Self.noted
        for second in Int64(4)...5_000 { progress.note(Self.position(300), at: .seconds(second)) }
        #expect(progress.age(of: Self.position(300), at: .seconds(5_001)) == .seconds(1))
        // Its end at byte 200 is not forgotten meanwhile.
        #expect(progress.age(of: Self.position(250), at: .seconds(5_001)) == .seconds(4_999))
    }

    @Test("the age grows while the primary does not answer")
    func away() {
        #expect(Self.noted.age(of: Self.position(300), at: .seconds(63)) == .seconds(60))
    }

    @Test("a server of another cluster has no age, and neither has one before the first mark")
    func unknown() {
        #expect(Self.noted.age(of: Self.position(900, cluster: 2), at: .seconds(10)) == nil)
        #expect(ReplayProgress().age(of: Self.position(900), at: .seconds(10)) == nil)
    }

    @Test(
        "a log that ends earlier, or is another cluster's, is one after a failover",
        arguments: [(150, 1), (400, 2)] as [(Int64, Int64)]
    )
    func failOver(byte: Int64, cluster: Int64) {
        var progress = Self.noted
        progress.note(Self.position(byte, cluster: cluster), at: .seconds(4))
        #expect(progress.age(of: Self.position(149), at: .seconds(10)) == nil)
        #expect(
            progress.age(of: Self.position(byte, cluster: cluster), at: .seconds(10))
                == .seconds(6)
        )
    }

    @Test("the oldest mark is forgotten beyond the bound")
    func bound() {
        var progress = ReplayProgress()
        let last = Int64(ReplayProgress.marksMax) + 1
        for second in 1...last { progress.note(Self.position(second), at: .seconds(second)) }
        #expect(progress.age(of: Self.position(1), at: .seconds(last)) == nil)
        #expect(progress.age(of: Self.position(2), at: .seconds(last)) == .seconds(last - 2))
    }
}
