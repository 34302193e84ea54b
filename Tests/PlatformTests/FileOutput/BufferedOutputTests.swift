import FileOutput
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A buffered output queues lines for a slow output without blocking", .tags(.threads))
struct BufferedOutputTests {
    /// A pipe with a name, and its reading end; nothing is read until the test reads.
    private func withPipe(_ body: (String, Int32) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "hoga-pipe-\(UUID().uuidString)"
        let made = unsafe mkfifo(path, 0o600)
        try #require(made == 0)
        defer { _ = unsafe unlink(path) }
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        try #require(reader >= 0)
        defer { close(reader) }
        try body(path, reader)
    }

    /// Fills a pipe until it blocks.
    ///
    /// - Returns: how many bytes it took: often 64 KiB, but less where users share few pages.
    private func fill(_ path: String) throws -> Int {
        let filler = unsafe open(path, O_WRONLY | O_NONBLOCK)
        try #require(filler >= 0)
        defer { close(filler) }
        var filled = 0
        for size in [4_096, 1] {
            let bytes = [UInt8](repeating: UInt8(ascii: "-"), count: size)
            var count = size
            while count > 0 {
                count = unsafe write(filler, bytes, size)
                filled += max(count, 0)
            }
            try #require(errno == EAGAIN)
        }
        return filled
    }

    /// The next bytes of a pipe, as many as that; fewer if for a minute none came.
    private func bytes(_ count: Int, of reader: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var place = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            var chunk = [UInt8](repeating: 0, count: min(count - bytes.count, 65_536))
            guard unsafe poll(&place, 1, 60_000) > 0 else { return bytes }
            let taken = unsafe read(reader, &chunk, chunk.count)
            guard taken > 0 else { return bytes }
            bytes += chunk.prefix(taken)
        }
        return bytes
    }

    @Test("a blocked output drops and counts lines beyond the bound; others stay whole")
    func blocked() throws {
        try withPipe { path, reader in
            let buffer = BufferedOutput(try FileOutput(appendingTo: path), bytesMax: 10_000)
            let filled = try fill(path)
            var (written, dropped, takenBytes) = (0, 0, 0)
            // At most twice what may wait is taken: once to wait, once to be written.
            while dropped < 100, takenBytes <= 2 * 10_000 {
                let line = Array("line \(written)\n".utf8)
                if buffer.write(line) { takenBytes += line.count } else { dropped += 1 }
                written += 1
            }
            #expect(takenBytes <= 2 * 10_000)
            #expect(buffer.droppedCount == UInt64(dropped))
            #expect(!buffer.flush(within: .milliseconds(1)), "nobody reads")
            #expect(bytes(filled, of: reader).count == filled)
            let taken = bytes(takenBytes, of: reader)
            #expect(buffer.flush(within: .seconds(60)))
            #expect(buffer.write(Array("the end\n".utf8)), "there is room again")
            #expect(bytes(8, of: reader) == Array("the end\n".utf8))
            let lines = String(decoding: taken, as: UTF8.self).split(separator: "\n")
            #expect(taken.count == takenBytes && lines.count == written - dropped)
            let numbers = lines.compactMap { Int($0.dropFirst("line ".count)) }
            #expect(numbers.count == lines.count && numbers == numbers.sorted())
        }
    }

    @Test("lines of several threads are written whole, and none is lost")
    func threads() throws {
        let path = NSTemporaryDirectory() + "hoga-lines-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let buffer = BufferedOutput(try FileOutput(appendingTo: path), bytesMax: 1 << 20)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<500 { buffer.write(Array("\(thread) \(number)\n".utf8)) }
        }
        #expect(buffer.flush(within: .seconds(60)))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 4_000 && Set(lines).count == 4_000)
        for thread in 0..<8 {
            let own = lines.filter { $0.hasPrefix("\(thread) ") }
                .compactMap { Int($0.dropFirst(2)) }
            #expect(own == Array(0..<500))
        }
        #expect(buffer.droppedCount == 0)
    }

    @Test("lines that the output refuses are counted")
    func refused() throws {
        let buffer = BufferedOutput(try FileOutput(appendingTo: "/dev/full"), bytesMax: 1_000)
        for _ in 0..<3 {
            buffer.write([10])
            #expect(buffer.flush(within: .seconds(60)))
        }
        #expect(buffer.droppedCount == 3)
    }
}

@Suite("A process raises its limit of open files", .tags(.threads))
struct OpenFileLimitTests {
    @Test("a raised limit equals the hard limit, and stays")
    func raise() throws {
        let before = try #require(OpenFileLimit.current())
        let after = try #require(OpenFileLimit.raise())
        #expect(after.limitMax == before.limitMax)
        #expect(after.limit == after.limitMax)
        #expect(OpenFileLimit.raise() == after && OpenFileLimit.current() == after)
    }
}
