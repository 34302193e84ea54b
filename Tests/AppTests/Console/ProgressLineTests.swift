import Synchronization
import TestSupport
import Testing

@testable import App

@Suite("A progress line rewrites itself and is erased at the end", .tags(.threads))
struct ProgressLineTests {
    @Test(
        "the line has phase, rows, percentage, time and rate",
        arguments: [
            (ProgressText(phase: "connecting"), 3_000, "x: connecting  3 s"),
            (ProgressText(phase: "reading", done: 1_234), 400, "x: reading  1,234 rows  0 s"),
            (
                ProgressText(phase: "writing", done: 500, total: 43_200), 2_000,
                "x: writing  500/43,200 rows  1%  2 s  250 rows/s"
            ),
            (
                ProgressText(phase: "copying", done: 1_000_000, total: 1_000_000, unit: "bytes"),
                500, "x: copying  1,000,000/1,000,000 bytes  100%  0 s  2,000,000 bytes/s"
            ),
            (ProgressText(phase: "writing", total: 0), 0, "x: writing  0 s"),
        ]
    )
    func text(progress: ProgressText, milliseconds: Int, line: String) {
        #expect(progress.line("x", elapsed: .milliseconds(milliseconds)) == line)
    }

    @Test("the line has at most 79 columns")
    func width() {
        let progress = ProgressText(phase: String(repeating: "x", count: 200), done: 1, total: 2)
        #expect(progress.line("y", elapsed: .seconds(1)).count == 79)
    }

    /// The complete output.
    private final class Written: Sendable {
        private let texts = Mutex<[String]>([])
        func add(_ text: String) { texts.withLock { $0.append(text) } }
        var all: [String] { texts.withLock { $0 } }
    }

    @Test("long work shows and erases the line")
    func shown() async throws {
        let written = Written()
        let clock = ManualClock()
        let line = ProgressLine("x", phase: "a", isShown: true, clock: clock) { written.add($0) }
        try await line.using { () async throws(ProgramError) in
            line.begin("b", of: 10)
            line.update(5)
            await clock.untilSleeping()
            clock.advance(by: ProgressLine.patience)
            await clock.untilSleeping()
            // Later the line has a rate.
            clock.advance(by: ProgressLine.interval)
            await clock.untilSleeping()
            line.update(6)
            clock.advance(by: ProgressLine.interval)
            await clock.untilSleeping()
        }
        let lines = [
            "x: b  5/10 rows  50%  0 s", "x: b  5/10 rows  50%  0 s  10 rows/s",
            "x: b  6/10 rows  60%  0 s  10 rows/s", "",
        ]
        #expect(written.all == lines.map { "\r\($0)\u{1B}[K" })
    }

    @Test("hidden lines and short work write nothing")
    func silent() async throws {
        let written = Written()
        for isShown in [true, false] {
            let line = ProgressLine("x", phase: "a", isShown: isShown, clock: ManualClock()) {
                written.add($0)
            }
            try await line.using { () async throws(ProgramError) in line.update(1) }
        }
        #expect(written.all.isEmpty)
    }

    @Test("an error of the job is rethrown")
    func failure() async {
        let line = ProgressLine("x", phase: "a", isShown: false) { _ in }
        await #expect(throws: ProgramError(.usage, "no")) {
            try await line.using { () async throws(ProgramError) in
                throw ProgramError(.usage, "no")
            }
        }
    }
}
