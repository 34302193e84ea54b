import Cryptography
import DataSourceContracts
import DataSourcesBithumb
import DataSourcesWebSocket
import Domain
import Glibc
import Repositories

/// Order books over a real socket: `Measure socket URL 1|2 MARKETS WARMUP FRAMES [deflate]`.
///
/// `Benchmarks/socket_books.py` sends the frames from another process. This one receives, decodes,
/// maps and applies them. It prints the numbers of all frames applied after the warm-up and of
/// skipped entries, then frames, milliseconds and microseconds of CPU time from the second batch
/// on.
enum SocketMeasurement {
    /// Frames that were seen.
    private struct Progress {
        var books: [MarketID: LocalOrderBook] = [:]
        var frames = 0
        var applied = 0
        var skipped = 0
    }

    /// Runs it.
    ///
    /// - Returns: false if it failed, or the arguments are unknown.
    static func run(_ words: [String]) async -> Bool {
        let isCompressed = words.last == "deflate"
        guard words.count == (isCompressed ? 6 : 5), let markets = Int(words[2]),
            let warmUp = Int(words[3]), let frames = Int(words[4]),
            let generation = APIGeneration(rawValue: words[1])
        else { return false }
        do {
            let source = try source(words[0], generation, isCompressed)
            try await measure(source, markets, warmUp: warmUp, frames: frames)
            return true
        } catch {
            print("\(error)")
            return false
        }
    }

    private static func source(
        _ url: String,
        _ generation: APIGeneration,
        _ isCompressed: Bool
    ) throws -> BithumbStreamSource {
        BithumbStreamSource(
            transport: try CurlWebSocketTransport(
                userAgent: "hoga",
                authorityFile: nil,
                randomBytes: { Cryptography.randomBytes(count: $0) },
                clock: ContinuousClock()
            ),
            generation: generation,
            url: url,
            clock: ContinuousClock(),
            offersCompression: isCompressed
        )
    }

    private static func measure(
        _ source: BithumbStreamSource,
        _ markets: Int,
        warmUp: Int,
        frames: Int
    ) async throws {
        let stream = try await source.connect()
        let symbols = (0..<markets).map { "COIN\($0)_KRW" }
        try await stream.subscribe([
            StreamSubscriptionDTO(type: "orderbooksnapshot", symbols: symbols)
        ])
        var progress = Progress()
        while progress.frames < warmUp {
            apply(try await stream.receive(), &progress)
        }
        // The sender pauses behind the warm-up: the first measured batch starts the clock.
        apply(try await stream.receive(), &progress)
        let (before, cpu, start) = (progress, clock(), ContinuousClock.now)
        while progress.frames < warmUp + frames {
            do {
                apply(try await stream.receive(), &progress)
            } catch {
                break
            }
        }
        let used = clock() - cpu
        let time = (ContinuousClock.now - start) / .milliseconds(1)
        await stream.close()
        let measured = progress.frames - before.frames
        print("\(progress.applied - warmUp) \(progress.skipped) \(measured) \(Int(time)) \(used)")
    }

    private static func apply(
        _ batch: StreamBatchDTO,
        _ progress: inout Progress
    ) {
        for message in batch.messages {
            var skipped = 0
            switch message {
            case .orderBook(let dto):
                guard let book = DepthMapping.snapshot(dto, origin: .stream, skipped: &skipped)
                else { continue }
                progress.books[book.market, default: LocalOrderBook()]
                    .apply(book, receivedAt: book.at)
                if progress.books[book.market]?.newestAt == book.at { progress.applied += 1 }
            case .depth(let dto):
                guard let delta = DepthMapping.delta(dto, skipped: &skipped) else { continue }
                progress.books[delta.market, default: LocalOrderBook()]
                    .apply(delta, receivedAt: delta.at)
                if progress.books[delta.market]?.newestAt == delta.at { progress.applied += 1 }
            default: continue
            }
            progress.skipped += skipped
            progress.frames += 1
        }
    }
}
