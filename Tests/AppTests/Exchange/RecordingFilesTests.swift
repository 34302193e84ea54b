import DataSourcesRecording
import Domain
import Foundation
import Synchronization
import Testing

@testable import App

@Suite("Recordings are written to bounded files", .tags(.threads))
struct RecordingFilesTests {
    private let folder = NSTemporaryDirectory() + "hoga-recording-\(UUID().uuidString)"
    private let at = SeoulTime.timestamp(year: 2026, month: 11, day: 20, hour: 21)

    private func files(
        bytes: Int,
        count: Int,
        onFailure: @escaping @Sendable () -> Void = {}
    ) throws -> RecordingFiles {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let at = at
        return try RecordingFiles(
            path: folder + "/session.jsonl",
            bounds: .init(fileBytesMax: bytes, filesMax: count),
            now: { at },
            onFailure: onFailure
        )
    }

    private func text(_ name: String) throws -> String {
        let data = try #require(FileManager.default.contents(atPath: folder + "/" + name))
        return String(decoding: data, as: UTF8.self)
    }

    @Test("lines are readable by replays, whatever the bytes")
    func form() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try files(bytes: 1_000_000, count: 2)
        await files.record([
            .answer(path: "/public/ticker/ALL_KRW", status: 200, body: Array(#"{"a":"\n"}"#.utf8)),
            .message(Array("호가\u{1}\n".utf8) + [0xFF]),
        ])
        let lines = try text("session.jsonl").split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"at":"2026-11-20T21:00:00.000000+09:00","kind":"rest","#
                    + #""path":"/public/ticker/ALL_KRW","status":200,"#
                    + #""body":"{\"a\":\"\\n\"}"}"#,
                #"{"at":"2026-11-20T21:00:00.000000+09:00","kind":"frame","#
                    + #""text":"호가\u0001\u000a\#u{FFFD}"}"#,
            ]
        )
        for line in lines {
            #expect(throws: Never.self) {
                try JSONSerialization.jsonObject(with: Data(line.utf8))
            }
        }
    }

    @Test("a full file is rotated, the oldest deleted, and no line split", arguments: [1, 2, 3])
    func rotation(count: Int) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try files(bytes: 2_000, count: count)
        for number in 0..<100 {
            await files.record([
                .message(Array("\(number) \(String(repeating: "x", count: 300))".utf8))
            ])
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count == count)
        var numbers: [Int] = []
        for age in stride(from: count - 1, through: 0, by: -1) {
            let text = try text(age == 0 ? "session.jsonl" : "session.\(age).jsonl")
            #expect(text.utf8.count <= 2_000)
            for line in text.split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let frame = try #require((object as? [String: Any])?["text"] as? String)
                numbers.append(try #require(Int(frame.prefix { $0 != " " })))
            }
        }
        // The remaining lines are the newest, in order and without a gap.
        #expect(numbers == Array((100 - numbers.count)..<100))
        #expect(files.report.lines == 100)
        #expect(files.report.rotations == 19)
    }

    @Test("a line longer than the file size is written whole")
    func large() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try files(bytes: 100, count: 2)
        let long = Array(String(repeating: "y", count: 500).utf8)
        await files.record([.message(long), .message(long)])
        #expect(try text("session.jsonl").count > 500)
        #expect(try text("session.1.jsonl").count > 500)
    }

    @Test("an existing file is not overwritten")
    func existing() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try files(bytes: 1_000, count: 1)
        let error = #expect(throws: ProgramError.self) { try files(bytes: 1_000, count: 1) }
        #expect(error?.exitCode == .usage)
    }

    @Test("a failed write ends the recording and is reported once")
    func full() async throws {
        let failures = Mutex(0)
        let at = at
        // /dev/full is a file that exists, so the path goes through a link that does not.
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = try RecordingFiles(
            path: folder + "/session.jsonl",
            bounds: .init(fileBytesMax: 10, filesMax: 1),
            now: { at },
            onFailure: { failures.withLock { $0 += 1 } }
        )
        await files.record([.message([0x61])])
        // The folder is gone, so the next file cannot be made.
        try FileManager.default.removeItem(atPath: folder)
        await files.record([.message([0x62])])
        await files.record([.message([0x63])])
        #expect(files.failure?.exitCode == .unavailable)
        #expect(failures.withLock { $0 } == 1)
    }
}

@Suite("Recording options", .tags(.threads))
struct RecordingOptionsTests {
    @Test("the default is one market, no time limit, and 8 files of 64 MiB")
    func standard() throws {
        let plan = try RecordingOptions(path: "a.jsonl", options: [:])
        #expect(plan.details.map(\.name) == ["BTC_KRW"])
        #expect(plan.duration == nil)
        #expect(plan.bounds == .init(fileBytesMax: 67_108_864, filesMax: 8))
    }

    @Test("every flag is read")
    func flags() throws {
        let plan = try RecordingOptions(
            path: "a.jsonl",
            options: [
                .details: "krw-eth,BTC_KRW,ETH_KRW", .duration: "90s", .fileBytes: "1000000",
                .files: "3",
            ]
        )
        #expect(plan.details.map(\.name) == ["ETH_KRW", "BTC_KRW"])
        #expect(plan.duration == .seconds(90))
        #expect(plan.bounds == .init(fileBytesMax: 1_000_000, filesMax: 3))
        #expect(try RecordingOptions(path: "a", options: [.details: ""]).details.isEmpty)
    }

    @Test(
        "an invalid value is refused with its flag",
        arguments: [
            (CommandOption.details, "NOTACOIN"), (.duration, "90"), (.duration, "0s"),
            (.duration, "-1s"), (.fileBytes, "999999"), (.files, "0"), (.files, "many"),
        ]
    )
    func refused(option: CommandOption, text: String) {
        let error = #expect(throws: ProgramError.self) {
            try RecordingOptions(path: "a.jsonl", options: [option: text])
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.description.hasPrefix(option.flag) == true)
    }
}
