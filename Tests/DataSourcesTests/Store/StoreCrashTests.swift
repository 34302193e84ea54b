import DataSourceContracts
import DataSourcesSQLite
import Glibc
import TestSupport
import Testing

@Suite("A killed process loses no acknowledged change")
struct StoreCrashTests {
    @Test("every acknowledged change is read after each of a hundred kills at random points")
    func kills() async throws {
        let folder = try TemporaryFolder()
        defer { folder.clear() }
        let path = "\(folder.path)/hoga.sqlite"
        var random = SeededGenerator(seed: 9)
        var acknowledged = 0
        for round in 0..<100 {
            let name = "K\(round)"
            let lineCount = Int.random(in: 0...12, using: &random)
            let rest = UInt32.random(in: 0...2_500, using: &random)
            let lines = try await onBlockingThread {
                let process = try StoreWriterProcess.start(["write", path, name])
                var lines: [String] = []
                for _ in 0..<lineCount { lines.append(try process.readLine()) }
                // Anywhere in the next calls, or while opening.
                usleep(rest)
                return lines + process.killAtOnce()
            }
            acknowledged += lines.count
            try await Self.expect(lines, under: name, in: SQLiteStore(path: path) { 1 })
        }
        #expect(acknowledged > 100)
    }

    /// Checks for every acknowledged change.
    private static func expect(
        _ lines: [String],
        under name: String,
        in store: SQLiteStore
    ) async throws {
        let record = try await store.record(of: 1)
        let last = { (what: String) in
            lines.last { $0.hasPrefix(what + " ") }.flatMap { Int64($0.dropFirst(what.count + 1)) }
        }
        // The interrupted round may have removed an acknowledged one.
        if let round = last("favorite") {
            let expected = (max(1, round - 18)...round).map { "\(name)_\($0)" }
            #expect(Set(record.favorites).isSuperset(of: expected), "\(name)")
        }
        if let round = last("holding") {
            let held = record.holdings.first { $0.asset == name }.flatMap { Int64($0.quantity) }
            #expect(try #require(held, "\(name)") >= round)
        }
        if let round = last("candle") {
            let series = CandleSeriesDTO(feed: "live", market: name, interval: "1m")
            let kept = try await store.candles(of: series, newest: 10_000)
            let times = kept.rows.map { $0.openTime / 60_000_000 }
            #expect(times.starts(with: 0...round), "\(name)")
            #expect(kept.spans.count == 1, "\(name)")
            // An answer is complete: its candles are stored with its span.
            #expect(kept.spans.first?.to == (kept.rows.last?.openTime).map { $0 + 60_000_000 })
        }
        let check = try await store.check()
        #expect(check.isSound, "\(check.problems)")
        // Keeps the file small for the next round.
        _ = try await store.write(.replaceFavorites([], expecting: nil), user: 1, at: 1)
        await store.close()
    }
}
