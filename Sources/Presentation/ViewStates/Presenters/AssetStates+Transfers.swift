import Domain

extension AssetStates {
    /// A coin's states for a reader to whom nothing else says how old they are: unknown once stale.
    func transfers(
        of asset: Asset,
        at now: Timestamp
    ) -> (deposit: TransferViewState?, withdrawal: TransferViewState?) {
        guard let state = self[asset], let staleAt, now < staleAt else { return (nil, nil) }
        return (
            TransferViewState(isOpen: state.isDepositOpen),
            TransferViewState(isOpen: state.isWithdrawalOpen)
        )
    }
}

extension TransferViewState {
    /// The view's word for a state; nil if it is not known.
    init?(isOpen: Bool?) {
        guard let isOpen else { return nil }
        self = isOpen ? .normal : .suspended
    }
}
