public import Domain

/// Presents deposit and withdrawal states for a query.
public struct AssetsPresenter: Sendable {
    /// Coin names until the board has its own.
    public let names: CoinNames

    /// Makes a presenter.
    public init(names: CoinNames) {
        self.names = names
    }

    /// Presents a snapshot.
    ///
    /// - Returns: all matching coins; before the first answer none, and the reason in the health.
    public func present(_ snapshot: BoardSnapshot, query: AssetsQuery) -> AssetsViewState {
        let assets = snapshot.board.assets(at: snapshot.capturedAt)
        let names = snapshot.board.names(else: names)
        let list = query.listAssets(assets, names: names)
        return AssetsViewState(
            health: Self.health(snapshot, language: query.messageLanguage),
            query: query.viewState,
            counts: .init(
                all: list.counts.all,
                normal: list.counts.normal,
                suspended: list.counts.suspended
            ),
            rows: list.order.map { row($0, assets[$0], names, query.language) }
        )
    }

    /// The health of the states; they are refreshed only while they have readers.
    static func health(_ snapshot: BoardSnapshot, language: Language) -> HealthViewState {
        let assets = snapshot.board.assets(at: snapshot.capturedAt)
        let isEnded = snapshot.board.feed.connection == .ended
        let error = assets.failure.map {
            HealthPresenter.error(of: $0, nextRetryAt: assets.nextRetryAt, language)
        }
        let phase: HealthViewState.Phase
        if isEnded {
            phase = .ended
        } else if assets.readAt != nil {
            phase = assets.isFresh(at: snapshot.capturedAt) ? .ready : .stale
        } else {
            phase = error == nil ? .loading : .failed
        }
        return HealthViewState(
            phase: phase,
            at: assets.readAt,
            staleAfter: isEnded ? nil : assets.staleAt,
            origin: assets.readAt.map { _ in .rest },
            complete: assets.readAt != nil,
            // API 1.x alone tells them.
            api: assets.readAt == nil || snapshot.board.feed.api == .v1
                ? nil : ExchangeAPI.v1.rawValue,
            error: isEnded ? nil : error
        )
    }

    private func row(
        _ asset: Asset,
        _ state: AssetState?,
        _ names: CoinNames,
        _ language: Language
    ) -> AssetsViewState.Row {
        let deposit = TransferViewState(isOpen: state?.isDepositOpen)
        let withdrawal = TransferViewState(isOpen: state?.isWithdrawalOpen)
        return AssetsViewState.Row(
            asset: asset.symbol,
            name: names.viewState(asset.symbol),
            deposit: deposit,
            withdrawal: withdrawal,
            depositText: Self.text(of: deposit, language),
            withdrawalText: Self.text(of: withdrawal, language),
            spokenText: [
                names.spoken(asset.symbol, language),
                LocalizedText(ko: "입금 ", en: "deposit ")[language] + Self.spoken(deposit, language),
                LocalizedText(ko: "출금 ", en: "withdrawal ")[language]
                    + Self.spoken(withdrawal, language),
            ].joined(separator: ", ")
        )
    }

    /// The text of a column: `정상`, `중단`, `-`.
    public static func text(of state: TransferViewState?, _ language: Language) -> String {
        switch state {
        case .normal: LocalizedText(ko: "정상", en: "Normal")[language]
        case .suspended: LocalizedText(ko: "중단", en: "Suspended")[language]
        case nil: "-"
        }
    }

    private static func spoken(_ state: TransferViewState?, _ language: Language) -> String {
        switch state {
        case .normal: LocalizedText(ko: "정상", en: "normal")[language]
        case .suspended: LocalizedText(ko: "중단", en: "suspended")[language]
        case nil: LocalizedText(ko: "정보 없음", en: "unknown")[language]
        }
    }
}
