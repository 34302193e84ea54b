import Domain
import Presentation
import Synchronization

@testable import PresentationTerminal

/// The wall clock of a script.
final class ScriptedClock: Sendable {
    private let moment = Mutex(Samples.now)

    var now: Timestamp { moment.withLock { $0 } }

    func advance(by duration: Duration) {
        moment.withLock { $0 = $0.advanced(by: duration) }
    }
}

/// Markets in memory that behave as the program's do: filtered by symbol, windowed, and followed
/// in detail while they are held.
final class ScriptedModel: ScreenModel {
    private struct State {
        var rows: [MarketRowViewState]
        var sequence: UInt64 = 1
        var phase = HealthViewState.Phase.ready
        var orders = 0
        var reloads = 0
        var held: [Set<DetailInterest>] = []
        var queries: [MarketDetailQuery] = []
        var detail = DetailSamples.document().state
    }

    private let state: Mutex<State>
    private let clock: ScriptedClock

    init(clock: ScriptedClock, count: Int = 100) {
        self.clock = clock
        let rows = (0..<count).map { Samples.row("C\($0)", "코인\($0)", price: "1000") }
        state = Mutex(State(rows: rows))
    }

    /// How many orders were asked for.
    var orders: Int { state.withLock { $0.orders } }
    /// How often everything was to be read anew.
    var reloads: Int { state.withLock { $0.reloads } }

    /// What was held, one after another.
    var held: [Set<DetailInterest>] { state.withLock { $0.held } }
    /// What was asked of details.
    var queries: [MarketDetailQuery] { state.withLock { $0.queries } }

    /// Changes the detail.
    func changeDetail(_ change: (inout MarketDetailViewState) -> Void) {
        state.withLock { state in
            change(&state.detail)
            state.sequence += 1
        }
    }

    /// Gives a market another price.
    func change(_ index: Int, to price: Int64) {
        state.withLock { state in
            state.rows[index].price = FixedDecimal(price)
            state.rows[index].priceText = "\(price)"
            state.sequence += 1
        }
    }

    /// Changes how fresh the data are.
    func change(to phase: HealthViewState.Phase) {
        state.withLock { state in
            state.phase = phase
            state.sequence += 1
        }
    }

    var sequence: UInt64 { state.withLock { $0.sequence } }
    var now: Timestamp { clock.now }

    func order(for screen: MarketListScreenState) -> [MarketID] {
        state.withLock { state in
            state.orders += 1
            return state.rows
                .filter { $0.symbol.hasPrefix(screen.searchText) }
                .compactMap { MarketID(name: $0.market) }
        }
    }

    func document(for screen: MarketListScreenState) -> MarketListDocument {
        state.withLock { state in
            let names = Set(screen.order[screen.window].map(\.name))
            return Samples.document(
                state.rows.filter { names.contains($0.market) },
                health: Samples.health(state.phase),
                total: state.rows.count,
                filtered: screen.order.count
            )
        }
    }

    func detail(_ query: MarketDetailQuery) -> MarketDetailDocument {
        state.withLock { state in
            state.queries.append(query)
            return DetailSamples.document(DetailSamples.cut(state.detail, to: query))
        }
    }

    func hold(_ interests: Set<DetailInterest>) { state.withLock { $0.held.append(interests) } }

    func reload() { state.withLock { $0.reloads += 1 } }
}
