@testable import App
import DataSourcesRemote
import ViewStates

extension FuzzTarget {
    /// Documents and patches that clients read: what is read is written and read as the same, and a
    /// patch that does not fit changes nothing.
    func judgePatches(_ input: FuzzInput) throws(FuzzFinding) {
        var input = input
        let kind = input.byte()
        let lines = input.rest.split(separator: 0x0a).map(Array.init)
        guard let first = lines.first else { return }
        switch kind % 9 {
        case 0: try judge(MarketListViewState.self, first, lines.dropFirst())
        case 1: try judge(MarketDetailViewState.self, first, lines.dropFirst())
        case 2: try judge(MarketBlockViewState<OrderBookViewState>.self, first, lines.dropFirst())
        case 3: try judge(MarketBlockViewState<TradesViewState>.self, first, lines.dropFirst())
        case 4: try judge(MarketBlockViewState<ChartViewState>.self, first, lines.dropFirst())
        case 5: try judge(AssetsViewState.self, first, lines.dropFirst())
        case 6: try judge(PortfolioViewState.self, first, lines.dropFirst())
        case 7: try judge(AlertsViewState.self, first, lines.dropFirst())
        default: try judge(SnapshotViewState.self, first, lines.dropFirst())
        }
        for part in RemoteUserRecord.Part.allCases {
            _ = try? RemoteUserRecord.Reading(part, first)
        }
        let failure = RemoteFailure(status: 400 + Int(kind), headers: [:], body: first)
        try require(failure.detail.utf8.count < 10_000, "a long failure")
    }

    private func judge<State: PatchableState>(
        _ type: State.Type,
        _ snapshot: [UInt8],
        _ patches: ArraySlice<[UInt8]>
    ) throws(FuzzFinding) {
        guard var document = try? PatchedDocument<State>(snapshot: snapshot) else { return }
        try checkWritten(document.document)
        for patch in patches {
            let before = document.document.json
            let isApplied = document.apply(patch: patch, revision: "fuzz-1")
            let after = document.document.json
            try require(isApplied || before == after, "a patch that does not fit changes something")
            if isApplied { try checkWritten(document.document) }
        }
    }

    private func checkWritten<State: PatchableState>(
        _ document: Document<State>
    ) throws(FuzzFinding) {
        let json = document.json
        try requireJSON(json, "a document")
        let again = try? PatchedDocument<State>(snapshot: json)
        try requireEqual(
            again.map { String(decoding: $0.document.json, as: UTF8.self) },
            String(decoding: json, as: UTF8.self),
            "a document that was written"
        )
    }
}
