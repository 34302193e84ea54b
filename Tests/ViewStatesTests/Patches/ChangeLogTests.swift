import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import ViewStates

@Suite("A patch from any known revision produces the current document")
struct ChangeLogTests {
    @Test(
        "a patch applies to each known revision when rows change and move at random",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func rows(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var names: [String] = ["a", "b", "c"]
        try run(&generator, steps: 60) { generator in
            Self.move(&names, &generator, isNewFirst: false)
            return Self.assets(names, Int.random(in: 0..<3, using: &generator))
        }
    }

    @Test(
        "a patch applies to each known revision when new rows are first",
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func newestFirst(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var names: [String] = ["a", "b", "c"]
        try run(&generator, steps: 60) { generator in
            Self.move(&names, &generator, isNewFirst: true)
            return MarketBlockViewState(market: "BTC_KRW", block: Self.trades(names))
        }
    }

    /// Applies random versions; checks the patch from some of the earlier ones.
    private func run<State: StreamedState>(
        _ generator: inout SeededGenerator,
        steps: UInt64,
        _ next: (inout SeededGenerator) -> State
    ) throws {
        var bench = ChangeLogBench(next(&generator))
        var old = [bench.document]
        var orders: [Bool: Int] = [:]
        for _ in 1...steps {
            bench.take(next(&generator))
            // The newest ones, and random ones among the others.
            let older = old.dropLast(4).shuffled(using: &generator).prefix(6)
            for document in old.suffix(4) + older {
                guard let patch = try bench.patch(from: document.revision) else { continue }
                orders[patch.hasOrder, default: 0] += 1
                var changed = document
                try patch.read.apply(to: &changed, revision: bench.document.revision)
                #expect(changed == bench.document)
                // The same for a reader that knows the contract's rules alone.
                var json = try OrderedJSON(document.json)
                try json.apply(patch.json, revision: bench.document.revision)
                #expect(json == (try OrderedJSON(bench.document.json)))
            }
            old.append(bench.document)
        }
        #expect(orders[true] ?? 0 > 20 && orders[false] ?? 0 > 20)
    }

    @Test("a patch of appended, changed and removed rows has no order")
    func noOrder() throws {
        var bench = ChangeLogBench(Self.assets(["a", "b", "c"], 0))
        let first = bench.document.revision
        bench.take(Self.assets(["a", "c", "d"], 1))
        bench.take(Self.assets(["a", "c", "d", "e"], 1))
        #expect(try bench.patch(from: first)?.hasOrder == false)
        bench.take(Self.assets(["a", "c", "d", "e", "b"], 1))
        // The row is back, but not at the position that older readers have.
        #expect(try bench.patch(from: first)?.hasOrder == true)
        let second = bench.document.revision
        bench.take(Self.assets(["x", "a", "c", "d", "e", "b"], 1))
        #expect(try bench.patch(from: second)?.hasOrder == true)
    }

    @Test("a row that was added and removed between two revisions is not in the patch")
    func passing() throws {
        var bench = ChangeLogBench(Self.assets(["a", "b"], 0))
        let first = bench.document.revision
        bench.take(Self.assets(["a", "b", "c"], 0))
        bench.take(Self.assets(["a"], 0))
        let patch = try #require(try bench.patch(from: first))
        let rows = patch.json["patches"]?.elements?.first { $0["path"] == .string("rows") }
        #expect(rows?["remove"] == .array([.string("b")]))
        #expect(rows?["upsert"] == .array([]))
    }

    @Test("unchanged parts are not in the patch")
    func unchanged() throws {
        var bench = ChangeLogBench(Self.assets(["a", "b"], 0))
        let first = bench.document.revision
        bench.take(Self.assets(["a", "b"], 0, search: "x"))
        let patch = try #require(try bench.patch(from: first))
        #expect(patch.json["patches"]?.elements?.compactMap { $0["path"]?.text } == ["query"])
    }

    @Test(
        "revisions beyond the bound, and those before a forgotten removal, are unknown"
    )
    func bounds() throws {
        var bounds = ChangeLog.Bounds()
        bounds.revisionsMax = 8
        bounds.removalsMax = 2
        var bench = ChangeLogBench(Self.assets(["a", "b", "c"], 0), bounds: bounds)
        var revisions = [bench.document.revision]
        for number in 1...20 {
            bench.take(Self.assets(["a", "b", "c"], number))
            revisions.append(bench.document.revision)
        }
        let known = try revisions.map { try bench.patch(from: $0) != nil }
        #expect(
            known.filter(\.self).count <= 8
                && known.dropLast().suffix(5).allSatisfy(\.self)
        )
        let before = bench.document.revision
        bench.take(Self.assets(["c"], 20))
        #expect(try bench.patch(from: before) != nil)
        bench.take(Self.assets([], 20))
        #expect(try bench.patch(from: before) == nil)
    }

    @Test("only a revision of the document is a cursor")
    func cursors() {
        var bench = ChangeLogBench(Self.assets(["a"], 0))
        bench.skipRevision()
        bench.take(Self.assets(["b"], 0))
        #expect(bench.log.cursor("e-1") != nil && bench.log.cursor("e-3") != nil)
        for id in ["e-2", "e-4", "e-0", "f-1", "e-01", "e-1 ", "E-1", "e1", ""] {
            #expect(bench.log.cursor(id) == nil, "\(id)")
        }
    }

    @Test("an older version, or the same again, is ignored")
    func older() {
        var bench = ChangeLogBench(Self.assets(["a"], 0))
        let first = bench.version
        bench.take(Self.assets(["b"], 0))
        let bytes = bench.log.document
        let taken = [bench.log.take(first), bench.log.take(bench.version)]
        #expect(taken == [false, false])
        #expect(bench.log.document == bytes)
    }

    // MARK: States

    private static func move(
        _ names: inout [String],
        _ generator: inout SeededGenerator,
        isNewFirst: Bool
    ) {
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: names.shuffle(using: &generator)
            case 1, 2:
                _ = names.indices.randomElement(using: &generator).map { names.remove(at: $0) }
            default:
                let name = String(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
                guard !names.contains(name) else { continue }
                names.insert(name, at: isNewFirst ? 0 : names.count)
            }
        }
    }

    private static func assets(
        _ names: [String],
        _ number: Int,
        search: String? = nil
    ) -> AssetsViewState {
        AssetsViewState(
            health: health,
            query: .init(state: "all", q: search, sort: "name", sortDirection: "asc"),
            counts: .init(all: names.count, normal: 0, suspended: 0),
            rows: names.map { name in
                AssetsViewState.Row(
                    asset: name,
                    name: .init(ko: nil, en: nil),
                    deposit: nil,
                    withdrawal: nil,
                    // Some change with the number, some do not.
                    depositText: name < "d" ? "\(number)" : "",
                    withdrawalText: "-",
                    spokenText: "\"\\"
                )
            }
        )
    }

    private static func trades(_ names: [String]) -> TradesViewState {
        TradesViewState(
            health: health,
            rows: names.map { name in
                TradesViewState.Row(
                    id: name,
                    at: SampleBoard.start,
                    timeText: "",
                    price: .one,
                    priceText: "1",
                    quantity: .one,
                    quantityText: "1",
                    amount: .one,
                    amountText: "1",
                    side: .buy,
                    tickDirection: name == names.last ? nil : .up
                )
            },
            dropped: 0,
            gaps: []
        )
    }

    private static let health = HealthViewState(
        phase: .ready,
        at: nil,
        staleAfter: nil,
        origin: nil,
        complete: true,
        error: nil
    )
}

/// A change log of states that a test makes.
struct ChangeLogBench<State: StreamedState> {
    private(set) var document: Document<State>
    private(set) var version: DocumentVersion
    var log: ChangeLog
    private var counter: UInt64 = 1

    init(_ state: State, bounds: ChangeLog.Bounds = .init()) {
        (document, version) = Self.version(state, 1, after: nil)
        log = ChangeLog(version, bounds: bounds)
    }

    mutating func skipRevision() { counter += 1 }

    mutating func take(_ state: State) {
        counter += 1
        let old = (document.state, version.state)
        (document, version) = Self.version(state, counter, after: old)
        let isTaken = log.take(version)
        #expect(isTaken)
        #expect(log.document == document.json)
    }

    /// The patch from a revision; nil for none.
    func patch(
        from revision: String
    ) throws -> (read: DocumentPatch<State>, json: OrderedJSON, hasOrder: Bool)? {
        guard let cursor = log.cursor(revision) else { return nil }
        guard case .patch(let bytes) = log.way(from: cursor) else { return nil }
        let json = try OrderedJSON(bytes)
        let hasOrder = json["patches"]?.elements?.contains { patch in
            patch["order"].map { $0 != .null } ?? false
        }
        let patch = try JSONDecoder().decode(DocumentPatch<State>.self, from: Data(bytes))
        return (patch, json, hasOrder ?? false)
    }

    private static func version(
        _ state: State,
        _ counter: UInt64,
        after old: (state: State, parts: DocumentParts)?
    ) -> (Document<State>, DocumentVersion) {
        var writer = PartWriter(after: old?.parts)
        state.write(to: &writer, after: old?.state)
        let version = DocumentVersion(
            schema: State.schemaName,
            schemaVersion: State.schemaVersion,
            revision: DocumentRevision(epoch: "e", counter: counter),
            asOf: SampleBoard.start,
            source: SourceViewState(.live, .v1),
            state: writer.document
        )
        let document = Document(
            revision: version.revision.text,
            asOf: version.asOf,
            source: version.source,
            state: state
        )
        return (document, version)
    }
}
