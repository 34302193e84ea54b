import Domain
import ViewStates
import Synchronization

@testable import PresentationTerminal

/// A model that runs a closure when its document is read.
final class HookedModel: ScreenModel {
    private let model = ScriptedModel(clock: ScriptedClock(), count: 20)
    private let count = Atomic(0)
    private let onDocument: @Sendable (Int) -> Void

    /// - Parameter onDocument: gets the number of the call, from 1.
    init(onDocument: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.onDocument = onDocument
    }

    var sequence: UInt64 { model.sequence }
    var now: Timestamp { model.now }
    var personal: UserState { model.personal }

    func order(for state: MarketListScreenState, language: Language) -> [MarketID] {
        model.order(for: state, language: language)
    }

    func document(
        for state: MarketListScreenState,
        language: Language
    ) -> MarketListDocument {
        onDocument(count.add(1, ordering: .relaxed).newValue)
        return model.document(for: state, language: language)
    }

    func wideRows(of markets: [MarketID], _ query: WideRowQuery) -> WideRows? {
        model.wideRows(of: markets, query)
    }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument { model.detail(query) }

    func assets(_ query: AssetsQuery) -> AssetsDocument { model.assets(query) }

    func portfolio(language: Language) -> PortfolioDocument { model.portfolio(language: language) }

    var haltedHoldings: Set<Asset> { model.haltedHoldings }

    var coins: KnownCoins { model.coins }

    var hasAlerts: Bool { model.hasAlerts }

    var alertContext: AlertRuleContext { model.alertContext }

    var alertCommandFailure: AlertCommandFailure? { model.alertCommandFailure }

    func about(language: Language) -> AboutViewState { model.about(language: language) }

    func market(of asset: Asset) -> MarketID? { model.market(of: asset) }

    func hold(_ interests: ScreenInterests) { model.hold(interests) }

    func save(_ text: String, as name: String) -> FileOutcome { model.save(text, as: name) }

    func perform(_ change: UserChange) { model.perform(change) }

    func reload() { model.reload() }
}

extension TerminalSession {
    /// A session on the terminal of this process.
    static func onHookedModel(
        environment: [String: String] = [:],
        input: InputOptions = InputOptions(),
        choices: TerminalOptions = TerminalOptions(characters: .unicode),
        look: ScreenAppearance = ScreenAppearance(),
        patience: TerminalReplies.Timeouts = TerminalReplies.Timeouts(),
        onDocument: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws -> TerminalSession {
        try TerminalSession(
            model: HookedModel(onDocument: onDocument),
            state: ScreenState(look: look),
            input: input,
            choices: choices,
            environment: environment,
            patience: patience
        )
    }
}
