import Domain

/// `hoga holdings` and `hoga cash`: what a person holds.
struct HoldingsCommand: Sendable {
    let access: StoreAccess

    /// `list`: coin, quantity and average price, a line each; `-` is unknown.
    func list() async throws(ProgramError) {
        let holdings = try await access.record().holdings.value
        if holdings.isEmpty { Console.note("There are no holdings; `hoga holdings put` adds one.") }
        for holding in holdings { try Self.line(holding) }
    }

    /// `put`: sets what is held of a coin.
    func put(
        _ asset: String,
        quantity: String,
        averagePrice: String?
    ) async throws(ProgramError) {
        let holding = Holding(
            asset: try await known(asset),
            quantity: try Self.read("QUANTITY", quantity, UserInput.quantity),
            averagePrice: try averagePrice.flatMap { text throws(ProgramError) in
                try Self.read("AVERAGE", text, UserInput.averagePrice)
            }
        )
        try await access.perform(.putHolding(holding))
        try Self.line(holding)
    }

    /// `remove`: takes a coin from the holdings.
    func remove(_ text: String) async throws(ProgramError) {
        let asset = try Self.read("ASSET", text, UserInput.asset)
        let isAvailable = try await access.record().holdings.value.contains { $0.asset == asset }
        guard isAvailable else {
            Console.note("\(asset.symbol) is not held.")
            return
        }
        try await access.perform(.removeHolding(asset))
    }

    /// `cash`: prints the cash in won after setting it, if an amount is given.
    func cash(_ text: String?) async throws(ProgramError) {
        if let text {
            let amount = try Self.read("AMOUNT", text, UserInput.cash)
            try await access.perform(.putCash(amount))
        }
        try Console.line(try await access.record().cash.value?.canonicalText ?? "-")
    }

    /// Reads the code of a coin that is known.
    private func known(_ text: String) async throws(ProgramError) -> Asset {
        let coins = try await access.coins()
        do throws(InputError) {
            return try coins.asset(text)
        } catch {
            let isUnknown = if case .unknownAsset = error.reason { true } else { false }
            throw ProgramError(
                .usage,
                "ASSET: \(error.detail)"
                    + (isUnknown
                        ? "; one that is new is known here once `hoga watch` has listed it" : "")
            )
        }
    }

    private static func line(_ holding: Holding) throws(ProgramError) {
        let price = holding.averagePrice?.canonicalText ?? "-"
        try Console.line("\(holding.asset.symbol) \(holding.quantity.canonicalText) \(price)")
    }

    private static func read<Value>(
        _ name: String,
        _ text: String,
        _ reader: (String) throws(InputError) -> Value
    ) throws(ProgramError) -> Value {
        do throws(InputError) {
            return try reader(text)
        } catch {
            throw ProgramError(.usage, "\(name): \(error.detail)")
        }
    }
}
