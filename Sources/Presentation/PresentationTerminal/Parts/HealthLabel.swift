import Domain
import ViewStates

/// A label for data freshness: a sign that needs no color, a word and an age.
struct HealthLabel {
    let health: HealthViewState
    let feed: FeedLabel?
    let now: Timestamp
    let language: Language

    /// The texts, longest first.
    var texts: [String] {
        let behind = health.at.map { MarketListStrings.behind(now.duration(since: $0))[language] }
        let isBroken = health.error != nil
        if health.origin == .store, health.phase == .stale || health.phase == .ready {
            let word = "○ " + MarketListStrings.offline
            return [behind.map { word + " · " + $0 }, word].compactMap { $0 }
        }
        switch health.phase {
        case .loading:
            let spinner = Spinner.text(at: now)
            return [spinner + " " + MarketListStrings.loading[language], spinner]
        case .failed: return ["✕ " + MarketListStrings.failed[language], "✕"]
        case .ended: return ["■ " + MarketListStrings.ended[language], "■"]
        case .ready:
            let text: String =
                if isBroken {
                    "○ " + MarketListStrings.disconnected[language]
                } else if feed == .replay {
                    "▶ " + MarketListStrings.replay[language]
                } else {
                    "● " + MarketListStrings.live[language]
                }
            let coverage = MarketListStrings.shortCoverage(health)
            return coverage.map { [text + " · " + $0[language], text] } ?? [text]
        case .stale:
            let age = behind ?? MarketListStrings.disconnected[language]
            guard isBroken, behind != nil else { return ["○ " + age] }
            return ["○ " + MarketListStrings.disconnected[language] + " · " + age, "○ " + age]
        }
    }

    /// The style of the label.
    var style: CellStyle {
        if health.origin == .store { return CellStyle(.error, emphasis: .bold) }
        return switch health.phase {
        case .loading, .ended: .plain
        case .failed, .stale: CellStyle(.error, emphasis: .bold)
        case .ready: health.error == nil ? .plain : CellStyle(.error, emphasis: .bold)
        }
    }
}

extension HealthViewState {
    /// Whether the figures are those of an earlier moment.
    var isOutdated: Bool {
        switch phase {
        case .stale, .failed: true
        case .loading, .ready, .ended: false
        }
    }
}
