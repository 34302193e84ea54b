import Foundation
import ViewStates
import TestSupport
import Testing

@testable import PresentationHTTP

/// Three readers of one stream: a steady one, a slow one and one that leaves and comes back.
struct ReaderScenario<State: StreamedState> {
    /// Begins a stream behind the event of that id.
    let subscribe: (String?) throws -> StreamSubscription
    /// The document of a GET.
    let bytes: () -> [UInt8]

    /// Runs them over one run of events; each must end with the document of a GET.
    ///
    /// - Returns: how many events of each name they read.
    func run(
        seed: UInt64,
        step: (inout SeededGenerator) -> Void
    ) throws -> [String: Int] {
        var generator = SeededGenerator(seed: seed)
        let (steady, slow, leaving) =
            (StreamClient<State>(), StreamClient<State>(), StreamClient<State>())
        for client in [steady, slow, leaving] { try client.connect(subscribe) }
        for _ in 0..<120 {
            step(&generator)
            try steady.takeAll()
            if !steady.isConnected { try steady.connect(subscribe) }
            try steady.takeAll()
            try expect(steady)
            if Int.random(in: 0..<6, using: &generator) == 0 {
                if slow.isConnected { try slow.take() } else { try slow.connect(subscribe) }
            }
            switch (leaving.isConnected, Int.random(in: 0..<4, using: &generator)) {
            case (true, 0): leaving.disconnect()
            case (true, _): try leaving.take()
            case (false, 0): try leaving.connect(subscribe)
            case (false, _): break
            }
        }
        for client in [slow, leaving] {
            try client.takeAll()
            if !client.isConnected { try client.connect(subscribe) }
            try client.takeAll()
            try expect(client)
            #expect(client.document == steady.document)
        }
        #expect(steady.counts["snapshot"] == 1 && steady.counts["patch"] ?? 0 > 10)
        return [steady, slow, leaving].reduce(into: [:]) { sum, client in
            sum.merge(client.counts, uniquingKeysWith: +)
        }
    }

    /// Expects the document of a GET, and no further events.
    private func expect(_ client: StreamClient<State>) throws {
        let document = try JSONDecoder().decode(Document<State>.self, from: Data(bytes()))
        #expect(client.document == document)
    }
}

/// One test uses it at a time.
@available(*, unavailable)
extension ReaderScenario: Sendable {}
